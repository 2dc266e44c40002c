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
        exec python "$BURNQED_SCRIPTS"/ablate_value.py \
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
        exec python "$BURNQED_SCRIPTS"/compare_rounds.py \
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
        exec python "$BURNQED_SCRIPTS"/attribute_joint.py \
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
        exec python "$BURNQED_SCRIPTS"/write_baseline_report.py \
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
