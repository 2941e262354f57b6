#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs, builds and runs the tests.
# usage: run.sh [PRESET]     dev (default), asan, core-only
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-dev}

bash app/setup.sh --tests
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
exec ctest --preset "$preset"
