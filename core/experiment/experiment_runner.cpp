// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/experiment_runner.h"
