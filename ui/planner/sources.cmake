# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
    planner/answer_cards.h planner/answer_cards.cpp
    planner/budget_bar.h planner/budget_bar.cpp
    planner/count_box.h planner/count_box.cpp
    planner/field_edge.h
    planner/heat_map.h planner/heat_map.cpp planner/heat_map_paint.cpp
    planner/planner_answer.h planner/planner_answer.cpp
    planner/planner_colors.h planner/planner_colors.cpp
    planner/planner_form.h planner/planner_form.cpp planner/planner_form_read.cpp
    planner/planner_page.h planner/planner_page.cpp
    planner/planner_settings.h planner/planner_settings.cpp
    planner/planner_text.h planner/planner_text.cpp
    planner/search_box.h planner/search_box.cpp
)
