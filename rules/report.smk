"""Summary, figures, tables and the self-contained report."""


report: "captions/overview.rst"


rule summarize:
    input:
        evals=evals_until(cfg.iterations - 1),
        gates=[f"{R}/iter_{i}/gate.json" for i in ITERATIONS],
        proofs=[f"{R}/iter_{i}/proofs.jsonl" for i in ITERATIONS],
    output:
        summary=f"{R}/summary.json",
    log:
        f"{R}/logs/summarize.log",
    benchmark:
        f"{R}/benchmarks/summarize.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(20),
    params:
        seed=cfg.seed,
    shell:
        'exec python "$BURNQED_SCRIPTS"/summarize.py --evals {input.evals:q} --gates {input.gates:q} --proofs {input.proofs:q}'
        " --seed {params.seed} --threads {threads} --output {output.summary:q} > {log:q} 2>&1"


rule plot_figure:
    input:
        summary=f"{R}/summary.json",
    output:
        svg=report(
            f"{R}/figures/{{figure}}.svg",
            caption="captions/figure.rst",
            category=figure_category,
            labels=figure_labels,
        ),
        png=f"{R}/figures/{{figure}}.png",
        csv=f"{R}/figures/{{figure}}.csv",
    log:
        f"{R}/logs/plot_figure/{{figure}}.log",
    benchmark:
        f"{R}/benchmarks/plot_figure/{{figure}}.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(4000),
        runtime=grows(20),
    params:
        results=lambda wildcards, input: os.path.dirname(input.summary),
    shell:
        'exec python "$BURNQED_SCRIPTS"/plot_figure.py --figure {wildcards.figure} --results {params.results:q}'
        " --summary {input.summary:q} --threads {threads} --output {output.svg:q} > {log:q} 2>&1"


rule write_table:
    input:
        summary=f"{R}/summary.json",
    output:
        markdown=f"{R}/tables/{{table}}.md",
        csv=f"{R}/tables/{{table}}.csv",
        page=report(
            f"{R}/tables/{{table}}.html",
            caption="captions/table.rst",
            category="Tables",
            labels={"table": "{table}"},
        ),
    log:
        f"{R}/logs/write_table/{{table}}.log",
    benchmark:
        f"{R}/benchmarks/write_table/{{table}}.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(2000),
        runtime=grows(10),
    shell:
        'exec python "$BURNQED_SCRIPTS"/write_table.py --table {wildcards.table} --summary {input.summary:q}'
        " --threads {threads} --output {output.markdown:q} > {log:q} 2>&1"


rule write_results:
    input:
        summary=f"{R}/summary.json",
    output:
        markdown=f"{R}/results.md",
        page=report(
            f"{R}/results.html",
            caption="captions/results.rst",
            category="Results",
            labels={"page": "results"},
        ),
    log:
        f"{R}/logs/write_results.log",
    benchmark:
        f"{R}/benchmarks/write_results.tsv"
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(2000),
        runtime=grows(10),
    params:
        results=lambda wildcards, input: os.path.dirname(input.summary),
    shell:
        'exec python "$BURNQED_SCRIPTS"/write_results.py --results {params.results:q} --summary {input.summary:q}'
        " --threads {threads} --output {output.markdown:q} --page {output.page:q} > {log:q} 2>&1"


# Only a new summary makes the report stale. It waits for the figures by their data, which the same jobs make: a picture
# that was deleted and made again is the same picture.
rule render_report:
    input:
        summary=f"{R}/summary.json",
        figures=ancient([f"{R}/figures/{figure}.csv" for figure in [*FIGURES, *DATA_FIGURES]]),
        tables=ancient(tables()),
        results=ancient(f"{R}/results.md"),
        page=ancient(f"{R}/results.html"),
    output:
        report=f"{R}/report.html",
    log:
        f"{R}/logs/render_report.log",
    benchmark:
        f"{R}/benchmarks/render_report.tsv"
    localrule: True
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(2000),
        runtime=grows(10),
    shell:
        'exec python "$BURNQED_SCRIPTS"/render_report.py --targets {input.page:q} figures compare'
        " --output {output.report:q} > {log:q} 2>&1"
