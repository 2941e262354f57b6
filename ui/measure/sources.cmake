# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
    measure/cache_chart.h measure/cache_chart.cpp
    measure/chart_data.h measure/chart_data.cpp
    measure/chart_export.h measure/chart_export.cpp
    measure/chart_overlay.h measure/chart_overlay.cpp
    measure/compare_chart.h measure/compare_chart.cpp
    measure/handout_chart.h measure/handout_chart.cpp
    measure/study_line.h measure/study_line.cpp
    measure/measure_panel.h measure/measure_panel.cpp
    measure/presentation_view.h measure/presentation_view.cpp
    measure/recorded_run.h measure/recorded_run.cpp
    measure/result_strip.h measure/result_strip.cpp
    measure/run_texts.h measure/run_texts.cpp
    measure/run_history.h measure/run_history.cpp
    measure/run_tabs.h measure/run_tabs.cpp
    measure/runs_panel.h measure/runs_panel.cpp
    measure/sample_delegate.h measure/sample_delegate.cpp
    measure/sample_model.h measure/sample_model.cpp
    measure/samples_view.h measure/samples_view.cpp
    measure/server_panel.h measure/server_panel.cpp
    measure/server_texts.h measure/server_texts.cpp
    measure/sweep_chart.h measure/sweep_chart.cpp
    measure/timeline_layout.h measure/timeline_layout.cpp
    measure/timeline_texts.h measure/timeline_texts.cpp
    measure/timeline_track.h measure/timeline_track.cpp
    measure/timeline_view.h measure/timeline_view.cpp
    measure/ttft_chart.h measure/ttft_chart.cpp
)

# A run recorded with the practice engine, as `kvlab probe --json` writes it.
file(GLOB KVLAB_RECORDED CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/resources/recorded/*.json")
if(KVLAB_RECORDED)
    qt_add_resources(kvlab_ui ui_recorded PREFIX "/kvlab" BASE "${PROJECT_SOURCE_DIR}/resources" FILES ${KVLAB_RECORDED})
endif()
