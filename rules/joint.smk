"""Joint training of adapter and energy head (training.mode joint), and the attribution of what it brings."""


rule train_joint:
    input:
        unpack(sft_inputs),
        base=f"{R}/base/model",
        pairs=f"{R}/data/tactic_pairs/train.jsonl",
        val=f"{R}/data/tactic_pairs/val.jsonl",
        previous=previous_head,
    output:
        adapter=directory(f"{R}/iter_{{i}}/adapter"),
        head=directory(f"{R}/iter_{{i}}/joint"),
    log:
        f"{R}/logs/train_joint/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/train_joint/iter_{{i}}.tsv"
    wildcard_constraints:
        i=iterations_with("joint"),
    conda:
        "../envs/gpu.yaml"
    threads: 8
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(64000),
        runtime=grows(1440),
    params:
        joint=joint_flags(cfg.joint.weight),
        previous=option("previous"),
        model=flags("model", cfg.model),
        quantization=cfg.machine.quantization,
        adapter=option("adapter"),
        trajectories=option("trajectories"),
        proofs=option("proofs"),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/train_joint.py {params.joint} {params.model}'
        " --quantization {params.quantization} --iteration {wildcards.i} --base {input.base:q} {params.adapter}"
        " {params.previous} --pairs {input.pairs:q} --val {input.val:q} {params.trajectories} {params.proofs}"
        " --seed {params.seed} --threads {threads} $BURNQED_MACHINE --gpus {resources.gpu}"
        " --gpu-model={resources.gpu_model:q} --output {output.adapter:q} --head {output.head:q} > {log:q} 2>&1"


# The head was trained with the adapter; here it is tied to the merged model's embeddings and measured on them.
rule measure_joint_head:
    input:
        head=f"{R}/iter_{{i}}/joint",
        embeddings=f"{R}/iter_{{i}}/embeddings.parquet",
        trajectories=lambda wildcards: before(wildcards.i, "trajectories.parquet"),
        proofs=lambda wildcards: before(wildcards.i, "proofs.jsonl"),
    output:
        ebm=directory(f"{R}/iter_{{i}}/ebm"),
    log:
        f"{R}/logs/measure_joint_head/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/measure_joint_head/iter_{{i}}.tsv"
    wildcard_constraints:
        i=iterations_with("joint"),
    conda:
        "../envs/gpu.yaml"
    threads: 4
    resources:
        gpu=GPU,
        gpu_model=GPU_MODEL,
        mem_mb=grows(32000),
        runtime=grows(60),
    params:
        ebm=flags("ebm", cfg.ebm),
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/measure_joint_head.py {params.ebm} --head {input.head:q}'
        " --embeddings {input.embeddings:q} --trajectories {input.trajectories:q} --proofs {input.proofs:q}"
        " --seed {params.seed} --threads {threads} $BURNQED_MACHINE --gpus {resources.gpu}"
        " --gpu-model={resources.gpu_model:q} --output {output.ebm:q} > {log:q} 2>&1"


# What joint training brings, and by which half: iteration 1 trained in several ways with the same data, seeds and steps.
# Arms: sft, joint, and control (joint with weight 0, which must be sft again). Configurations: A = sft and a head
# trained on its embeddings, B = joint and a head trained in the same way on its embeddings, C = joint and its own head.
J = f"{R}/joint_attribution"
ARM = f"{J}/seed_{{seed}}/iter_{{i}}/{{arm}}"


use rule train_sft as attribution_sft with:
    input:
        unpack(attribution_inputs),
    output:
        adapter=directory(f"{J}/seed_{{seed}}/iter_{{i}}/sft/adapter"),
    log:
        f"{R}/logs/joint_attribution/sft_{{seed}}_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/sft_{{seed}}_{{i}}.tsv"
    wildcard_constraints:
        i=r"\d+",
    params:
        sft=lambda wildcards: flags("sft", joint_sft(cfg.sft, cfg.joint, int(wildcards.i))),
        model=flags("model", cfg.model),
        quantization=cfg.machine.quantization,
        adapter=option("adapter"),
        trajectories=option("trajectories"),
        proofs=option("proofs"),
        seed="{seed}",


use rule train_joint as attribution_joint with:
    input:
        unpack(attribution_inputs),
    output:
        adapter=directory(f"{ARM}/adapter"),
        head=directory(f"{ARM}/joint"),
    log:
        f"{R}/logs/joint_attribution/{{arm}}_{{seed}}_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/{{arm}}_{{seed}}_{{i}}.tsv"
    wildcard_constraints:
        i=r"\d+",
        arm="joint|control",
    params:
        joint=lambda wildcards: joint_flags(0 if wildcards.arm == "control" else cfg.joint.weight),
        previous="",
        model=flags("model", cfg.model),
        quantization=cfg.machine.quantization,
        adapter=option("adapter"),
        trajectories=option("trajectories"),
        proofs=option("proofs"),
        seed="{seed}",


use rule merge_adapter as attribution_merge with:
    input:
        base=f"{R}/base/model",
        adapter=f"{ARM}/adapter",
    output:
        model=directory(f"{ARM}/model"),
    log:
        f"{R}/logs/joint_attribution/merge_{{arm}}_{{seed}}_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/merge_{{arm}}_{{seed}}_{{i}}.tsv"


