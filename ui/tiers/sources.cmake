# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
    tiers/block_cells.h tiers/block_cells.cpp
    tiers/block_look.h tiers/block_look.cpp
    tiers/block_model.h tiers/block_model.cpp
    tiers/block_texts.h tiers/block_texts.cpp
    tiers/chat_log_job.h tiers/chat_log_job.cpp
    tiers/hit_dialog.h tiers/hit_dialog.cpp
    tiers/hit_table.h tiers/hit_table.cpp
    tiers/hit_texts.h tiers/hit_texts.cpp
    tiers/blocks_view.h tiers/blocks_view.cpp
    tiers/queue_bar.h tiers/queue_bar.cpp
    tiers/step_list.h tiers/step_list.cpp
    tiers/trace_panel.h tiers/trace_panel.cpp
)
target_sources(kvlab_ui PRIVATE
    tiers/bar_rows.h tiers/bar_rows.cpp
    tiers/designs_page.h tiers/designs_page.cpp
    tiers/tenants_page.h tiers/tenants_page.cpp
    tiers/tier_model.h tiers/tier_model.cpp
    tiers/tiers_dialog.h tiers/tiers_dialog.cpp
    tiers/tiers_page.h tiers/tiers_page.cpp
)
