"""What the experiments beside the loop compare; their arms are runs, made by the rules of the loop."""


rule ablate_value:
    input:
        unpack(inputs("ablate_value")),
    output:
        table=f"{R}/ablation_value/table.md",
        rows=f"{R}/ablation_value/table.csv",
        figure=f"{R}/ablation_value/figure.svg",
        png=f"{R}/ablation_value/figure.png",
        csv=f"{R}/ablation_value/figure.csv",
    log:
        f"{R}/logs/ablate_value.log",
    benchmark:
        f"{R}/benchmarks/ablate_value.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(20),
    params:
        settings=settings("evaluation"),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/ablate_value.py \
            {params.settings} \
            --evals {input.evals:q} \
            --heads {input.heads:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.table:q} \
            --figure {output.figure:q} \
            >{log:q} 2>&1
        """


rule compare_rounds:
    input:
        unpack(inputs("compare_rounds")),
    output:
        table=f"{R}/expert_iteration/table.md",
        rows=f"{R}/expert_iteration/table.csv",
        figure=f"{R}/expert_iteration/figure.svg",
        png=f"{R}/expert_iteration/figure.png",
        csv=f"{R}/expert_iteration/figure.csv",
    log:
        f"{R}/logs/compare_rounds.log",
    benchmark:
        f"{R}/benchmarks/compare_rounds.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(20),
    params:
        settings=settings("evaluation"),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/compare_rounds.py \
            {params.settings} \
            --evals {input.evals:q} \
            --proofs {input.proofs:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.table:q} \
            --figure {output.figure:q} \
            >{log:q} 2>&1
        """


rule attribute_joint:
    input:
        unpack(inputs("attribute_joint")),
    output:
        table=f"{R}/joint_attribution/table.md",
        rows=f"{R}/joint_attribution/table.csv",
        result=f"{R}/joint_attribution/attribution.json",
    log:
        f"{R}/logs/attribute_joint.log",
    benchmark:
        f"{R}/benchmarks/attribute_joint.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(20),
    params:
        settings=settings("evaluation"),
        runs=[f"{R}/joint_attribution/seed_{seed}" for seed in cfg.joint.attribution_seeds],
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/attribute_joint.py \
            {params.settings} \
            --runs {params.runs:q} \
            --threads {threads} \
            --output {output.table:q} \
            >{log:q} 2>&1
        """


rule write_baseline_report:
    input:
        unpack(inputs("write_baseline_report")),
    output:
        markdown=f"{R}/{{run}}/baseline.md",
        page=f"{R}/{{run}}/baseline.html",
    log:
        f"{R}/logs/write_baseline_report/{{run}}.log",
    benchmark:
        f"{R}/benchmarks/write_baseline_report/{{run}}.tsv"
    wildcard_constraints:
        run=plan.pattern("write_baseline_report"),
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(8000),
        runtime=grows(20),
    params:
        iteration=of_run("iteration"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/write_baseline_report.py \
            --iteration {params.iteration} \
            --data {input.data:q} \
            --ebm {input.ebm:q} \
            --trajectories {input.trajectories:q} \
            --proofs {input.proofs:q} \
            --evals {input.evals:q} \
            --threads {threads} \
            --output {output.markdown:q} \
            --page {output.page:q} \
            >{log:q} 2>&1
        """


