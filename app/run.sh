#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs, builds and opens KV Cache Lab.
# usage: run.sh [--offscreen-demo DIR] [arguments of the program]
#   --offscreen-demo DIR   the same run without a screen: measures once with the practice engine, leaves PNG and CSV in DIR
set -euo pipefail
cd "$(dirname "$0")/.."

bash app/setup.sh
preset=${KVLAB_PRESET:-release} # the tests' own build can be shared with KVLAB_PRESET=dev
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target kvcachelab kvlab
program=build/$preset/bin/kvcachelab

if [ "${1:-}" = --offscreen-demo ]; then
    [ $# -ge 2 ] || { echo "run.sh: --offscreen-demo needs a folder." >&2; exit 2; }
    export QT_QPA_PLATFORM=offscreen
elif [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "run.sh: there is no screen here. Try: bash app/run.sh --offscreen-demo out" >&2
    exit 1
fi
exec "$program" "$@"
