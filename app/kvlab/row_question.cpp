// SPDX-License-Identifier: GPL-3.0-or-later
#include "row_question.h"

#include "memory/model_json.h"
#include "memory/model_list.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace kvlab::cli {

namespace {

using memory::Bytes;
using memory::Refusal;

using Reading = std::variant<RowQuestion, Refusal, BadRow>;

/// The first member that is not in `known`: fail closed, so that a field that changes the figure is never overlooked.
std::optional<Refusal> unknownMember(const QJsonObject &object, const QStringList &known)
{
    for (const QString &key : object.keys()) {
        if (!known.contains(key))
            return notComputed(key);
    }
    return std::nullopt;
}

QStringList names(std::initializer_list<const char *> texts)
{
    QStringList list;
    for (const char *text : texts)
        list << QLatin1String(text);
    return list;
}

/// Members that say where a row comes from, not what it asks.
const QStringList &descriptions()
{
    static const QStringList list = names({"id", "group", "label", "expect", "source", "published"});
    return list;
}

/// Whole numbers of one object; keeps the first complaint.
class Numbers
{
public:
    explicit Numbers(const QJsonObject &object)
        : m_object(object)
    {
    }

    qint64 required(const char *key, qint64 smallest = 1, qint64 largest = memory::maxSeqLen)
    {
        const QJsonValue value = m_object.value(QLatin1String(key));
        const qint64 number = value.toInteger(smallest - 1);
        if (value.isDouble() && number >= smallest && number <= largest)
            return number;
        m_complaint = QCoreApplication::translate("kvlab", "its “%1” cannot be computed").arg(QLatin1String(key));
        return smallest;
    }

    qint64 optional(const char *key, qint64 otherwise, qint64 smallest = 1, qint64 largest = memory::maxSeqLen)
    {
        return m_object.contains(QLatin1String(key)) ? required(key, smallest, largest) : otherwise;
    }

