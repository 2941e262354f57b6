// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner page is asked: machine, model, cache formats, engine, plan. A plain value that a session keeps.
#pragma once

#include "memory/allocation.h"

#include <QJsonObject>

namespace kvlab::ui {

struct PlannerSettings
{
    QString device = QStringLiteral("GeForce RTX 4090"); ///< of the built-in list, or how an own size is called
    std::optional<qint64> own_capacity; ///< bytes of one device that the list does not have
    qint64 tp = 1;
    qint64 pp = 1;
    qint64 dp = 1;
    qint64 util_permille = 900;
    qint64 overhead = qint64(2) << 30; ///< bytes, of one device
    QString model = QStringLiteral("Qwen2.5-7B");
    QString weight_format = QStringLiteral("bf16"); ///< empty = what the model's own files hold
    std::optional<qint64> own_weights; ///< bytes of the whole model, instead of a format
    memory::CacheFormat kv_dtype = memory::CacheFormat::bf16;
    std::optional<memory::CacheFormat> v_dtype; ///< unset = like K
    memory::AllocationProfile profile = memory::defaultProfile(memory::Engine::vllm);
    qint64 seq_len = 8192;
    qint64 batch = 8;
};

QJsonObject plannerSettingsToJson(const PlannerSettings &settings);
/// Whatever is missing, unknown or out of range keeps its default.
PlannerSettings plannerSettingsFromJson(const QJsonObject &object);

} // namespace kvlab::ui
