"""Evaluation on the held-out benchmark, and the gates."""


# Training waits for the gate of the iteration before by an `ancient` input, so that a new evaluation does not make
# models stale. Snakemake does not look at the params of jobs below such an input when the job above it runs again
# (https://github.com/snakemake/snakemake/issues/4166); this file and the chain of gates give those jobs a plain input.
rule note_evaluation_settings:
    output:
        settings=f"{R}/data/evaluation.txt",
    log:
        f"{R}/logs/note_evaluation_settings.log",
    benchmark:
        f"{R}/benchmarks/note_evaluation_settings.tsv"
    localrule: True
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(500),
        runtime=grows(5),
    params:
        evaluation=flags("evaluation", cfg.evaluation),
    shell:
        "echo {params.evaluation:q} > {output.settings:q} 2> {log:q}"


rule evaluate:
    input:
        settings=f"{R}/data/evaluation.txt",
        benchmark=f"{R}/data/benchmarks/{cfg.evaluation.benchmark}.json",
        model=lambda wildcards: model_of(wildcards.run),
        ebm=lambda wildcards: [f"{R}/{wildcards.run}/ebm"] if wildcards.variant == "llm_ebm" else [],
    output:
        result=f"{R}/{{run}}/eval/{{variant}}.json",
        steps=f"{R}/{{run}}/eval/{{variant}}.parquet",
    log:
        f"{R}/logs/evaluate/{{run}}_{{variant}}.log",
    benchmark:
        f"{R}/benchmarks/evaluate/{{run}}_{{variant}}.tsv"
    conda:
        "../envs/gpu.yaml"
    threads: 16
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(128000),
        runtime=grows(1440),
    params:
        evaluation=flags("evaluation", cfg.evaluation),
        search=flags("search", cfg.search),
        policy=flags("policy", cfg.policy),
        encoder=lambda wildcards, input: flags("encoder", cfg.encoder) if input.ebm else "",
        prover=flags("prover", cfg.prover),
        verify=flags("verify", cfg.verify),
        model=flags("model", cfg.model),
        quantization=ENCODER_QUANTIZATION,
        ebm=option("ebm"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/evaluate.py {params.evaluation} {params.search} {params.policy} {params.encoder}'
        " {params.prover} {params.verify} {params.model} --quantization {params.quantization}"
        " --model-dir {input.model:q} {params.ebm} --benchmark {input.benchmark:q} --label {wildcards.run}"
        " --variant {wildcards.variant} --seed {params.seed} --threads {threads}"
        " $BURNQED_MACHINE --gpus {resources.gpu} --gpu-model={resources.gpu_model:q}"
        " --output {output.result:q} --trajectories {output.steps:q} > {log:q} 2>&1"


rule check_gate:
    input:
        evals=lambda wildcards: evals_until(int(wildcards.i)),
        ebm=head_input,
        previous=lambda wildcards: before(wildcards.i, "gate.json")[-1:],
    output:
        gate=f"{R}/iter_{{i}}/gate.json",
    log:
        f"{R}/logs/check_gate/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/check_gate/iter_{{i}}.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(2000),
        runtime=grows(10),
    params:
        gates=flags("gates", cfg.gates),
        ebm=option("ebm"),
    shell:
        'exec python "$BURNQED_SCRIPTS"/check_gate.py {params.gates} --iteration {wildcards.i} --evals {input.evals:q}'
        " {params.ebm} --threads {threads} --output {output.gate:q} > {log:q} 2>&1"


# The small start, before a long run is paid for: the model of iteration 0 searches some training theorems, a head is
# trained on what it found, and the same model is judged on some benchmark theorems without and with that head.
S = f"{R}/lean_start"
START = cfg.gates.lean_start_theorems
START_SEARCH = cfg.search.model_copy(update={"shards": 1, "max_theorems": START})
START_EVALUATION = cfg.evaluation.model_copy(update={"max_theorems": START})


use rule search_shard as lean_start_search with:
    input:
        theorems=f"{R}/data/theorems.json",
        model=f"{R}/iter_{{i}}/model",
        ebm=[],
    output:
        steps=f"{S}/iter_{{i}}/search/{{kind}}/{{shard}}.parquet",
    log:
        f"{R}/logs/lean_start/iter_{{i}}/search_{{kind}}_{{shard}}.log",
    benchmark:
        f"{R}/benchmarks/lean_start/iter_{{i}}/search_{{kind}}_{{shard}}.tsv"
    params:
        search=flags("search", START_SEARCH),
        policy=flags("policy", cfg.policy),
        encoder="",
        prover=flags("prover", cfg.prover),
        model=flags("model", cfg.model),
        quantization=ENCODER_QUANTIZATION,
        ebm="",
        seed=cfg.seed,


use rule merge_trajectories as lean_start_merge with:
    input:
        shards=f"{S}/iter_{{i}}/search/main/000.parquet",
    output:
        trajectories=f"{S}/iter_{{i}}/trajectories.parquet",
    log:
        f"{R}/logs/lean_start/iter_{{i}}/merge.log",
    benchmark:
        f"{R}/benchmarks/lean_start/iter_{{i}}/merge.tsv"


use rule verify_proofs as lean_start_verify with:
    input:
        theorems=f"{R}/data/theorems.json",
        trajectories=f"{S}/iter_{{i}}/trajectories.parquet",
    output:
        proofs=f"{S}/iter_{{i}}/proofs.jsonl",
        lean=f"{S}/iter_{{i}}/proofs.lean",
    log:
        f"{R}/logs/lean_start/iter_{{i}}/verify.log",
    benchmark:
        f"{R}/benchmarks/lean_start/iter_{{i}}/verify.tsv"


use rule encode_states as lean_start_encode with:
    input:
        trajectories=f"{S}/iter_{{i}}/trajectories.parquet",
        model=f"{R}/iter_{{i}}/model",
    output:
        embeddings=f"{S}/iter_{{i}}/embeddings.parquet",
    log:
        f"{R}/logs/lean_start/iter_{{i}}/encode.log",
    benchmark:
        f"{R}/benchmarks/lean_start/iter_{{i}}/encode.tsv"


use rule train_energy_head as lean_start_head with:
    input:
        embeddings=f"{S}/iter_{{i}}/embeddings.parquet",
        trajectories=f"{S}/iter_{{i}}/trajectories.parquet",
        proofs=f"{S}/iter_{{i}}/proofs.jsonl",
        previous=[],
    output:
        ebm=directory(f"{S}/iter_{{i}}/ebm"),
    log:
        f"{R}/logs/lean_start/iter_{{i}}/head.log",
    benchmark:
        f"{R}/benchmarks/lean_start/iter_{{i}}/head.tsv"


use rule evaluate as lean_start_evaluate with:
    input:
        settings=f"{R}/data/evaluation.txt",
        benchmark=f"{R}/data/benchmarks/{cfg.evaluation.benchmark}.json",
        model=lambda wildcards: model_of(wildcards.run),
        ebm=lambda wildcards: [f"{S}/{wildcards.run}/ebm"] if wildcards.variant == "llm_ebm" else [],
    output:
        result=f"{S}/{{run}}/eval/{{variant}}.json",
        steps=f"{S}/{{run}}/eval/{{variant}}.parquet",
    log:
        f"{R}/logs/lean_start/{{run}}/evaluate_{{variant}}.log",
    benchmark:
        f"{R}/benchmarks/lean_start/{{run}}/evaluate_{{variant}}.tsv"
    params:
        evaluation=flags("evaluation", START_EVALUATION),
        search=flags("search", cfg.search),
        policy=flags("policy", cfg.policy),
        encoder=lambda wildcards, input: flags("encoder", cfg.encoder) if input.ebm else "",
        prover=flags("prover", cfg.prover),
        verify=flags("verify", cfg.verify),
        model=flags("model", cfg.model),
        quantization=ENCODER_QUANTIZATION,
        ebm=option("ebm"),
        seed=cfg.seed,


use rule check_gate as lean_start_verdict with:
    input:
        evals=[f"{S}/iter_{{i}}/eval/{variant}.json" for variant in ("llm", "llm_ebm")],
        ebm=f"{S}/iter_{{i}}/ebm",
        previous=[],
    output:
        gate=f"{S}/iter_{{i}}/gate.json",
    log:
        f"{R}/logs/lean_start/iter_{{i}}/verdict.log",
    benchmark:
        f"{R}/benchmarks/lean_start/iter_{{i}}/verdict.tsv"
    params:
        gates=flags("gates", cfg.gates) + " --start",
        ebm=option("ebm"),


# One way of the value ablation (value.smk): the last model's search in another order of expansion.
use rule evaluate as ablation_search with:
    input:
        settings=f"{R}/data/evaluation.txt",
        benchmark=f"{R}/data/benchmarks/{cfg.evaluation.benchmark}.json",
        model=f"{R}/{{run}}/model",
        ebm=ablation_head,
        shuffled=ablation_energies,
    output:
        result=f"{A}/seed_{{seed}}/{{run}}/{{variant}}/{{way}}.json",
        steps=f"{A}/seed_{{seed}}/{{run}}/{{variant}}/{{way}}.parquet",
    log:
        f"{R}/logs/ablation_value/search_{{seed}}_{{run}}_{{variant}}_{{way}}.log",
    benchmark:
        f"{R}/benchmarks/ablation_value/search_{{seed}}_{{run}}_{{variant}}_{{way}}.tsv"
    params:
        evaluation=flags("evaluation", cfg.evaluation),
        search=ablation_settings,
        policy=flags("policy", cfg.policy),
        encoder=lambda wildcards, input: flags("encoder", cfg.encoder) if input.ebm else "",
        prover=flags("prover", cfg.prover),
        verify=flags("verify", cfg.verify),
        model=flags("model", cfg.model),
        quantization=ENCODER_QUANTIZATION,
        ebm=options("ebm", "shuffled"),
        seed="{seed}",
