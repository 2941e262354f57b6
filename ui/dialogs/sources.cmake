# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
    dialogs/handout_dialog.h dialogs/handout_dialog.cpp
    dialogs/import_dialog.h dialogs/import_dialog.cpp
    dialogs/imported_view.h dialogs/imported_view.cpp
    dialogs/keeps_dialog.h dialogs/keeps_dialog.cpp
    dialogs/launch_dialog.h dialogs/launch_dialog.cpp
    dialogs/launch_form.h dialogs/launch_form.cpp
    dialogs/local_model_list.h dialogs/local_model_list.cpp
    dialogs/model_copy_dialog.h dialogs/model_copy_dialog.cpp
    dialogs/plan_dialog.h dialogs/plan_dialog.cpp
    dialogs/server_dialog.h dialogs/server_dialog.cpp
    dialogs/server_check_dialog.h dialogs/server_check_dialog.cpp
    dialogs/server_check_model.h dialogs/server_check_model.cpp
    dialogs/sweep_dialog.h dialogs/sweep_dialog.cpp
    dialogs/server_log_file.h dialogs/server_log_file.cpp
    dialogs/server_question.h dialogs/server_question.cpp
)
