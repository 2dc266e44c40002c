"""The base model, the training of each run, and merging."""

if cfg.model.kind == "scratch":

    rule train_base_model:
        input:
            unpack(inputs("train_base_model")),
        output:
            model=directory(P("model", run="base")),
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
            settings=settings("scratch", "model"),
            given=given("corpus"),
            seed=cfg.seed,
        shell:
            r"""
            exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/train_base_model.py \
                {params.settings} \
                {params.given} \
                --pairs {input.pairs:q} \
                --seed {params.seed} \
                --threads {threads} \
                --output {output.model:q} \
                --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
                >{log:q} 2>&1
            """

else:

    rule fetch_base_model:
        output:
            model=directory(P("model", run="base")),
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
            settings=settings("model"),
        shell:
            r"""
            exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/fetch_base_model.py \
                {params.settings} \
                --threads {threads} \
                --output {output.model:q} \
                >{log:q} 2>&1
            """


rule train_sft:
    input:
        unpack(inputs("train_sft")),
    output:
        adapter=directory(P.adapter),
    log:
        f"{R}/logs/train_sft/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/train_sft/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("train_sft"),
    conda:
        "../envs/gpu.yaml"
    threads: 8
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(1440),
    params:
        settings=settings("sft", "model"),
        quantization=cfg.machine.quantization,
        given=given("adapter", "trajectories", "proofs"),
        iteration=of_run("iteration"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/train_sft.py \
            {params.settings} \
            --quantization {params.quantization} \
            --iteration {params.iteration} \
            --base {input.base:q} \
            {params.given} \
            --pairs {input.pairs:q} \
            --val {input.val:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.adapter:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


# Adapter and energy head at once (training.mode joint).
rule train_joint:
    input:
        unpack(inputs("train_joint")),
    output:
        adapter=directory(P.adapter),
        head=directory(P.joint_head),
    log:
        f"{R}/logs/train_joint/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/train_joint/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("train_joint"),
    conda:
        "../envs/gpu.yaml"
    threads: 8
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(1440),
    params:
        settings=settings("joint", "sft", "ebm", "encoder", "model"),
        quantization=cfg.machine.quantization,
        given=given("adapter", "previous", "trajectories", "proofs"),
        iteration=of_run("iteration"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/train_joint.py \
            {params.settings} \
            --quantization {params.quantization} \
            --iteration {params.iteration} \
            --base {input.base:q} \
            {params.given} \
            --pairs {input.pairs:q} \
            --val {input.val:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.adapter:q} \
            --head {output.head:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule merge_adapter:
    input:
        unpack(inputs("merge_adapter")),
    output:
        model=directory(P.model),
    log:
        f"{R}/logs/merge_adapter/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/merge_adapter/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("merge_adapter"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(24000),
        runtime=grows(60),
    params:
        how=cfg.policy.adapter,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/merge_adapter.py \
            --base {input.base:q} \
            --adapter {input.adapter:q} \
            --how {params.how} \
            --threads {threads} \
            --device cpu \
            --output {output.model:q} \
            >{log:q} 2>&1
        """
