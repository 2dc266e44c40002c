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
        quantization=cfg.machine.quantization,
        pairs=option("pairs"),
        trajectories=option("trajectories"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/encode_states.py {params.encoder} --quantization {params.quantization}'
        " --model-dir {input.model:q} {params.pairs} {params.trajectories} --seed {params.seed} --threads {threads}"
        " $BURNQED_MACHINE --output {output.embeddings:q} > {log:q} 2>&1"


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
        " --seed {params.seed} --threads {threads} $BURNQED_MACHINE --output {output.ebm:q} > {log:q} 2>&1"
