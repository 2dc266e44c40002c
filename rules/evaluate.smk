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
        quantization=cfg.machine.quantization,
        ebm=option("ebm"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/evaluate.py {params.evaluation} {params.search} {params.policy} {params.encoder}'
        " {params.prover} {params.verify} {params.model} --quantization {params.quantization}"
        " --model-dir {input.model:q} {params.ebm} --benchmark {input.benchmark:q} --label {wildcards.run}"
        " --variant {wildcards.variant} --seed {params.seed} --threads {threads} $BURNQED_MACHINE"
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
