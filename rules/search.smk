"""Search over the training theorems, and the re-check of what it proved."""


rule select_theorems:
    input:
        unpack(inputs("select_theorems")),
    output:
        theorems=P.round,
    log:
        f"{R}/logs/select_theorems/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/select_theorems/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("select_theorems"),
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(8000),
        runtime=grows(30),
    params:
        places=of_run("cfg.search.max_theorems"),
        fresh=of_run("cfg.search.fresh_share"),
        paired=of_run("cfg.search.paired_theorems"),
        given=given("trajectories", "proofs"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/select_theorems.py \
            --search.max_theorems {params.places} \
            --search.fresh_share {params.fresh} \
            --search.paired_theorems {params.paired} \
            --theorems {input.theorems:q} \
            --pairs {input.pairs:q} \
            {params.given} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.theorems:q} \
            >{log:q} 2>&1
        """


rule search_shard:
    input:
        unpack(inputs("search_shard")),
    output:
        steps=P.steps,
    log:
        f"{R}/logs/search_shard/{{run}}/{{kind}}_{{shard}}.log",
    benchmark:
        f"{R}/benchmarks/search_shard/{{run}}/{{kind}}_{{shard}}.tsv"
    wildcard_constraints:
        run=plan.pattern("search_shard"),
    conda:
        "../envs/gpu.yaml"
    threads: cfg.prover.workers
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(128000),
        runtime=grows(1440),
    params:
        settings=settings("search", "policy", "prover", "model", encoder_of="search_shard"),
        quantization=ENCODER_QUANTIZATION,
        given=given("ebm", "paths"),
        iteration=of_run("iteration"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/search_shard.py \
            {params.settings} \
            --quantization {params.quantization} \
            --model-dir {input.model:q} \
            {params.given} \
            --theorems {input.theorems:q} \
            --iteration {params.iteration} \
            --kind {wildcards.kind} \
            --shard {wildcards.shard} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.steps:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule merge_trajectories:
    input:
        unpack(inputs("merge_trajectories")),
    output:
        trajectories=P.trajectories,
    log:
        f"{R}/logs/merge_trajectories/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/merge_trajectories/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("merge_trajectories"),
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(16000),
        runtime=grows(60),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/merge_trajectories.py \
            --shards {input.shards:q} \
            --threads {threads} \
            --output {output.trajectories:q} \
            >{log:q} 2>&1
        """


rule verify_proofs:
    input:
        unpack(inputs("verify_proofs")),
    output:
        proofs=P.proofs,
        lean=P.proofs_lean,
    log:
        f"{R}/logs/verify_proofs/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/verify_proofs/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("verify_proofs"),
    conda:
        "../envs/cpu.yaml"
    threads: cfg.prover.workers
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(64000),
        runtime=grows(480),
    params:
        settings=settings("verify", "prover"),
        iteration=of_run("iteration"),
        seed=of_run("cfg.seed"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/verify_proofs.py \
            {params.settings} \
            --theorems {input.theorems:q} \
            --trajectories {input.trajectories:q} \
            --iteration {params.iteration} \
            --machine "$BURNQED_MACHINE" \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.proofs:q} \
            --lean {output.lean:q} \
            >{log:q} 2>&1
        """
