# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
    dialogs/plan_dialog.h dialogs/plan_dialog.cpp
    dialogs/server_dialog.h dialogs/server_dialog.cpp
)
