#!/usr/bin/env bash
# Set up a fresh Linux machine for burn-qed: system packages, Lean with Mathlib, Python environments, model.
#
#   bash burnqed/cloud/setup_machine.sh [--list] [--dry-run] [--skip STEP]... [--only STEP]...
#
# Each step looks first whether its work is done, so the script can be run again at any time. Run it in the clone.
# Mathlib's Lean is searched through its own language server (prover.kind: lean) and checks finished proofs again: the
# re-check knows the kernel of Lean 4.35. Change versions by environment:
#   LEAN_HOME      where Lean, the Mathlib project and Pantograph go   (default: $HOME/lean)
#   MATHLIB_TAG    tag of Mathlib; its lean-toolchain decides on Lean  (default: v4.35.0)
#   PANTOGRAPH_TAG build Pantograph too, and search with it: its tag   (default: none; v0.3.15 is for Lean 4.29.1)
#   VLLM           pip requirement of vLLM                             (default: vllm==0.26.0)
#   VLLM_HOME      vLLM's own environment                              (default: $HOME/vllm)
#   HARDWARE       machine type, a key of hardware_types               (default: rtx4090)
#   PROFILE        profile of the run: what it needs is installed      (default: runpod)
set -euo pipefail

LEAN_HOME=${LEAN_HOME:-$HOME/lean}
MATHLIB_TAG=${MATHLIB_TAG:-v4.35.0}
PANTOGRAPH_TAG=${PANTOGRAPH_TAG:-}
VLLM=${VLLM:-vllm==0.26.0}
VLLM_HOME=${VLLM_HOME:-$HOME/vllm}
HARDWARE=${HARDWARE:-rtx4090}
PROJECT=$LEAN_HOME/mathlib-project
PROFILE=${PROFILE:-runpod}
OVERLAY=machine.yaml
STEPS=(system lean mathlib pantograph python profiles vllm config model doctor smoke)

# What a step takes, for --list. Estimates, not measurements: they depend on the network.
declare -A COST=(
  [system]="0.5 GB, 1-2 min: git, curl, make, bubblewrap, python3-venv (apt, needs root)"
  [lean]="1.5 GB, 1-2 min: elan and the Lean toolchain of $MATHLIB_TAG"
  [mathlib]="6 GB, 5-15 min: a project with Mathlib $MATHLIB_TAG and its compiled cache"
  [pantograph]="nothing without PANTOGRAPH_TAG; else 0.5 GB, 2-5 min: its repl, built with the same toolchain"
  [python]="7 GB, 3-6 min: .venv with the locked training environment and bitsandbytes"
  [profiles]="nothing: links profiles/ into Snakemake's folder; for slurm and kubernetes its package"
  [vllm]="10 GB, 4-8 min: $VLLM in an environment of its own"
  [config]="nothing: $OVERLAY with the paths of this machine, for --configfile"
  [model]="14 GB, 2-15 min: the pinned revision of the base model"
  [doctor]="nothing: burnqed doctor"
  [smoke]="nothing, 1-3 min: proves two theorems with the prover configured here"
)

list=0 dry=0
skip=" " only=" "
while [ $# -gt 0 ]; do
  case $1 in
    --list) list=1 ;;
    --dry-run) dry=1 ;;
    --skip | --only)
      [ $# -ge 2 ] || { echo "$1 needs a step: ${STEPS[*]}" >&2; exit 2; }
      case " ${STEPS[*]} " in *" $2 "*) ;; *) echo "$1 $2: no such step; the steps are ${STEPS[*]}" >&2; exit 2 ;; esac
      if [ "$1" = --skip ]; then skip+="$2 "; else only+="$2 "; fi
      shift ;;
    -h | --help) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "$1: unknown option; see --help" >&2; exit 2 ;;
  esac
  shift
done
if [ "$list" = 1 ]; then
  for step in "${STEPS[@]}"; do printf '%-11s %s\n' "$step" "${COST[$step]}"; done
  echo "together about 40 GB of disk and 20-60 minutes"
  exit 0
fi
[ -f Snakefile ] || { echo "run this in the clone of burn-qed (no Snakefile here)" >&2; exit 2; }
export PATH=$HOME/.elan/bin:$PATH

