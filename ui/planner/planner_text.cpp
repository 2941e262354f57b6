// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_text.h"

#include "ui/memory/memory_text.h"

#include <QLocale>

namespace kvlab::ui {

namespace {

QString count(qint64 value)
{
    return MemoryText::count(value);
}

bool isVllm(const PlannerAnswer &answer)
{
    return answer.query.profile.engine == memory::Engine::vllm;
}

} // namespace

QString PlannerText::gib(const memory::Bytes &bytes)
{
    const QString two = memory::toGibString(bytes, 2);
    if (two.size() <= 4 && two < QLatin1String("0.10") && bytes > 0)
        return MemoryText::gib(bytes);
    const qsizetype point = two.indexOf(QLatin1Char('.'));
    bool fits = false;
    const qlonglong whole = two.left(point).toLongLong(&fits);
    return fits ? QLocale().toString(whole) + QLocale().decimalPoint() + two.mid(point + 1) : two;
}

QString PlannerText::percent(double share)
{
    return tr("%1 %", "a share in percent").arg(QLocale().toString(share * 100, 'f', 1));
}

QString PlannerText::engine(memory::Engine engine)
{
    switch (engine) {
    case memory::Engine::ideal:
        return tr("ideal, bare need", "no engine: what the model needs, no more");
    case memory::Engine::vllm:
        return QStringLiteral("vLLM");
    case memory::Engine::sglang:
        return QStringLiteral("SGLang");
    case memory::Engine::llama_cpp:
        return QStringLiteral("llama.cpp");
    }
    return {};
}

QString PlannerText::title(const PlannerAnswer &answer)
{
    QString size = gib(answer.capacity.capacity);
    const QString zeros = QLocale().decimalPoint() + QStringLiteral("00");
    if (size.endsWith(zeros))
        size.chop(zeros.size());
    if (answer.devices() == 1)
        return tr("Where %1 GiB go").arg(size);
    return tr("Where %1 GiB of each of the %2 GPUs go").arg(size, count(answer.devices()));
}

CardText PlannerText::fits(const PlannerAnswer &answer)
{
    const memory::Capacity &capacity = answer.capacity;
    const QString need = tr("%1 GiB").arg(gib(capacity.need));
    if (!capacity.plan.fits) {
        if (capacity.budget <= 0)
            return {tr("Does not fit"), need,
                tr("weights and overhead alone are %1 GiB too large").arg(gib(memory::Bytes(-capacity.budget)))};
        return {tr("Does not fit"), need,
            tr("%1 GiB short of the budget of %2 GiB").arg(gib(capacity.plan.short_by), gib(capacity.budget))};
    }
    const double share = capacity.need.convert_to<double>() / capacity.budget.convert_to<double>();
    return {tr("Fits"), need,
        tr("%1 of the budget, %2 GiB left", "%1 is a share in percent")
            .arg(percent(share), gib(memory::Bytes(capacity.budget - capacity.need)))};
}

CardText PlannerText::largestBatch(const PlannerAnswer &answer)
{
    const QString heading = tr("At seq_len %1").arg(count(answer.query.memory.seq_len));
    const qint64 batch = answer.capacity.plan.max_batch;
    if (batch == 0)
        return {heading, tr("none", "largest batch: no sequence fits"), tr("not even one sequence fits")};
    return {heading, tr("batch %1").arg(count(batch)), tr("largest that fits")};
}

CardText PlannerText::longest(const PlannerAnswer &answer, qint64 batch, qint64 seq_len, bool limited)
{
    const QString heading = tr("At batch %1").arg(count(batch));
    if (seq_len == 0)
        return {heading, tr("none", "longest seq_len: not one token fits"), tr("not even one token fits")};
    const QString value = tr("%1 tokens").arg(count(seq_len));
    if (limited)
        return {heading, value, tr("the model's own limit")};
    if (batch == 1 && answer.model.max_position)
        return {heading, value, tr("of the model's %1").arg(count(*answer.model.max_position))};
    if (answer.query.profile.block_size > 1 && answer.query.profile.engine != memory::Engine::ideal)
        return {heading, value, tr("longest, in blocks of %1").arg(count(answer.query.profile.block_size))};
    return {heading, value, tr("longest that fits")};
}

CardText PlannerText::longestAtBatch(const PlannerAnswer &answer)
{
    const memory::Plan &plan = answer.capacity.plan;
    return longest(answer, answer.query.memory.batch, plan.max_seq_len, plan.limited_by_position);
}

CardText PlannerText::longestAlone(const PlannerAnswer &answer)
{
    const qint64 seq_len = answer.capacity.max_seq_len_alone;
    return longest(answer, 1, seq_len, answer.model.max_position && seq_len == *answer.model.max_position);
}

QString PlannerText::engineLine(const PlannerAnswer &answer)
{
    const memory::Capacity &capacity = answer.capacity;
    const QString token = tr("One more token of a sequence needs %1.").arg(MemoryText::kib(answer.per_token));
    if (!isVllm(answer))
        return token;
    const QString seq_len = count(answer.query.memory.seq_len);
    if (capacity.plan.max_batch == 0) {
        const memory::Bytes room = capacity.budget > 0 ? capacity.budget : memory::Bytes(0);
        return tr("%1 vLLM would not start: one request of %2 tokens needs %3 GiB, %4 GiB are available, and the "
                  "estimated maximum model length is %5.",
            "%1 is a whole sentence")
            .arg(token, seq_len, gib(capacity.plan.need), gib(room), count(capacity.max_seq_len_alone));
    }
    if (!capacity.kv_cache_tokens)
        return token;
    return tr("%1 vLLM would print “GPU KV cache size: %2 tokens” and “Maximum concurrency for %3 tokens per request: "
              "%4x”.",
        "%1 is a whole sentence")
        .arg(token, count(*capacity.kv_cache_tokens), seq_len, QLocale().toString(capacity.max_concurrency, 'f', 2));
}

QString PlannerText::weightsLine(const PlannerSettings &settings, const PlannerAnswer &answer)
{
    if (settings.own_weights)
        return tr("Weights: the size that you entered.");
    if (settings.weight_format.isEmpty())
        return tr("Weights: the size of the model's files.");
    const auto format = memory::weightFormatFromName(settings.weight_format);
    if (!format || !answer.model.params)
        return {};
    return tr("Weights: %1 parameters of %2 bits each.")
        .arg(count(*answer.model.params),
            QLocale().toString(double(format->bits_e4) / 10'000, 'g', QLocale::FloatingPointShortest));
}

QString PlannerText::plain(const PlannerSettings &settings, const PlannerAnswer &answer)
{
    const memory::Capacity &capacity = answer.capacity;
    const auto size = [](const memory::Bytes &bytes) { return tr("%1 GiB").arg(gib(bytes)); };
    const auto line = [](const QString &name, const QString &value) {
        return tr("%1: %2", "a name and its value").arg(name, value);
    };
    QStringList lines{line(tr("Machine"),
                          tr("%1, %2 GiB; tensor parallel %3, pipeline %4, data-parallel attention %5")
                              .arg(answer.query.machine.device, gib(capacity.capacity), count(answer.query.machine.tp),
                                  count(answer.query.machine.pp), count(answer.query.machine.dp))),
        line(tr("Utilisation"), QLocale().toString(double(answer.query.machine.util_permille) / 1000, 'f', 3)),
        line(tr("Model"), answer.model.name),
        line(tr("Cache"),
            tr("K %1, V %2", "cache formats")
                .arg(memory::cacheFormatName(settings.kv_dtype),
                    memory::cacheFormatName(settings.v_dtype.value_or(settings.kv_dtype)))),
        line(tr("Engine"), engine(settings.profile.engine)), line(tr("Weights"), size(capacity.weights)),
        line(tr("Overhead, a guess"), size(capacity.overhead)), line(tr("Kept free"), size(capacity.kept_free)),
        capacity.budget > 0
            ? line(tr("KV budget"), tr("%1 GiB (%2)").arg(gib(capacity.budget), MemoryText::bytes(capacity.budget)))
            : line(tr("KV budget"), tr("none: %1 GiB are missing").arg(gib(memory::Bytes(-capacity.budget)))),
        line(tr("Plan"),
            tr("seq_len %1, batch %2").arg(count(answer.query.memory.seq_len), count(answer.query.memory.batch)))};
    for (const CardText &card : {fits(answer), largestBatch(answer), longestAtBatch(answer), longestAlone(answer)})
        lines << tr("%1: %2 (%3)", "a name, its value and what it means").arg(card.heading, card.value, card.detail);
    lines << engineLine(answer) << weightsLine(settings, answer);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace kvlab::ui
