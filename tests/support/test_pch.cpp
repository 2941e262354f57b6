// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing: the targets of this file only carry the precompiled headers that all tests share.
