"""Theorems, benchmarks and tactic pairs."""

# Sources that the prover (or LeanDojo's package) turns into pairs.
EXTRACTED = [name for name in cfg.data.pair_files if name in cfg.sources and cfg.sources[name].kind != "file"]


rule build_corpus:
    output:
        corpus=f"{R}/data/corpus.jsonl",
    log:
        f"{R}/logs/build_corpus.log",
    benchmark:
        f"{R}/benchmarks/build_corpus.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(30),
    params:
        data=flags("data", cfg.data),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/build_corpus.py {params.data} --seed {params.seed} --threads {threads}'
        " --output {output.corpus:q} > {log:q} 2>&1"


rule build_theorem_index:
    input:
        corpus=corpus_if(cfg.data.source == "minilean"),
    output:
        theorems=f"{R}/data/theorems.json",
    log:
        f"{R}/logs/build_theorem_index.log",
    benchmark:
        f"{R}/benchmarks/build_theorem_index.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(8000),
        runtime=grows(60),
    params:
        data=flags("data", cfg.data),
        corpus=option("corpus"),
        sources=sources_option(cfg.data.theorem_files),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/build_theorem_index.py {params.data} {params.sources} {params.corpus} --seed {params.seed}'
        " --threads {threads} --output {output.theorems:q} > {log:q} 2>&1"


rule build_benchmark:
    input:
        corpus=lambda wildcards: corpus_if(cfg.benchmarks[wildcards.benchmark].source == "minilean:benchmark"),
    output:
        benchmark=f"{R}/data/benchmarks/{{benchmark}}.json",
    log:
        f"{R}/logs/build_benchmark/{{benchmark}}.log",
    benchmark:
        f"{R}/benchmarks/build_benchmark/{{benchmark}}.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(30),
    params:
        settings=lambda wildcards: flags("benchmark", cfg.benchmarks[wildcards.benchmark]),
        corpus=option("corpus"),
        sources=lambda wildcards: sources_option([cfg.benchmarks[wildcards.benchmark].source]),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/build_benchmark.py {params.settings} --name {wildcards.benchmark} {params.sources} {params.corpus}'
        " --seed {params.seed} --threads {threads} --output {output.benchmark:q} > {log:q} 2>&1"


rule build_tactic_pairs:
    input:
        corpus=corpus_if(cfg.data.source == "minilean"),
        theorems=f"{R}/data/theorems.json",
        benchmarks=[f"{R}/data/benchmarks/{name}.json" for name in cfg.benchmarks],
        extracted=[f"{R}/data/extracted/{name}.jsonl" for name in EXTRACTED],
    output:
        train=f"{R}/data/tactic_pairs/train.jsonl",
        val=f"{R}/data/tactic_pairs/val.jsonl",
        report=f"{R}/data/report.json",
        pool=f"{R}/data/pool.json",
    log:
        f"{R}/logs/build_tactic_pairs.log",
    benchmark:
        f"{R}/benchmarks/build_tactic_pairs.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 4
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(16000),
        runtime=grows(120),
    params:
        data=flags("data", cfg.data),
        prover=cfg.prover.kind,
        corpus=option("corpus"),
        sources=sources_option(cfg.data.pair_files),
        extracted=option("extracted"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/build_tactic_pairs.py {params.data} --prover.kind {params.prover} {params.corpus}'
        " {params.sources} {params.extracted}"
        " --theorems {input.theorems:q} --benchmarks {input.benchmarks:q}"
        " --train {output.train:q} --val {output.val:q} --report {output.report:q} --pool {output.pool:q}"
        " --seed {params.seed} --threads {threads} > {log:q} 2>&1"


rule extract_pairs:
    output:
        pairs=f"{R}/data/extracted/{{source}}.jsonl",
        failures=f"{R}/data/extracted/{{source}}.failures.json",
    log:
        f"{R}/logs/extract_pairs/{{source}}.log",
    benchmark:
        f"{R}/benchmarks/extract_pairs/{{source}}.tsv"
    wildcard_constraints:
        source=r"\w+",
    conda:
        "../envs/cpu.yaml"
    threads: 16
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(64000),
        runtime=grows(1440),
    params:
        data=flags("data", cfg.data),
        prover=flags("prover", cfg.prover),
        sources=lambda wildcards: sources_option([wildcards.source]),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/extract_pairs.py {params.data} {params.prover} {params.sources}'
        " --source {wildcards.source} --seed {params.seed} --threads {threads}"
        " --output {output.pairs:q} --failures {output.failures:q} > {log:q} 2>&1"


# Named files come before the wildcards of the report's rules.
ruleorder: plot_data > plot_figure
ruleorder: plot_data > write_table


rule plot_data:
    input:
        report=f"{R}/data/report.json",
    output:
        figures=[
            report(
                f"{R}/figures/{name}.svg",
                caption="captions/data.rst",
                category="Data",
                labels={"figure": name.removeprefix("data_").replace("_", " ")},
            )
            for name in DATA_FIGURES
        ],
        beside=[f"{R}/figures/{name}.{kind}" for name in DATA_FIGURES for kind in ("png", "csv")],
        table=f"{R}/tables/data.md",
        csv=f"{R}/tables/data.csv",
        page=report(f"{R}/tables/data.html", caption="captions/data.rst", category="Tables", labels={"table": "data"}),
    log:
        f"{R}/logs/plot_data.log",
    benchmark:
        f"{R}/benchmarks/plot_data.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(2000),
        runtime=grows(10),
    params:
        folder=lambda wildcards, output: os.path.dirname(output.figures[0]),
    shell:
        'exec python "$BURNQED_SCRIPTS"/plot_data.py --report {input.report:q} --figures {params.folder:q}'
        " --threads {threads} --table {output.table:q} > {log:q} 2>&1"


rule validate_tactics:
    input:
        pairs=f"{R}/data/tactic_pairs/train.jsonl",
        theorems=[f"{R}/data/theorems.json", f"{R}/data/pool.json"],
    output:
        replay=f"{R}/data/replay.json",
    log:
        f"{R}/logs/validate_tactics.log",
    benchmark:
        f"{R}/benchmarks/validate_tactics.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 4
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(64000),
        runtime=grows(240),
    params:
        prover=flags("prover", cfg.prover),
        sample=cfg.data.replay_theorems,
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/validate_tactics.py {params.prover} --pairs {input.pairs:q}'
        " --theorems {input.theorems:q} --sample {params.sample} --seed {params.seed} --threads {threads}"
        " --output {output.replay:q} > {log:q} 2>&1"
