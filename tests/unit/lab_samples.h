// SPDX-License-Identifier: GPL-3.0-or-later
// A small sound lab and made-up facts for the lab's tests.
#pragma once

#include "lab/lab_reader.h"
#include "lab/progress.h"

#include <QJsonDocument>

namespace kvlab::test {

/// Two steps: a prediction that holds Measure, and the measurement.
inline QJsonObject soundLab()
{
    return QJsonDocument::fromJson(R"({
      "format": "kvlab-lab", "version": 1, "id": "my-lab", "languages": ["en", "zh"],
      "title": {"en": "My lab", "zh": "我的实验"},
      "parts": [{"id": "first", "title": {"en": "First", "zh": "第一"}, "steps": [
        {"id": "say", "kind": "predict", "title": {"en": "Predict", "zh": "预测"},
         "text": {"en": "First {ratio}.", "zh": "先 {ratio}。"},
         "question": {"kind": "number", "unit": "%", "answer": {"en": "{value} % lower", "zh": "低 {value} %"},
           "prompt": {"en": "CACHED is", "zh": "CACHED"}, "expected": {"quantity": "ttft_reduction"}},
         "hints": [{"en": "a", "zh": "甲"}], "holds_measure": true},
        {"id": "see", "kind": "measure", "compare": "say", "show": "measure", "recorded": "practice-run",
         "title": {"en": "Measure", "zh": "测量"}, "text": {"en": "Press.", "zh": "按。"},
         "done": {"samples": {"arms": ["cold", "warm"], "at_least": 3}}}
      ]}]})")
        .object();
}

inline QByteArray toJson(const QJsonObject &object)
{
    return QJsonDocument(object).toJson();
}

inline lab::Lab readSound(const QJsonObject &object)
{
    const auto read = lab::readLab(toJson(object));
    return std::holds_alternative<lab::Lab>(read) ? std::get<lab::Lab>(read) : lab::Lab();
}

/// Kept samples with the given TTFT in milliseconds; their summary as core computes it.
inline experiment::RunResult madeUpRun(const QList<double> &cold, const QList<double> &warm)
{
    experiment::RunResult run;
    run.plan.shared_tokens = 1500;
    const auto add = [&run](experiment::Arm arm, double ms, qint64 cached) {
        experiment::MeasuredSample sample;
        sample.number = int(run.samples.size()) + 1;
        sample.arm = arm;
        sample.kept = true;
        sample.verdict = experiment::Verdict::confirmed;
        sample.expected_hit = cached;
        sample.probe.outcome = probe::Outcome::completed;
        sample.probe.stamps.first_content_ns = qint64(ms * 1e6);
        sample.probe.evidence.prompt_tokens = 1529;
        sample.probe.evidence.cached_tokens = cached;
        run.samples << sample;
        experiment::ArmSummary &summary = run.summary.arms[arm];
        ++summary.samples;
        ++summary.kept;
    };
    for (const double ms : cold)
        add(experiment::Arm::cold, ms, 0);
    for (const double ms : warm)
        add(experiment::Arm::warm, ms, 1504);
    const auto middle = [](QList<double> values) -> std::optional<double> {
        std::sort(values.begin(), values.end());
        return values.isEmpty() ? std::nullopt : std::optional(values.at(values.size() / 2));
    };
    run.summary.arms[experiment::Arm::cold].median_ms = middle(cold);
    run.summary.arms[experiment::Arm::warm].median_ms = middle(warm);
    return run;
}

} // namespace kvlab::test
