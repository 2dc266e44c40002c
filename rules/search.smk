"""Search over the training theorems, and the re-check of what it proved."""


rule search_shard:
    input:
        theorems=f"{R}/data/theorems.json",
        model=f"{R}/iter_{{i}}/model",
        ebm=head_input,
        # Kind negatives goes along the proofs that the main search of the same shard has found.
        paths=lambda wildcards: (
            [f"{R}/iter_{wildcards.i}/search/main/{wildcards.shard}.parquet"] if wildcards.kind == "negatives" else []
        ),
    output:
        steps=f"{R}/iter_{{i}}/search/{{kind}}/{{shard}}.parquet",
    log:
        f"{R}/logs/search_shard/iter_{{i}}/{{kind}}_{{shard}}.log",
    benchmark:
        f"{R}/benchmarks/search_shard/iter_{{i}}/{{kind}}_{{shard}}.tsv"
    conda:
        "../envs/gpu.yaml"
    threads: 16
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(128000),
        runtime=grows(1440),
    params:
        search=flags("search", cfg.search),
        policy=flags("policy", cfg.policy),
        encoder=lambda wildcards, input: flags("encoder", cfg.encoder) if input.ebm else "",
        prover=flags("prover", cfg.prover),
        model=flags("model", cfg.model),
        quantization=ENCODER_QUANTIZATION,
        ebm=option("ebm"),
        paths=option("paths"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/search_shard.py {params.search} {params.policy} {params.encoder} {params.prover}'
        " {params.model} --quantization {params.quantization} --model-dir {input.model:q} {params.ebm}"
        " --theorems {input.theorems:q} --iteration {wildcards.i} --kind {wildcards.kind} {params.paths}"
        " --shard {wildcards.shard}"
        " --seed {params.seed} --threads {threads}"
        " $BURNQED_MACHINE --gpus {resources.gpu} --gpu-model={resources.gpu_model:q}"
        " --output {output.steps:q} > {log:q} 2>&1"


rule merge_trajectories:
    input:
        shards=lambda wildcards: [
            f"{R}/iter_{wildcards.i}/search/{kind}/{shard}.parquet" for kind in kinds(wildcards.i) for shard in SHARDS
        ],
    output:
        trajectories=f"{R}/iter_{{i}}/trajectories.parquet",
    log:
        f"{R}/logs/merge_trajectories/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/merge_trajectories/iter_{{i}}.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(16000),
        runtime=grows(60),
    shell:
        'exec python "$BURNQED_SCRIPTS"/merge_trajectories.py --shards {input.shards:q} --threads {threads}'
        " --output {output.trajectories:q} > {log:q} 2>&1"


rule verify_proofs:
    input:
        theorems=f"{R}/data/theorems.json",
        trajectories=f"{R}/iter_{{i}}/trajectories.parquet",
    output:
        proofs=f"{R}/iter_{{i}}/proofs.jsonl",
        lean=f"{R}/iter_{{i}}/proofs.lean",
    log:
        f"{R}/logs/verify_proofs/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/verify_proofs/iter_{{i}}.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 16
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(64000),
        runtime=grows(480),
    params:
        verify=flags("verify", cfg.verify),
        prover=flags("prover", cfg.prover),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/verify_proofs.py {params.verify} {params.prover} --theorems {input.theorems:q}'
        " --trajectories {input.trajectories:q} --iteration {wildcards.i} --seed {params.seed} --threads {threads}"
        " --output {output.proofs:q} --lean {output.lean:q} > {log:q} 2>&1"
