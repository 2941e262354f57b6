// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_settings.h"

namespace kvlab::ui {

namespace {

constexpr qint64 largestSize = qint64(1) << 60; // as parseSize()

/// Whole numbers of a JSON object, each with the range it must lie in.
class Numbers
{
public:
    explicit Numbers(const QJsonObject &object)
        : m_object(object)
    {
    }

    std::optional<qint64> number(const char *key, qint64 least, qint64 most) const
    {
        const QJsonValue value = m_object.value(QLatin1String(key));
        const qint64 read = value.toInteger(least - 1);
        return read >= least && read <= most ? std::optional(read) : std::nullopt;
    }

    void read(const char *key, qint64 *target, qint64 most, qint64 least = 1) const
    {
        *target = number(key, least, most).value_or(*target);
    }

    void read(const char *key, bool *target) const { *target = m_object.value(QLatin1String(key)).toBool(*target); }

    void read(const char *key, QString *target) const
    {
        *target = m_object.value(QLatin1String(key)).toString(*target);
    }

private:
    const QJsonObject &m_object;
};

QJsonObject profileToJson(const memory::AllocationProfile &profile)
{
    return {{QStringLiteral("engine"), memory::engineName(profile.engine)},
        {QStringLiteral("block_size"), profile.block_size},
        {QStringLiteral("max_num_batched_tokens"), profile.max_num_batched_tokens},
        {QStringLiteral("n_ubatch"), profile.n_ubatch}, {QStringLiteral("kv_unified"), profile.kv_unified},
        {QStringLiteral("swa_full"), profile.swa_full}};
}

memory::AllocationProfile profileFromJson(const QJsonObject &object)
{
    const auto engine = memory::engineFromName(object.value(QLatin1String("engine")).toString());
    memory::AllocationProfile profile = memory::defaultProfile(engine.value_or(memory::Engine::vllm));
    const Numbers numbers(object);
    constexpr qint64 most = 1'000'000;
    numbers.read("block_size", &profile.block_size, most);
    numbers.read("max_num_batched_tokens", &profile.max_num_batched_tokens, most);
    numbers.read("n_ubatch", &profile.n_ubatch, most);
    numbers.read("kv_unified", &profile.kv_unified);
    numbers.read("swa_full", &profile.swa_full);
    return profile;
}

} // namespace

QJsonObject plannerSettingsToJson(const PlannerSettings &settings)
{
    QJsonObject object{{QStringLiteral("device"), settings.device}, {QStringLiteral("tp"), settings.tp},
        {QStringLiteral("pp"), settings.pp}, {QStringLiteral("dp"), settings.dp},
        {QStringLiteral("util_permille"), settings.util_permille}, {QStringLiteral("overhead"), settings.overhead},
        {QStringLiteral("model"), settings.model}, {QStringLiteral("weight_format"), settings.weight_format},
        {QStringLiteral("kv_dtype"), memory::cacheFormatName(settings.kv_dtype)},
        {QStringLiteral("profile"), profileToJson(settings.profile)}, {QStringLiteral("seq_len"), settings.seq_len},
        {QStringLiteral("batch"), settings.batch}};
    if (settings.own_capacity)
        object.insert(QStringLiteral("own_capacity"), *settings.own_capacity);
    if (settings.own_weights)
        object.insert(QStringLiteral("own_weights"), *settings.own_weights);
    if (settings.v_dtype)
        object.insert(QStringLiteral("v_dtype"), memory::cacheFormatName(*settings.v_dtype));
    return object;
}

PlannerSettings plannerSettingsFromJson(const QJsonObject &object)
{
    PlannerSettings settings;
    const Numbers numbers(object);
    numbers.read("device", &settings.device);
    settings.own_capacity = numbers.number("own_capacity", 1, largestSize);
    numbers.read("tp", &settings.tp, memory::maxRanks);
    numbers.read("pp", &settings.pp, memory::maxRanks);
    numbers.read("dp", &settings.dp, memory::maxRanks);
    numbers.read("util_permille", &settings.util_permille, 1000);
    numbers.read("overhead", &settings.overhead, largestSize, 0);
    numbers.read("model", &settings.model);
    numbers.read("weight_format", &settings.weight_format);
    settings.own_weights = numbers.number("own_weights", 1, largestSize);
    const auto format
        = [&](const char *key) { return memory::cacheFormatFromName(object.value(QLatin1String(key)).toString()); };
    settings.kv_dtype = format("kv_dtype").value_or(settings.kv_dtype);
    settings.v_dtype = format("v_dtype");
    settings.profile = profileFromJson(object.value(QLatin1String("profile")).toObject());
    numbers.read("seq_len", &settings.seq_len, memory::maxSeqLen);
    numbers.read("batch", &settings.batch, memory::maxBatch);
    return settings;
}

} // namespace kvlab::ui
