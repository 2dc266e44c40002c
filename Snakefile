"""burn-qed: expert iteration for a Lean 4 theorem prover.

R is config["results"]; i counts iterations. burnqed/plan.py has the grammar, and which runs there are.
  R/data/theorems.json, R/data/tactic_pairs/{train,val}.jsonl, R/data/benchmarks/{benchmark}.json, R/data/report.json
  R/base/model/                            base model
  R/baseline/eval/llm.json                 evaluation of the base model
  R/iter_{i}/adapter/, R/iter_{i}/model/   LoRA adapter, merged model
  R/iter_{i}/search/{kind}/{shard}.parquet R/iter_{i}/trajectories.parquet
  R/iter_{i}/proofs.jsonl, proofs.lean     re-checked proofs
  R/iter_{i}/embeddings.parquet, R/iter_{i}/ebm/
  R/iter_{i}/eval/{variant}.json           variant: llm | llm_ebm
  R/iter_{i}/gate.json                     go / no-go
  R/iter_{i}/baseline.{md,html}            data, embedding space, head and search on one page
  R/iter_{i}/joint/                        head as joint training left it (training.mode joint)
  R/{run}/...                              the same below other prefixes: the arms of the experiments, which are
                                           lean_start/iter_0, ablation_value/seed_{seed}/{way}, joint_attribution/seed_{seed}/{arm}
  R/ablation_value/{table,figure}.*        what the head is worth in search
  R/value_lab/readings/{trees}/{reader}.parquet vectors that a frozen reader reads of recorded trees
  R/value_lab/values/{arm}/seed_{seed}/    values; replays/{arm}/seed_{seed}.json: what each order finds with them
  R/value_lab/{table,figure}.*             which value is worth its cost
  R/joint_attribution/{table,attribution}.* what joint training brings
  R/summary.json, R/figures/{figure}.{svg,png,csv}, R/tables/{table}.{md,csv}, R/report.{html,md}
Logs are in R/logs, Snakemake's benchmarks in R/benchmarks.
"""

from snakemake.utils import min_version

min_version("9.0")


configfile: f"{workflow.basedir}/config.yaml"


include: "rules/common.smk"


wildcard_constraints:
    kind="main|noisy|negatives",
    shard=r"\d+",


include: "rules/data.smk"
include: "rules/train.smk"
include: "rules/value.smk"
include: "rules/search.smk"
include: "rules/evaluate.smk"
include: "rules/experiments.smk"
include: "rules/report.smk"


onstart:
    hold_driver_lock()
    end_on_sigterm(lambda: cancel_own_jobs(R))
    check_machine()
    keep_imports()
    start_live_page()


onsuccess:
    end_live_page("finished")


onerror:
    end_live_page("stopped: the same command resumes")


rule all:
    default_target: True
    input:
        plan.targets["all"],
    localrule: True


# Every stage of every iteration by name: iter_0, iter_0_sft, iter_0_search, ...; iteration 0 has no head.
for _name, _files in plan.targets.items():
    if _name == "all":
        continue

    rule:
        name:
            _name
        input:
            _files,
        localrule: True


refuse_unknown_targets()
