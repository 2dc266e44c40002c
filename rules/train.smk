"""The base model, supervised fine-tuning with (Q)LoRA, and merging."""

if cfg.model.kind == "scratch":

    rule train_base_model:
        input:
            pairs=f"{R}/data/tactic_pairs/train.jsonl",
        output:
            model=directory(f"{R}/base/model"),
        log:
            f"{R}/logs/train_base_model.log",
        benchmark:
            f"{R}/benchmarks/train_base_model.tsv"
        conda:
            "../envs/gpu.yaml"
        threads: 2
        resources:
            gpu=GPU,
            gpu_model=GPU_MODEL,
            mem_mb=grows(8000),
            runtime=grows(60),
        params:
            scratch=flags("scratch", cfg.scratch),
            model=flags("model", cfg.model),
            seed=cfg.seed,
        shell:
            'exec python "$BURNQED_SCRIPTS"/train_base_model.py {params.scratch} {params.model} --pairs {input.pairs:q}'
            " --seed {params.seed} --threads {threads}"
            " $BURNQED_MACHINE --gpus {resources.gpu} --gpu-model={resources.gpu_model:q}"
            " --output {output.model:q} > {log:q} 2>&1"

else:

    rule fetch_base_model:
        output:
            model=directory(f"{R}/base/model"),
        log:
            f"{R}/logs/fetch_base_model.log",
        benchmark:
            f"{R}/benchmarks/fetch_base_model.tsv"
        conda:
            "../envs/cpu.yaml"
        threads: 1
        resources:
            gpu=0,
            gpu_model="",
            mem_mb=grows(4000),
            runtime=grows(240),
        params:
            model=flags("model", cfg.model),
        shell:
            'exec python "$BURNQED_SCRIPTS"/fetch_base_model.py {params.model} --threads {threads}'
            " --output {output.model:q} > {log:q} 2>&1"


rule train_sft:
    input:
        unpack(sft_inputs),
        base=f"{R}/base/model",
        pairs=f"{R}/data/tactic_pairs/train.jsonl",
        val=f"{R}/data/tactic_pairs/val.jsonl",
    output:
        adapter=directory(f"{R}/iter_{{i}}/adapter"),
    log:
        f"{R}/logs/train_sft/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/train_sft/iter_{{i}}.tsv"
    wildcard_constraints:
        i=iterations_with("sft"),
    conda:
        "../envs/gpu.yaml"
    threads: 8
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(1440),
    params:
        sft=flags("sft", cfg.sft),
        model=flags("model", cfg.model),
        quantization=cfg.machine.quantization,
        adapter=option("adapter"),
        trajectories=option("trajectories"),
        proofs=option("proofs"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/train_sft.py {params.sft} {params.model} --quantization {params.quantization}'
        " --iteration {wildcards.i} --base {input.base:q} {params.adapter} --pairs {input.pairs:q} --val {input.val:q}"
        " {params.trajectories} {params.proofs} --seed {params.seed} --threads {threads}"
        " $BURNQED_MACHINE --gpus {resources.gpu} --gpu-model={resources.gpu_model:q}"
        " --output {output.adapter:q} > {log:q} 2>&1"


rule merge_adapter:
    input:
        base=f"{R}/base/model",
        adapter=f"{R}/iter_{{i}}/adapter",
    output:
        model=directory(f"{R}/iter_{{i}}/model"),
    log:
        f"{R}/logs/merge_adapter/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/merge_adapter/iter_{{i}}.tsv"
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(24000),
        runtime=grows(60),
    shell:
        'exec python "$BURNQED_SCRIPTS"/merge_adapter.py --base {input.base:q} --adapter {input.adapter:q}'
        " --threads {threads} --device cpu --output {output.model:q} > {log:q} 2>&1"
