"""Embeddings of proof states and the energy head."""


rule encode_states:
    input:
        unpack(encoder_inputs),
        model=f"{R}/iter_{{i}}/model",
    output:
        embeddings=f"{R}/iter_{{i}}/embeddings.parquet",
    log:
        f"{R}/logs/encode_states/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/encode_states/iter_{{i}}.tsv"
    conda:
        "../envs/gpu.yaml"
    threads: 8
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(360),
    params:
        encoder=flags("encoder", cfg.encoder),
        quantization=ENCODER_QUANTIZATION,
        pairs=option("pairs"),
        trajectories=option("trajectories"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/encode_states.py {params.encoder} --quantization {params.quantization}'
        " --model-dir {input.model:q} {params.pairs} {params.trajectories} --seed {params.seed} --threads {threads}"
        " $BURNQED_MACHINE --gpus {resources.gpu} --gpu-model={resources.gpu_model:q}"
        " --output {output.embeddings:q} > {log:q} 2>&1"


rule train_energy_head:
    input:
        embeddings=f"{R}/iter_{{i}}/embeddings.parquet",
        trajectories=lambda wildcards: before(wildcards.i, "trajectories.parquet"),
        proofs=lambda wildcards: before(wildcards.i, "proofs.jsonl"),
        previous=previous_head,
    output:
        ebm=directory(f"{R}/iter_{{i}}/ebm"),
    log:
        f"{R}/logs/train_energy_head/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/train_energy_head/iter_{{i}}.tsv"
    wildcard_constraints:
        i=iterations_with("sft"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(32000),
        runtime=grows(240),
    params:
        ebm=flags("ebm", cfg.ebm),
        previous=option("previous"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/train_energy_head.py {params.ebm} --embeddings {input.embeddings:q}'
        " --trajectories {input.trajectories:q} --proofs {input.proofs:q} {params.previous}"
        " --seed {params.seed} --threads {threads}"
        " $BURNQED_MACHINE --gpus {resources.gpu} --gpu-model={resources.gpu_model:q}"
        " --output {output.ebm:q} > {log:q} 2>&1"


# What the head is worth in search. The model is the last iteration's; what differs between the ways is the order of
# expansion. `evaluate` is defined in evaluate.smk; the searches of the ablation are there.
use rule train_energy_head as ablation_head with:
    input:
        embeddings=f"{R}/{LAST}/embeddings.parquet",
        trajectories=before(cfg.iterations - 1, "trajectories.parquet"),
        proofs=before(cfg.iterations - 1, "proofs.jsonl"),
        previous=[],
    output:
        ebm=directory(f"{A}/seed_{{seed}}/ebm/{{head}}"),
    log:
        f"{R}/logs/ablation_value/head_{{seed}}_{{head}}.log",
    benchmark:
        f"{R}/benchmarks/ablation_value/head_{{seed}}_{{head}}.tsv"
    params:
        ebm=lambda wildcards: flags("ebm", cfg.ebm.model_copy(update={"head": wildcards.head})),
        previous="",
        seed="{seed}",


rule ablate_value:
    input:
        evals=[f"{A}/seed_{seed}/{LAST}/{way}.json" for seed in ABLATION_SEEDS for way in ablation_searches()],
        heads=[f"{A}/seed_{seed}/ebm/{head}" for seed in ABLATION_SEEDS for head in cfg.ablation.heads],
    output:
        table=f"{A}/table.md",
        rows=f"{A}/table.csv",
        figure=f"{A}/figure.svg",
        png=f"{A}/figure.png",
        csv=f"{A}/figure.csv",
    log:
        f"{R}/logs/ablation_value/ablate_value.log",
    benchmark:
        f"{R}/benchmarks/ablation_value/ablate_value.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(20),
    params:
        evaluation=flags("evaluation", cfg.evaluation),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/ablate_value.py {params.evaluation} --evals {input.evals:q}'
        " --heads {input.heads:q} --seed {params.seed} --threads {threads}"
        " --output {output.table:q} --figure {output.figure:q} > {log:q} 2>&1"
