// SPDX-License-Identifier: GPL-3.0-or-later
#include "row_figures.h"

#include <QJsonArray>

namespace kvlab::cli {

namespace {

using memory::Bytes;
using memory::Refusal;

/// What is known about a row, by the names of the file; `sized` is what texts in KiB, MiB and GiB are about.
struct Figures
{
    QJsonObject values;
    std::optional<Bytes> sized;

    void add(const char *name, const Bytes &bytes) { values.insert(QLatin1String(name), bytesJson(bytes)); }
    void add(const char *name, bool value) { values.insert(QLatin1String(name), value); }
};

using Answer = std::variant<Figures, Refusal>;

/// Digits after the point, as the expected text shows them; no figure has more than 30.
int decimalsOf(const QJsonValue &text)
{
    const QString shown = text.toString();
    const qsizetype point = shown.indexOf(u'.');
    return point < 0 ? 0 : static_cast<int>(std::min<qsizetype>(shown.size() - point - 1, 30));
}

/// 10, 20 or 30 for the names kib, mib and gib with or without digits.
unsigned unitBits(const QString &name)
{
    if (name == QLatin1String("kib"))
        return 10;
    if (name == QLatin1String("mib"))
        return 20;
    return name.startsWith(QLatin1String("gib")) ? 30 : 0;
}

/// Texts and marks that follow from the size itself.
QJsonValue sizeFigure(const QString &name, const QJsonValue &expected, const Bytes &bytes)
{
    if (const unsigned bits = unitBits(name); bits > 0)
        return memory::toUnitString(bytes, bits, decimalsOf(expected));
    if (name == QLatin1String("mib_tenths_floor"))
        return bytesJson(Bytes(bytes * 10 / (1 << 20)));
    if (name == QLatin1String("exceeds_2_53"))
        return bytes > (Bytes(1) << 53);
    if (name == QLatin1String("exceeds_int64"))
        return bytes > std::numeric_limits<qint64>::max();
    return QJsonValue(QJsonValue::Undefined);
}

Bytes termSum(const memory::MemoryResult &result, const QString &kind)
{
    Bytes sum = 0;
    for (const memory::MemoryTerm &term : result.terms) {
        if (term.kind == kind)
            sum += term.bytes;
    }
    return sum;
}

/// States with 16-bit convolution and the given recurrent part, for one sequence.
Bytes stateBytes(const CacheQuestion &question, memory::StateFormat recurrent)
{
    memory::MemoryQuery query = question.query;
    query.recurrent_dtype = recurrent;
    const memory::Estimate estimate = memory::cacheNeed(question.model, query);
    const auto *result = std::get_if<memory::MemoryResult>(&estimate);
    return result == nullptr ? Bytes(0) : termSum(*result, QStringLiteral("state"));
}

void addNeed(Figures &figures, const CacheQuestion &question, const memory::MemoryResult &need)
{
    const Bytes kv = need.bytes - termSum(need, QStringLiteral("state"));
    figures.add("kv_bytes", kv);
    figures.add("ideal_bytes", need.bytes);
    figures.add("state_bytes_16bit", stateBytes(question, memory::StateFormat::f16));
    figures.add("state_bytes_fp32_recurrent", stateBytes(question, memory::StateFormat::f32));
    figures.add("bytes_per_token", need.bytes_per_token);
    figures.add("bytes_per_token_below_window", need.bytes_per_token);
    figures.add("bytes_per_token_above_window", need.bytes_per_token_above_window);
    figures.add("fixed_bytes", need.fixed_bytes_per_sequence);
    figures.add("total_bytes", question.published ? kv : need.bytes);
    figures.add("tokens_per_sequence", Bytes(question.query.seq_len));
    figures.sized = kv;
}

void addAllocation(Figures &figures, const CacheQuestion &question, const memory::Allocated &allocated)
{
    figures.add("total_bytes", allocated.bytes);
    figures.sized = allocated.bytes;
    for (const memory::AllocatedGroup &group : allocated.groups) {
        const bool sliding = group.kind == QLatin1String("sliding");
        const Bytes blocks = group.tokens / question.profile.block_size;
        figures.add(sliding ? "sliding_blocks" : "full_blocks", blocks);
        figures.values.insert(sliding ? QStringLiteral("sliding_mib") : QStringLiteral("full_mib"),
            memory::toUnitString(group.bytes, 20, 1));
        figures.add(sliding ? "sliding_cells" : "tokens_per_sequence", Bytes(group.tokens));
    }
}

/// The rows' own words for a refusal that they expect; nothing for any other.
QJsonObject expectedRefusal(const Refusal &refusal, const QJsonObject &expect)
{
    if (refusal.reason != QLatin1String("tp_invalid") || expect.keys() != QStringList{QStringLiteral("invalid")})
        return {};
    return {{QStringLiteral("invalid"), QStringLiteral("kv heads and tensor parallel size do not divide")}};
}

struct AnswerTo
{
    Answer operator()(const CacheQuestion &question) const
    {
        const memory::Estimate estimate = memory::cacheNeed(question.model, question.query);
        if (const auto *refusal = std::get_if<Refusal>(&estimate))
            return *refusal;
        Figures figures;
        addNeed(figures, question, std::get<memory::MemoryResult>(estimate));
        if (question.model.num_attention_heads)
            figures.add("query_heads_divisible", *question.model.num_attention_heads % question.query.tp == 0);
        if (question.profile.engine == memory::Engine::ideal)
            return figures;
        const memory::Allocation allocation = memory::allocate(question.model, question.query, question.profile);
        if (const auto *refusal = std::get_if<Refusal>(&allocation))
            return *refusal;
        addAllocation(figures, question, std::get<memory::Allocated>(allocation));
        return figures;
    }

