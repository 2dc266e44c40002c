"""Summary, figures, tables and the report: one HTML file, one Markdown file."""


report: "captions/overview.rst"


rule summarize:
    input:
        unpack(inputs("summarize")),
    output:
        summary=P.summary,
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
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/summarize.py \
            --evals {input.evals:q} \
            --gates {input.gates:q} \
            --proofs {input.proofs:q} \
            --seed {params.seed} \
            --threads {threads} \
            --output {output.summary:q} \
            >{log:q} 2>&1
        """


rule plot_figure:
    input:
        unpack(inputs("plot_figure")),
    output:
        svg=report(P.figure, caption="captions/figure.rst", category=figure_group, labels=figure_labels),
        png=P.figure_png,
        csv=P.figure_csv,
    log:
        f"{R}/logs/plot_figure/{{figure}}.log",
    benchmark:
        f"{R}/benchmarks/plot_figure/{{figure}}.tsv"
    wildcard_constraints:
        figure=plan.pattern("plot_figure", "figure"),
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
        caption=lambda wildcards: figure_entry(wildcards.figure)[0].caption,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/plot_figure.py \
            --figure {wildcards.figure} \
            --results {params.results:q} \
            --summary {input.summary:q} \
            --threads {threads} \
            --output {output.svg:q} \
            >{log:q} 2>&1
        """


rule write_table:
    input:
        unpack(inputs("write_table")),
    output:
        markdown=P.table,
        csv=P.table_csv,
        page=report(P.table_html, caption="captions/table.rst", category="Tables", labels={"table": "{table}"}),
    log:
        f"{R}/logs/write_table/{{table}}.log",
    benchmark:
        f"{R}/benchmarks/write_table/{{table}}.tsv"
    wildcard_constraints:
        table=plan.pattern("write_table", "table"),
    conda:
        "../envs/cpu.yaml"
    threads: 1
    resources:
        gpu=0,
        gpu_model="",
        mem_mb=grows(2000),
        runtime=grows(10),
    params:
        caption=lambda wildcards: table_entry(wildcards.table)[0].caption,
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/write_table.py \
            --table {wildcards.table} \
            --summary {input.summary:q} \
            --threads {threads} \
            --output {output.markdown:q} \
            >{log:q} 2>&1
        """


# Only a new summary makes the report stale; it waits for figures and tables, whatever their age.
rule render_report:
    input:
        unpack(inputs("render_report")),
    output:
        report=P.report,
        markdown=P.report_markdown,
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
    params:
        results=lambda wildcards, input: os.path.dirname(input.summary),
    shell:
        r"""
        exec "$BURNQED_PYTHON" "$BURNQED_SCRIPTS"/render_report.py \
            --results {params.results:q} \
            --summary {input.summary:q} \
            --data-report {input.data_report:q} \
            --figures {input.figures:q} \
            --config-json "$BURNQED_CONFIG" \
            --output {output.report:q} \
            --markdown {output.markdown:q} \
            >{log:q} 2>&1
        """
