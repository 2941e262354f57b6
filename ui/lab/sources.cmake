# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
    lab/answer_field.h lab/answer_field.cpp
    lab/class_timer.h lab/class_timer.cpp
    lab/control_frame.h lab/control_frame.cpp
    lab/lab_dock.h lab/lab_dock.cpp
    lab/lab_texts.h lab/lab_texts.cpp
    lab/option_list.h lab/option_list.cpp
    lab/step_card.h lab/step_card.cpp
    lab/step_row.h lab/step_row.cpp
)
