"""Evaluation on held-out benchmarks, and the gates."""


# Training waits for the gate of the iteration before by an `ancient` input, so that a new evaluation does not make
# models stale. Snakemake does not look at the params of jobs below such an input when the job above it runs again
# (https://github.com/snakemake/snakemake/issues/4166); this file and the chain of gates give those jobs a plain input.
rule note_evaluation_settings:
    output:
        settings=P.evaluation_settings,
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
        evaluation=" ".join(flags("evaluation", cfg.evaluation)),
    shell:
        "echo {params.evaluation:q} > {output.settings:q} 2> {log:q}"


rule evaluate:
    input:
        unpack(inputs("evaluate")),
    output:
        result=P.eval,
        steps=P.eval_steps,
    log:
        f"{R}/logs/evaluate/{{run}}_{{evaluation}}.log",
    benchmark:
        f"{R}/benchmarks/evaluate/{{run}}_{{evaluation}}.tsv"
    wildcard_constraints:
        run=plan.pattern("evaluate"),
        evaluation=plan.pattern("evaluate", "evaluation"),
    conda:
        "../envs/gpu.yaml"
    threads: cfg.prover.workers
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(128000),
        runtime=grows(1440),
    params:
        settings=settings("evaluation", "search", "policy", "prover", "verify", "model", encoder_of="evaluate"),
        quantization=ENCODER_QUANTIZATION,
        given=given("ebm", "shuffled", "recorded"),
        label=lambda wildcards: plan.runs[wildcards.run].label or wildcards.run,
        variant=of_evaluation("variant"),
        seed=of_evaluation("seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/evaluate.py \
            {params.settings} \
            --quantization {params.quantization} \
            --model-dir {input.model:q} \
            {params.given} \
            --benchmark {input.benchmark:q} \
            --label {params.label} \
            --variant {params.variant} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.result:q} \
            --trajectories {output.steps:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule check_gate:
    input:
        unpack(inputs("check_gate")),
    output:
        gate=P.gate,
    log:
        f"{R}/logs/check_gate/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/check_gate/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("check_gate"),
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(2000),
        runtime=grows(10),
    params:
        settings=settings("gates"),
        given=given("ebm"),
        iteration=of_run("iteration"),
        start=lambda wildcards: "--start-only" if plan.runs[wildcards.run].is_start else "",
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/check_gate.py \
            {params.settings} \
            {params.start} \
            --iteration {params.iteration} \
            --evals {input.evals:q} \
            {params.given} \
            --threads {threads} \
            --output {output.gate:q} \
            >{log:q} 2>&1
        """
