"""Embeddings of proof states and the energy head."""


rule encode_states:
    input:
        unpack(inputs("encode_states")),
    output:
        embeddings=P.embeddings,
    log:
        f"{R}/logs/encode_states/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/encode_states/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("encode_states"),
    conda:
        "../envs/gpu.yaml"
    threads: 8
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(360),
    params:
        settings=settings("encoder"),
        states=of_run("cfg.ebm.states_needed"),
        quantization=ENCODER_QUANTIZATION,
        given=given("pairs", "trajectories"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/encode_states.py \
            {params.settings} \
            --states {params.states} \
            --quantization {params.quantization} \
            --model-dir {input.model:q} \
            {params.given} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.embeddings:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule train_energy_head:
    input:
        unpack(inputs("train_energy_head")),
    output:
        ebm=directory(P.head),
    log:
        f"{R}/logs/train_energy_head/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/train_energy_head/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("train_energy_head"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(32000),
        runtime=grows(240),
    params:
        settings=settings("ebm"),
        given=given("previous"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/train_energy_head.py \
            {params.settings} \
            --embeddings {input.embeddings:q} \
            --trajectories {input.trajectories:q} \
            --proofs {input.proofs:q} \
            {params.given} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.ebm:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


# The head was trained with the adapter; here it is tied to the merged model's embeddings and measured on them.
rule measure_joint_head:
    input:
        unpack(inputs("measure_joint_head")),
    output:
        ebm=directory(P.head),
    log:
        f"{R}/logs/measure_joint_head/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/measure_joint_head/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("measure_joint_head"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(32000),
        runtime=grows(60),
    params:
        settings=settings("ebm"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/measure_joint_head.py \
            {params.settings} \
            --head {input.head:q} \
            --embeddings {input.embeddings:q} \
            --trajectories {input.trajectories:q} \
            --proofs {input.proofs:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.ebm:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """
