#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what the program needs to be built and run on Debian 12 (as root, or with sudo). Does nothing when all is there.
# usage: setup.sh [--tests]      --tests: also what only the tests need
set -euo pipefail

packages=(
    g++ cmake ninja-build ccache pkg-config
    qt6-base-dev qt6-base-dev-tools qt6-charts-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools
    qt6-translations-l10n libgl1-mesa-dev libopengl-dev libqt6opengl6-dev
    libopenblas-dev libcpp-httplib-dev libboost-dev rapidjson-dev libssl-dev libxxhash-dev zlib1g-dev libbrotli-dev
    fonts-noto-core fonts-noto-cjk
)
[ "${1:-}" = --tests ] && packages+=(git)

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "setup.sh: this system has no apt-get. CONTRIBUTING.md lists what to install by hand." >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup.sh: run it as root, or install sudo; it has to install: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
fi
echo "Installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
