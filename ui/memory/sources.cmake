# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
    memory/cell_editors.h memory/cell_editors.cpp
    memory/formula_view.h memory/formula_view.cpp
    memory/handout_note.h memory/handout_note.cpp
    memory/memory_columns.h memory/memory_columns.cpp
    memory/memory_commands.h memory/memory_commands.cpp
    memory/memory_delegate.h memory/memory_delegate.cpp
    memory/memory_panel.h memory/memory_panel.cpp
    memory/memory_table_model.h memory/memory_table_model.cpp
    memory/memory_table_view.h memory/memory_table_view.cpp
    memory/memory_text.h memory/memory_text.cpp
    memory/row_budget.h memory/row_budget.cpp
    memory/row_details.h memory/row_details.cpp
    memory/size_chart.h memory/size_chart.cpp
    memory/terms_bar.h memory/terms_bar.cpp
)