# A step prints "done" and nothing else when there is nothing to do.
system() {
  local missing=()
  for program in git curl make bwrap python3; do command -v "$program" > /dev/null || missing+=("$program"); done
  python3 -c 'import ensurepip' 2> /dev/null || missing+=(python3-venv)
  if [ ${#missing[@]} -eq 0 ]; then echo "done"; return; fi
  echo "missing: ${missing[*]}"
  local sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq --no-install-recommends git curl ca-certificates make bubblewrap python3 python3-venv
}

lean() {
  if command -v elan > /dev/null; then echo "done"; return; fi
  curl -sSf https://raw.githubusercontent.com/leanprover/elan/master/elan-init.sh | sh -s -- -y --default-toolchain none
}

mathlib() {
  if [ -f "$PROJECT/.cache-done-$MATHLIB_TAG" ]; then echo "done"; return; fi
  mkdir -p "$PROJECT"
  curl -sSf "https://raw.githubusercontent.com/leanprover-community/mathlib4/$MATHLIB_TAG/lean-toolchain" \
    -o "$PROJECT/lean-toolchain"
  cat > "$PROJECT/lakefile.toml" << EOF
name = "search"
defaultTargets = []

[[require]]
name = "mathlib"
scope = "leanprover-community"
rev = "$MATHLIB_TAG"
EOF
  (cd "$PROJECT" && lake update && lake exe cache get)
  touch "$PROJECT/.cache-done-$MATHLIB_TAG"
}

pantograph() {
  local folder=$LEAN_HOME/Pantograph
  if [ -z "$PANTOGRAPH_TAG" ]; then echo "done"; return; fi
  if [ -x "$folder/.lake/build/bin/repl" ] && [ "$(cat "$folder/.tag" 2> /dev/null)" = "$PANTOGRAPH_TAG" ]; then
    echo "done"; return
  fi
  rm -rf "$folder"
  git clone --quiet --depth 1 --branch "$PANTOGRAPH_TAG" https://github.com/leanprover/Pantograph "$folder"
  if ! cmp -s "$folder/lean-toolchain" "$PROJECT/lean-toolchain"; then
    echo "Pantograph $PANTOGRAPH_TAG wants $(cat "$folder/lean-toolchain"), Mathlib $MATHLIB_TAG" \
      "$(cat "$PROJECT/lean-toolchain"): choose tags of the same Lean version" >&2
    return 1
  fi
  (cd "$folder" && lake build repl)
  echo "$PANTOGRAPH_TAG" > "$folder/.tag"
}

python() {
  if .venv/bin/python -c 'import bitsandbytes, burnqed' 2> /dev/null; then echo "done"; return; fi
  make setup TORCH=default # a machine may be set up before it gets its GPU
  .venv/bin/pip install --quiet 'bitsandbytes>=0.49'
}

profiles() {
  if [ -e "${XDG_CONFIG_HOME:-$HOME/.config}/snakemake/$PROFILE" ]; then echo "done"; return; fi
  [ -f "profiles/$PROFILE/profile.yaml" ] || { echo "PROFILE=$PROFILE: no such profile in profiles/" >&2; return 1; }
  case $PROFILE in slurm | kubernetes) .venv/bin/pip install --quiet -e ".[$PROFILE]" ;; esac
  make -s profiles
}

vllm() {
  if [ -x "$VLLM_HOME/bin/vllm" ]; then echo "done"; return; fi
  python3 -m venv "$VLLM_HOME"
  "$VLLM_HOME/bin/pip" install --quiet "$VLLM"
}

config() {
  local kind=lean command=""
  if [ -n "$PANTOGRAPH_TAG" ]; then
    kind=pantograph command="$LEAN_HOME/Pantograph/.lake/build/bin/repl, Init, Mathlib"
  fi
  cat > "$OVERLAY" << EOF
# Written by setup_machine.sh: where things are on this machine. Use: snakemake ... --configfile $OVERLAY
prover:
  kind: $kind
  command: [$command]
  project: $PROJECT
policy:
  server_python: $VLLM_HOME/bin/python
EOF
  echo "$OVERLAY written"
}

model() {
  if [ -d results/base/model ]; then echo "done"; return; fi
  .venv/bin/snakemake results/base/model --cores all --configfile "$OVERLAY" --config "hardware=$HARDWARE"
}

doctor() { .venv/bin/burnqed doctor --config "$OVERLAY"; }

smoke() {
  .venv/bin/python -m burnqed.cloud.smoke --config "$OVERLAY"
}

for step in "${STEPS[@]}"; do
  case $skip in *" $step "*) echo "== $step: skipped"; continue ;; esac
  if [ "$only" != " " ]; then case $only in *" $step "*) ;; *) continue ;; esac; fi
  echo "== $step (${COST[$step]})"
  if [ "$dry" = 0 ]; then "$step"; fi
done
echo "== ready: snakemake iter_0_eval --profile $PROFILE --configfile $OVERLAY"