    const QString &complaint() const { return m_complaint; }

private:
    QJsonObject m_object;
    QString m_complaint;
};

std::variant<memory::ModelSpec, Refusal, BadRow> readModel(const QJsonObject &object)
{
    if (const QJsonValue name = object.value(QLatin1String("model")); name.isString()) {
        if (const memory::ModelSpec *model = memory::findModel(name.toString()))
            return *model;
        return BadRow{QCoreApplication::translate("kvlab", "it names the model “%1”, which the list does not hold")
                          .arg(name.toString())};
    }
    const QJsonValue groups = object.value(QLatin1String("architecture"));
    if (!groups.isArray())
        return Refusal{QStringLiteral("no_model"),
            QCoreApplication::translate("kvlab", "The row names neither a model nor an architecture.")};
    const auto caches = memory::cachesFromJson(groups.toArray());
    if (const auto *error = std::get_if<QString>(&caches))
        return BadRow{*error};
    memory::ModelSpec model;
    model.name = QCoreApplication::translate("kvlab", "The row's architecture");
    model.caches = std::get<QList<memory::CacheSpec>>(caches);
    return model;
}

std::optional<Refusal> readFormats(const QJsonObject &row, memory::MemoryQuery &query)
{
    std::optional<Refusal> refusal;
    const auto read = [&](const char *key) -> std::optional<memory::CacheFormat> {
        const QJsonValue value = row.value(QLatin1String(key));
        if (value.isUndefined())
            return std::nullopt;
        const auto format = memory::cacheFormatFromName(value.toString());
        if (!format)
            refusal = Refusal{QStringLiteral("unsupported_format"),
                QCoreApplication::translate("kvlab", "The cache format “%1” is not computed by this version.")
                    .arg(value.toString())};
        return format;
    };
    query.kv_dtype = read("kv_dtype").value_or(memory::CacheFormat::bf16);
    query.kv_dtype = read("k_dtype").value_or(query.kv_dtype);
    query.v_dtype = read("v_dtype");
    query.sliding_dtype = read("sliding_dtype");
    return refusal;
}

/// The words of the rows for what engines do to a sequence's length.
std::optional<memory::AllocationProfile> profileOf(const QString &rounding, Numbers &params)
{
    using memory::Engine;
    const auto pages = [](Engine engine, qint64 size) {
        auto profile = memory::defaultProfile(engine);
        profile.block_size = size;
        return profile;
    };
    if (rounding == QLatin1String("none"))
        return memory::defaultProfile(Engine::ideal);
    if (rounding == QLatin1String("vllm_block16"))
        return pages(Engine::vllm, 16);
    if (rounding == QLatin1String("llamacpp_pad256"))
        return pages(Engine::llama_cpp, 256);
    if (rounding == QLatin1String("page64"))
        return pages(Engine::sglang, 64);
    // mlx-lm grows each sequence in steps, which is the same arithmetic as pages.
    if (rounding == QLatin1String("mlx_step256"))
        return pages(Engine::sglang, 256);
    if (rounding == QLatin1String("vllm_window")) {
        auto profile = pages(Engine::vllm, params.required("block_size"));
        profile.max_num_batched_tokens = params.required("max_num_batched_tokens");
        return profile;
    }
    if (rounding == QLatin1String("llamacpp_iswa")) {
        auto profile = pages(Engine::llama_cpp, params.required("pad"));
        profile.n_ubatch = params.required("n_ubatch");
        return profile;
    }
    return std::nullopt;
}

Reading readCacheRow(const QJsonObject &row)
{
    static const QStringList members = descriptions()
        + names({"model", "architecture", "kv_dtype", "k_dtype", "v_dtype", "sliding_dtype", "seq_len", "batch", "tp",
            "rounding", "params"});
    const QJsonObject params = row.value(QLatin1String("params")).toObject();
    if (const auto refusal = unknownMember(row, members))
        return *refusal;
    if (const auto refusal
        = unknownMember(params, names({"block_size", "max_num_batched_tokens", "pad", "n_ubatch", "n_seq_max"})))
        return *refusal;
    const auto model = readModel(row);
    if (const auto *refusal = std::get_if<Refusal>(&model))
        return *refusal;
    if (const auto *bad = std::get_if<BadRow>(&model))
        return *bad;
    CacheQuestion question;
    question.model = std::get<memory::ModelSpec>(model);
    if (const auto refusal = readFormats(row, question.query))
        return *refusal;
    Numbers numbers(row);
    question.query.seq_len = numbers.required("seq_len", 0);
    question.query.batch = numbers.optional("batch", 1, 0, memory::maxBatch);
    question.query.tp = numbers.optional("tp", 1, 1, memory::maxRanks);
    Numbers settings(params);
    const QString rounding = row.value(QLatin1String("rounding")).toString(QStringLiteral("none"));
    const auto profile = profileOf(rounding, settings);
    if (!profile)
        return notComputed(QStringLiteral("rounding ") + rounding);
    // The sequences of the row are the engine's slots; any other number would be another question.
    if (settings.optional("n_seq_max", question.query.batch) != question.query.batch)
        return notComputed(QStringLiteral("n_seq_max"));
    for (const QString &complaint : {numbers.complaint(), settings.complaint()}) {
        if (!complaint.isEmpty())
            return BadRow{complaint};
    }
    question.profile = *profile;
    return question;
}

Reading readPlanRow(const QJsonObject &row)
{
    static const QStringList members = descriptions()
        + names({"model", "architecture", "capacity_bytes", "util_permille", "weights_bytes", "overhead_bytes",
            "round_tokens", "seq_len", "batch"});
    if (const auto refusal = unknownMember(row, members))
        return *refusal;
    const auto model = readModel(row);
    if (const auto *refusal = std::get_if<Refusal>(&model))
        return *refusal;
    if (const auto *bad = std::get_if<BadRow>(&model))
        return *bad;
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    Numbers numbers(row);
    PlanQuestion question;
    question.model = std::get<memory::ModelSpec>(model);
    question.budget.capacity = numbers.required("capacity_bytes", 1, most);
    question.budget.util_permille = numbers.required("util_permille", 1, 1000);
    question.budget.weights = numbers.required("weights_bytes", 0, most);
    question.budget.overhead = numbers.required("overhead_bytes", 0, most);
    question.round_tokens = numbers.optional("round_tokens", 0, 0);
    question.seq_len = numbers.required("seq_len");
    question.batch = numbers.optional("batch", 1, 1, memory::maxBatch);
    if (!numbers.complaint().isEmpty())
        return BadRow{numbers.complaint()};
    return question;
}

Reading readParameterRow(const QJsonObject &row)
{
    if (const auto refusal = unknownMember(row, descriptions() + names({"model", "config"})))
        return *refusal;
    const QJsonObject config = row.value(QLatin1String("config")).toObject();
    if (const auto refusal = unknownMember(config,
            names({"layers", "heads", "kv_heads", "head_dim", "hidden", "intermediate", "vocab", "tied", "qkv_bias",
                "qk_norm"})))
        return *refusal;
    constexpr qint64 most = 1'000'000'000;
    Numbers numbers(config);
    memory::DenseShape shape;
    shape.layers = numbers.required("layers", 1, most);
    shape.heads = numbers.required("heads", 1, most);
    shape.kv_heads = numbers.required("kv_heads", 1, most);
    shape.head_dim = numbers.required("head_dim", 1, most);
    shape.hidden = numbers.required("hidden", 1, most);
    shape.intermediate = numbers.required("intermediate", 1, most);
    shape.vocab = numbers.required("vocab", 1, most);
    shape.tied = config.value(QLatin1String("tied")).toBool();
    shape.qkv_bias = config.value(QLatin1String("qkv_bias")).toBool();
    shape.qk_norm = config.value(QLatin1String("qk_norm")).toBool();
    if (!numbers.complaint().isEmpty())
        return BadRow{numbers.complaint()};
    return ParameterQuestion{shape};
}

// Published figures -----------------------------------------------------------------------------------------------

/// K tensors alone, as some engines print them.
void dropValues(memory::ModelSpec &model)
{
    for (memory::CacheSpec &cache : model.caches) {
        if (auto *full = std::get_if<memory::FullAttention>(&cache))
            full->shape.v_head_dim = 0;
    }
}

/// Layers with a window hold every token: vLLM counts its pool so, in tokens of all groups.
void dropWindows(memory::ModelSpec &model)
{
    for (memory::CacheSpec &cache : model.caches) {
        if (const auto *sliding = std::get_if<memory::SlidingWindow>(&cache))
            cache = memory::FullAttention{sliding->layers, sliding->shape};
    }
}

Reading readPublishedCache(const QJsonObject &row, const QJsonObject &inputs)
{
    if (const auto refusal
        = unknownMember(inputs, names({"model", "architecture", "tokens", "blocks", "block_size", "tp", "k_only"})))
        return *refusal;
    const auto model = readModel(inputs);
    if (const auto *refusal = std::get_if<Refusal>(&model))
        return *refusal;
    if (const auto *bad = std::get_if<BadRow>(&model))
        return *bad;
    CacheQuestion question;
    question.published = true;
    question.model = std::get<memory::ModelSpec>(model);
    Numbers numbers(inputs);
    question.query.tp = numbers.optional("tp", 1, 1, memory::maxRanks);
    if (inputs.contains(QLatin1String("tokens")))
        question.query.seq_len = numbers.required("tokens");
    else
        question.query.seq_len = numbers.required("block_size", 1, memory::maxBatch)
            * std::min<qint64>(numbers.optional("blocks", 1, 1, memory::maxBatch), memory::maxSeqLen);
    if (inputs.value(QLatin1String("k_only")).toBool())
        dropValues(question.model);
    // The row says this in words only.
    if (row.value(QLatin1String("label")).toString().contains(QLatin1String("hold every token")))
        dropWindows(question.model);
    if (!numbers.complaint().isEmpty())
        return BadRow{numbers.complaint()};
    return question;
}

Reading readProducts(const QJsonObject &inputs)
{
    Numbers numbers(inputs);
    ProductQuestion question;
    const QJsonValue per_token = inputs.value(QLatin1String("bytes_per_token"));
    if (per_token.isArray()) {
        question.list = true;
        const Bytes chunk = numbers.required("chunk");
        for (const QJsonValue &value : per_token.toArray())
            question.products << Bytes(chunk * value.toInteger());
    } else {
        const Bytes entry = inputs.contains(QLatin1String("bytes_per_token"))
            ? Bytes(numbers.required("bytes_per_token"))
            : Bytes(Bytes(numbers.required("layers")) * numbers.required("bytes_per_token_layer"));
        question.products << Bytes(entry * numbers.required("tokens"));
    }
    if (!numbers.complaint().isEmpty())
        return BadRow{numbers.complaint()};
    return question;
}

/// "24.54" GiB in whole bytes, the rest dropped.
std::optional<Bytes> gibText(const QString &text)
{
    static const QRegularExpression decimal(QStringLiteral("^([0-9]{1,9})(?:\\.([0-9]{1,9}))?$"));
    const auto match = decimal.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    Bytes scale = 1;
    for (qsizetype i = 0; i < match.capturedLength(2); ++i)
        scale *= 10;
    const Bytes digits = (match.captured(1) + match.captured(2)).toLongLong();
    return Bytes((digits << 30) / scale);
}

Reading readPool(const QJsonObject &inputs)
{
    if (const auto refusal
        = unknownMember(inputs, names({"available_gib", "page_bytes", "layers_per_group", "groups", "block_size"})))
        return *refusal;
    Numbers numbers(inputs);
    const auto available = gibText(inputs.value(QLatin1String("available_gib")).toString());
    const PoolQuestion question{available.value_or(0), numbers.required("page_bytes"),
        numbers.required("layers_per_group"), numbers.required("groups"), numbers.required("block_size")};
    if (!available || !numbers.complaint().isEmpty())
        return BadRow{QCoreApplication::translate("kvlab", "its memory or its pages cannot be computed")};
    return question;
}

Reading readPublishedRow(const QJsonObject &row)
{
    if (const auto refusal = unknownMember(row, descriptions() + names({"inputs"})))
        return *refusal;
    const QJsonObject inputs = row.value(QLatin1String("inputs")).toObject();
    if (inputs.contains(QLatin1String("available_gib")))
        return readPool(inputs);
    if (inputs.contains(QLatin1String("bytes_per_token")) || inputs.contains(QLatin1String("bytes_per_token_layer"))) {
        if (const auto refusal
            = unknownMember(inputs, names({"chunk", "layers", "bytes_per_token", "bytes_per_token_layer", "tokens"})))
            return *refusal;
        return readProducts(inputs);
    }
    if (inputs.contains(QLatin1String("max_model_len"))) {
        Numbers numbers(inputs);
        const ConcurrencyQuestion question{
            numbers.required("blocks", 1, memory::maxBatch) * numbers.required("block_size", 1, memory::maxBatch),
            numbers.required("max_model_len")};
        if (!numbers.complaint().isEmpty())
            return BadRow{numbers.complaint()};
        return question;
    }
    return readPublishedCache(row, inputs);
}

} // namespace

Refusal notComputed(const QString &what)
{
    return {QStringLiteral("unsupported_field"),
        QCoreApplication::translate("kvlab", "The row asks for “%1”, which this version does not compute.").arg(what)};
}

std::variant<RowQuestion, Refusal, BadRow> readRow(const QJsonObject &row)
{
    if (row.value(QLatin1String("expect")).toObject().isEmpty())
        return BadRow{QCoreApplication::translate("kvlab", "it expects nothing")};
    if (row.contains(QLatin1String("inputs")))
        return readPublishedRow(row);
    if (row.contains(QLatin1String("capacity_bytes")))
        return readPlanRow(row);
    if (row.contains(QLatin1String("config")))
        return readParameterRow(row);
    return readCacheRow(row);
}

} // namespace kvlab::cli
