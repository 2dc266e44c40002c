"""Theorems, benchmarks and tactic pairs."""


rule build_corpus:
    output:
        corpus=P.corpus,
    log:
        f"{R}/logs/build_corpus.log",
    benchmark:
        f"{R}/benchmarks/build_corpus.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 2
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(30),
    params:
        settings=settings("data", "prover", "verify"),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/build_corpus.py \
            {params.settings} \
            --machine "$BURNQED_MACHINE" \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.corpus:q} \
            >{log:q} 2>&1
        """


rule build_theorem_index:
    input:
        unpack(inputs("build_theorem_index")),
    output:
        theorems=P.theorems,
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
        settings=settings("data"),
        given=given("corpus"),
        sources=sources_option(cfg.data.theorem_files),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/build_theorem_index.py \
            {params.settings} \
            {params.sources} \
            {params.given} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.theorems:q} \
            >{log:q} 2>&1
        """


rule build_benchmark:
    input:
        unpack(inputs("build_benchmark")),
    output:
        benchmark=P.benchmark,
    log:
        f"{R}/logs/build_benchmark/{{benchmark}}.log",
    benchmark:
        f"{R}/benchmarks/build_benchmark/{{benchmark}}.tsv"
    wildcard_constraints:
        benchmark=plan.pattern("build_benchmark", "benchmark"),
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(30),
    params:
        settings=lambda wildcards: lines_of(flags("benchmark", cfg.benchmarks[wildcards.benchmark])),
        given=given("corpus"),
        sources=lambda wildcards: sources_option([cfg.benchmarks[wildcards.benchmark].source]),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/build_benchmark.py \
            {params.settings} \
            --name {wildcards.benchmark} \
            {params.sources} \
            {params.given} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.benchmark:q} \
            >{log:q} 2>&1
        """


rule build_tactic_pairs:
    input:
        unpack(inputs("build_tactic_pairs")),
    output:
        train=P.pairs,
        val=P.val_pairs,
        report=P.data_report,
        pool=P.pool,
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
        settings=settings("data"),
        given=given("corpus", "extracted"),
        sources=sources_option(cfg.data.pair_files),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/build_tactic_pairs.py \
            {params.settings} \
            {params.sources} \
            {params.given} \
            --theorems {input.theorems:q} \
            --benchmarks {input.benchmarks:q} \
            --train {output.train:q} \
            --val {output.val:q} \
            --report {output.report:q} \
            --pool {output.pool:q} \
            --seed {params.seed} \
            --threads {threads} \
            >{log:q} 2>&1
        """


rule extract_pairs:
    output:
        pairs=P.extracted,
        failures=P.failures,
    log:
        f"{R}/logs/extract_pairs/{{source}}.log",
    benchmark:
        f"{R}/benchmarks/extract_pairs/{{source}}.tsv"
    wildcard_constraints:
        source=plan.pattern("extract_pairs", "source"),
    conda:
        "../envs/cpu.yaml"
    threads: 16
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(64000),
        runtime=grows(1440),
    params:
        settings=settings("data", "prover"),
        sources=lambda wildcards: sources_option([wildcards.source]),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/extract_pairs.py \
            {params.settings} \
            {params.sources} \
            --source {wildcards.source} \
            --machine "$BURNQED_MACHINE" \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.pairs:q} \
            --failures {output.failures:q} \
            >{log:q} 2>&1
        """


rule plot_data:
    input:
        unpack(inputs("plot_data")),
    output:
        figures=[
            report(
                P("figure", figure=name),
                caption="captions/data.rst",
                category="Data",
                labels={"figure": name.removeprefix("data_").replace("_", " ")},
            )
            for name in plan.data_figures
        ],
        beside=[P(kind, figure=name) for name in plan.data_figures for kind in ("figure_png", "figure_csv")],
        table=P("table", table="data"),
        csv=P("table_csv", table="data"),
        page=report(
            P("table_html", table="data"), caption="captions/data.rst", category="Tables", labels={"table": "data"}
        ),
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
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/plot_data.py \
            --report {input.report:q} \
            --figures {params.folder:q} \
            --threads {threads} \
            --table {output.table:q} \
            >{log:q} 2>&1
        """


rule validate_tactics:
    input:
        unpack(inputs("validate_tactics")),
    output:
        replay=P.replay,
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
        settings=settings("prover"),
        sample=cfg.data.replay_theorems,
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/validate_tactics.py \
            {params.settings} \
            --pairs {input.pairs:q} \
            --theorems {input.theorems:q} \
            --sample {params.sample} \
            --machine "$BURNQED_MACHINE" \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.replay:q} \
            >{log:q} 2>&1
        """
