// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/samples_export.h"