    Answer operator()(const PlanQuestion &question) const
    {
        const auto need = [&question](qint64 seq_len) -> std::variant<Bytes, Refusal> {
            memory::MemoryQuery query;
            query.seq_len = seq_len;
            if (question.round_tokens > 0)
                query.seq_len = (seq_len + question.round_tokens - 1) / question.round_tokens * question.round_tokens;
            const memory::Estimate estimate = memory::cacheNeed(question.model, query);
            if (const auto *refusal = std::get_if<Refusal>(&estimate))
                return *refusal;
            return std::get<memory::MemoryResult>(estimate).bytes;
        };
        const Bytes budget = memory::cacheBudget(question.budget);
        const auto planned
            = memory::plan({budget, question.seq_len, question.batch, question.model.max_position}, need);
        if (const auto *refusal = std::get_if<Refusal>(&planned))
            return *refusal;
        const auto &plan = std::get<memory::Plan>(planned);
        Figures figures;
        figures.add("budget_bytes", budget);
        figures.add("fits", plan.fits);
        if (budget < 0)
            figures.add("overflow_bytes", Bytes(-budget));
        figures.add("need_bytes", plan.need);
        figures.add("max_batch", Bytes(plan.max_batch));
        figures.add("max_seq_len", Bytes(plan.max_seq_len));
        figures.values.insert(QStringLiteral("limited_by"),
            plan.limited_by_position ? QStringLiteral("max_position") : QStringLiteral("memory"));
        return figures;
    }

    Answer operator()(const ParameterQuestion &question) const
    {
        const Bytes parameters = memory::denseParameters(question.shape);
        Figures figures;
        figures.add("parameters", parameters);
        figures.add("bf16_bytes", Bytes(parameters * 2));
        figures.sized = parameters * 2;
        return figures;
    }

    Answer operator()(const ProductQuestion &question) const
    {
        Figures figures;
        if (!question.list) {
            figures.add("total_bytes", question.products.constFirst());
            figures.sized = question.products.constFirst();
            return figures;
        }
        QJsonArray sizes;
        for (const Bytes &bytes : question.products)
            sizes << memory::toUnitString(bytes, 20, 1);
        figures.values.insert(QStringLiteral("mib"), sizes);
        return figures;
    }

    Answer operator()(const PoolQuestion &question) const
    {
        const Bytes blocks = question.available / question.page_bytes / question.layers_per_group;
        Figures figures;
        figures.add("blocks", blocks);
        figures.add("tokens", Bytes(blocks / question.groups * question.block_size));
        return figures;
    }

    Answer operator()(const ConcurrencyQuestion &question) const
    {
        // In ten-thousandths, rounded half up, and shown with as many decimals.
        const Bytes scaled
            = (Bytes(question.tokens) * 10'000 * 2 + question.max_model_len) / (Bytes(question.max_model_len) * 2);
        QString digits = memory::toDecimalString(scaled).rightJustified(5, u'0');
        digits.insert(digits.size() - 4, u'.');
        Figures figures;
        figures.values.insert(QStringLiteral("concurrency"), digits);
        return figures;
    }
};

} // namespace

QJsonValue bytesJson(const Bytes &bytes)
{
    if (bytes <= (Bytes(1) << 53))
        return bytes.convert_to<qint64>();
    return memory::toDecimalString(bytes);
}

std::variant<QJsonObject, Refusal> figures(const RowQuestion &question, const QJsonObject &expect)
{
    const Answer answer = std::visit(AnswerTo{}, question);
    if (const auto *refusal = std::get_if<Refusal>(&answer)) {
        const QJsonObject words = expectedRefusal(*refusal, expect);
        if (words.isEmpty())
            return *refusal;
        return words;
    }
    const Figures &known = std::get<Figures>(answer);
    QJsonObject got;
    for (const QString &name : expect.keys()) {
        QJsonValue value = known.values.value(name);
        if (value.isUndefined() && known.sized)
            value = sizeFigure(name, expect.value(name), *known.sized);
        if (value.isUndefined())
            return notComputed(name);
        got.insert(name, value);
    }
    return got;
}

} // namespace kvlab::cli
