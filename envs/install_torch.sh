#!/bin/sh
# Install torch into an environment, in the build that suits the machine; make setup calls it.
#
#   sh envs/install_torch.sh BIN VERSION CPU_INDEX [cpu | default | REQUIREMENT...]
#
# BIN is the environment's folder of programs, CPU_INDEX the index of the builds without CUDA, which are several
# gigabytes smaller. A named choice is taken as it is. Without one the CPU build is taken where there is no GPU, no
# scheduler of a cluster (its other machines may have GPUs), no package index of the user's own, and where CPU_INDEX
# has this version and answers within five seconds. Whatever comes in the way of that ends in pip's default build.
set -eu

bin=$1 version=$2 index=$3
shift 3

# The user's own indexes and wheels stay in use for what torch depends on.
cpu_build() { "$bin/pip" install --quiet "torch==$version+cpu" --extra-index-url "$index"; }
default_build() { "$bin/pip" install --quiet "torch==$version"; }

case "$*" in
  "") ;;
  cpu) cpu_build; exit ;;
  default) default_build; exit ;;
  *) "$bin/pip" install --quiet "$@"; exit ;;
esac

installed() {
  "$bin/python" -c 'import importlib.metadata as m, sys; sys.exit(m.version("torch").split("+")[0] != sys.argv[1])' \
    "$version" 2> /dev/null
}

gpu() { [ -e /dev/nvidia0 ] || nvidia-smi -L 2> /dev/null | grep -q GPU; }

cluster() { command -v sbatch || command -v qsub || command -v bsub; }

# Environment variables and configuration files alike.
own_index() { "$bin/pip" config list 2> /dev/null | grep -Eq '\.(index-url|no-index)='; }

# The name server alone may take minutes to fail, and no time limit of a connection counts that: hence the timer.
reachable() {
  "$bin/python" - "$index/torch/" "torch-$version+cpu-" 2> /dev/null << 'END'
import os, sys, threading, urllib.request

late = threading.Timer(5, os._exit, [1])
late.daemon = True
late.start()
with urllib.request.urlopen(sys.argv[1], timeout=5) as page:
    sys.exit(sys.argv[2] not in page.read().decode(errors="replace"))
END
}

if [ "$(uname -s)" != Linux ] || installed || gpu; then
  default_build # outside Linux it is the one without CUDA
  exit
fi
if cluster > /dev/null; then
  reason="a cluster's machines may have GPUs"
elif own_index; then
  reason="pip is set to an index of its own"
elif ! reachable; then
  reason="$index cannot be reached, or does not have it"
elif cpu_build; then
  exit
else
  reason="the CPU build could not be installed"
fi
echo "torch $version: pip's default build, about 5 GB larger where it has CUDA ($reason). Without: make setup TORCH=cpu"
default_build