rule read_states:
    input:
        unpack(inputs("read_states")),
    output:
        vectors=f"{R}/value_lab/readings/{{trees}}/{{reader}}.parquet",
    log:
        f"{R}/logs/read_states/{{trees}}/{{reader}}.log",
    benchmark:
        f"{R}/benchmarks/read_states/{{trees}}/{{reader}}.tsv"
    wildcard_constraints:
        trees=plan.pattern("read_states", "trees"),
        reader=plan.pattern("read_states", "reader"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(240),
    params:
        settings=settings("encoder", "model"),
        quantization=ENCODER_QUANTIZATION,
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/read_states.py \
            {params.settings} \
            --quantization {params.quantization} \
            --model-dir {input.model:q} \
            --reader {wildcards.reader} \
            --trajectories {input.trajectories:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.vectors:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule train_value:
    input:
        unpack(inputs("train_value")),
    output:
        value=directory(f"{R}/value_lab/values/{{arm}}/seed_{{seed}}"),
    log:
        f"{R}/logs/train_value/{{arm}}/seed_{{seed}}.log",
    benchmark:
        f"{R}/benchmarks/train_value/{{arm}}/seed_{{seed}}.tsv"
    wildcard_constraints:
        arm=plan.pattern("train_value", "arm"),
        seed=plan.pattern("train_value", "seed"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(360),
    params:
        settings=settings("value", "ebm", "encoder", "search", "evaluation", "model"),
        arm=arm_options,
        given=given("vectors"),
        quantization=ENCODER_QUANTIZATION,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/train_value.py \
            {params.settings} \
            {params.arm} \
            --quantization {params.quantization} \
            --model-dir {input.model:q} \
            --trajectories {input.trajectories:q} \
            --proofs {input.proofs:q} \
            {params.given} \
            --seed {wildcards.seed} \
            --threads {threads} \
            --output {output.value:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule replay_value:
    input:
        unpack(inputs("replay_value")),
    output:
        replays=f"{R}/value_lab/replays/{{arm}}/seed_{{seed}}.json",
    log:
        f"{R}/logs/replay_value/{{arm}}/seed_{{seed}}.log",
    benchmark:
        f"{R}/benchmarks/replay_value/{{arm}}/seed_{{seed}}.tsv"
    wildcard_constraints:
        arm=plan.pattern("train_value", "arm"),
        seed=plan.pattern("train_value", "seed"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(360),
    params:
        settings=settings("search", "policy", "encoder", "evaluation", "model"),
        quantization=ENCODER_QUANTIZATION,
        seeds=cfg.value_lab.sampling_seeds,
        given=given("vectors"),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/replay_orders.py \
            {params.settings} \
            --quantization {params.quantization} \
            --model-dir {input.model:q} \
            --value {input.value:q} \
            --arm {wildcards.arm} \
            --orders energy weighted hybrid tuned permuted \
            --trajectories {input.trajectories:q} \
            --proofs {input.proofs:q} \
            --sampling-seeds {params.seeds} \
            {params.given} \
            --seed {wildcards.seed} \
            --threads {threads} \
            --output {output.replays:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule replay_policy:
    input:
        unpack(inputs("replay_policy")),
    output:
        replays=f"{R}/value_lab/replays/policy.json",
    log:
        f"{R}/logs/replay_policy.log",
    benchmark:
        f"{R}/benchmarks/replay_policy.tsv"
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(360),
    params:
        settings=settings("search", "policy", "encoder", "evaluation", "model"),
        quantization=ENCODER_QUANTIZATION,
        seeds=cfg.value_lab.sampling_seeds,
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/replay_orders.py \
            {params.settings} \
            --quantization {params.quantization} \
            --model-dir {input.model:q} \
            --trajectories {input.trajectories:q} \
            --proofs {input.proofs:q} \
            --sampling-seeds {params.seeds} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.replays:q} \
            --machine "$BURNQED_MACHINE" --gpus {resources.gpu} --gpu-model={resources.gpu_model:q} \
            >{log:q} 2>&1
        """


rule check_orders:
    input:
        unpack(inputs("check_orders")),
    output:
        refused=f"{R}/value_lab/refused.json",
    log:
        f"{R}/logs/check_orders.log",
    benchmark:
        f"{R}/benchmarks/check_orders.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 8
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(64000),
        runtime=grows(240),
    params:
        settings=settings("prover", "verify"),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/check_orders.py \
            {params.settings} \
            --benchmark {input.benchmark:q} \
            --replays {input.replays:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.refused:q} \
            --machine "$BURNQED_MACHINE" \
            >{log:q} 2>&1
        """


rule compare_values:
    input:
        unpack(inputs("compare_values")),
    output:
        table=f"{R}/value_lab/table.md",
        rows=f"{R}/value_lab/table.csv",
        figure=f"{R}/value_lab/figure.svg",
        png=f"{R}/value_lab/figure.png",
        csv=f"{R}/value_lab/figure.csv",
    log:
        f"{R}/logs/compare_values.log",
    benchmark:
        f"{R}/benchmarks/compare_values.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(8000),
        runtime=grows(60),
    params:
        settings=settings("value_lab", "evaluation"),
        seed=cfg.seed,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/compare_values.py \
            {params.settings} \
            --replays {input.replays:q} \
            --refused {input.refused:q} \
            --trajectories {input.trajectories:q} \
            --proofs {input.proofs:q} \
            --larger {input.larger:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.table:q} \
            --figure {output.figure:q} \
            >{log:q} 2>&1
        """