use rule encode_states as attribution_encode with:
    input:
        trajectories=lambda wildcards: before(wildcards.i, "trajectories.parquet"),
        model=f"{ARM}/model",
    output:
        embeddings=f"{ARM}/embeddings.parquet",
    log:
        f"{R}/logs/joint_attribution/encode_{{arm}}_{{seed}}_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/encode_{{arm}}_{{seed}}_{{i}}.tsv"


use rule train_energy_head as attribution_head with:
    input:
        embeddings=f"{ARM}/embeddings.parquet",
        trajectories=lambda wildcards: before(wildcards.i, "trajectories.parquet"),
        proofs=lambda wildcards: before(wildcards.i, "proofs.jsonl"),
        previous=[],
    output:
        ebm=directory(f"{ARM}/ebm"),
    log:
        f"{R}/logs/joint_attribution/head_{{arm}}_{{seed}}_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/head_{{arm}}_{{seed}}_{{i}}.tsv"
    wildcard_constraints:
        i=r"\d+",
    params:
        ebm=flags("ebm", cfg.ebm),
        previous="",
        seed="{seed}",


use rule measure_joint_head as attribution_own_head with:
    input:
        head=f"{ARM}/joint",
        embeddings=f"{ARM}/embeddings.parquet",
        trajectories=lambda wildcards: before(wildcards.i, "trajectories.parquet"),
        proofs=lambda wildcards: before(wildcards.i, "proofs.jsonl"),
    output:
        ebm=directory(f"{ARM}/own_ebm"),
    log:
        f"{R}/logs/joint_attribution/own_head_{{arm}}_{{seed}}_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/own_head_{{arm}}_{{seed}}_{{i}}.tsv"
    wildcard_constraints:
        i=r"\d+",
    params:
        ebm=flags("ebm", cfg.ebm),
        seed="{seed}",


use rule evaluate as attribution_search with:
    input:
        settings=f"{R}/data/evaluation.txt",
        benchmark=f"{R}/data/benchmarks/{cfg.evaluation.benchmark}.json",
        model=lambda wildcards: f"{J}/seed_{wildcards.seed}/{wildcards.run}/{attribution_arm(wildcards.way)}/model",
        ebm=attribution_ebm,
    output:
        result=f"{J}/seed_{{seed}}/{{run}}/{{variant}}/{{way}}.json",
        steps=f"{J}/seed_{{seed}}/{{run}}/{{variant}}/{{way}}.parquet",
    log:
        f"{R}/logs/joint_attribution/search_{{seed}}_{{run}}_{{variant}}_{{way}}.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/search_{{seed}}_{{run}}_{{variant}}_{{way}}.tsv"
    wildcard_constraints:
        way="sft|joint|A|B|C",
    params:
        evaluation=flags("evaluation", cfg.evaluation),
        search=flags("search", sampling_as_with_head()),
        policy=flags("policy", cfg.policy),
        encoder=lambda wildcards, input: flags("encoder", cfg.encoder) if input.ebm else "",
        prover=flags("prover", cfg.prover),
        verify=flags("verify", cfg.verify),
        model=flags("model", cfg.model),
        quantization=ENCODER_QUANTIZATION,
        ebm=option("ebm"),
        seed="{seed}",


rule attribute_joint:
    input:
        adapters=[f"{one}/{arm}/adapter" for one in attribution_runs() for arm in ("sft", "joint", "control")],
        heads=[f"{one}/{head}" for one in attribution_runs() for head in ("sft/ebm", "joint/ebm", "joint/own_ebm")],
        evals=[f"{one}/{way}.json" for one in attribution_runs() for way in ATTRIBUTION_SEARCHES],
    output:
        table=f"{J}/table.md",
        rows=f"{J}/table.csv",
        result=f"{J}/attribution.json",
    log:
        f"{R}/logs/joint_attribution/attribute_joint.log",
    benchmark:
        f"{R}/benchmarks/joint_attribution/attribute_joint.tsv"
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
        runs=shlex.join(attribution_runs()),
    shell:
        'exec python "$BURNQED_SCRIPTS"/attribute_joint.py {params.evaluation} --runs {params.runs}'
        " --threads {threads} --output {output.table:q} > {log:q} 2>&1"


# What a change to training is held against: the iteration's data, embedding space, head and search on one page.
rule write_baseline_report:
    input:
        data=f"{R}/data/report.json",
        ebm=f"{R}/iter_{{i}}/ebm",
        trajectories=f"{R}/iter_{{i}}/trajectories.parquet",
        proofs=f"{R}/iter_{{i}}/proofs.jsonl",
        evals=lambda wildcards: [f"{R}/baseline/eval/llm.json"]
        + [f"{R}/iter_{wildcards.i}/eval/{variant}.json" for variant in variants(wildcards.i)],
    output:
        markdown=f"{R}/iter_{{i}}/baseline.md",
        page=f"{R}/iter_{{i}}/baseline.html",
    log:
        f"{R}/logs/write_baseline_report/iter_{{i}}.log",
    benchmark:
        f"{R}/benchmarks/write_baseline_report/iter_{{i}}.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(8000),
        runtime=grows(20),
    shell:
        'exec python "$BURNQED_SCRIPTS"/write_baseline_report.py --iteration {wildcards.i} --data {input.data:q}'
        " --ebm {input.ebm:q} --trajectories {input.trajectories:q} --proofs {input.proofs:q} --evals {input.evals:q}"
        " --threads {threads} --output {output.markdown:q} --page {output.page:q} > {log:q} 2>&1"
