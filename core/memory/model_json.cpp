// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/model_json.h"

#include <QCoreApplication>

namespace kvlab::memory {

namespace {

constexpr qint64 maxLayers = 100'000;
constexpr qint64 maxWidth = 1'000'000; ///< heads and dims
constexpr qint64 maxCount = 1'000'000'000'000; ///< tokens and elements

/// Reads integers out of one object and keeps the first complaint.
class Fields
{
public:
    explicit Fields(const QJsonObject &object)
        : m_object(object)
    {
    }

    qint64 required(const QString &key, qint64 smallest, qint64 largest)
    {
        const auto value = optional(key, smallest, largest);
        if (!value && m_error.isEmpty())
            m_error = QCoreApplication::translate("memory", "the field “%1” is missing").arg(key);
        return value.value_or(smallest);
    }

    std::optional<qint64> optional(const QString &key, qint64 smallest, qint64 largest)
    {
        const QJsonValue value = m_object.value(key);
        if (value.isUndefined() || value.isNull())
            return std::nullopt;
        // No integer is below the limits and equal to both defaults, so a fraction or a text is told apart.
        const qint64 number = value.toInteger(smallest - 1);
        if (number < smallest || number > largest) {
            if (m_error.isEmpty())
                m_error
                    = QCoreApplication::translate("memory", "the field “%1” must be a whole number between %2 and %3")
                          .arg(key, QString::number(smallest), QString::number(largest));
            return std::nullopt;
        }
        return number;
    }

    QString text(const QString &key) const { return m_object.value(key).toString(); }
    QString error() const { return m_error; }

private:
    QJsonObject m_object;
    QString m_error;
};

qint64 readLayers(Fields &fields)
{
    return fields.required(QStringLiteral("layers"), 1, maxLayers);
}

qint64 readWidth(Fields &fields, const QString &key)
{
    return fields.required(key, 1, maxWidth);
}

AttentionShape readShape(Fields &fields)
{
    AttentionShape shape;
    shape.kv_heads_sum = fields.optional(QStringLiteral("kv_heads_sum"), 1, maxLayers * maxWidth);
    if (!shape.kv_heads_sum)
        shape.kv_heads = readWidth(fields, QStringLiteral("kv_heads"));
    shape.head_dim = readWidth(fields, QStringLiteral("head_dim"));
    shape.v_head_dim = fields.optional(QStringLiteral("v_head_dim"), 1, maxWidth).value_or(shape.head_dim);
    return shape;
}

CompressedAttention readCompressed(Fields &fields)
{
    return {.layers = readLayers(fields),
        .head_dim = readWidth(fields, QStringLiteral("head_dim")),
        .window = fields.required(QStringLiteral("window"), 1, maxCount),
        .ratio = fields.required(QStringLiteral("ratio"), 0, maxCount),
        .indexer_entry_bytes = fields.optional(QStringLiteral("indexer_entry_bytes"), 0, maxWidth).value_or(0)};
}

std::optional<CacheSpec> readGroup(const QString &kind, Fields &fields)
{
    if (kind == QLatin1String("full"))
        return FullAttention{.layers = readLayers(fields), .shape = readShape(fields)};
    if (kind == QLatin1String("sliding"))
        return SlidingWindow{.layers = readLayers(fields),
            .shape = readShape(fields),
            .window = fields.required(QStringLiteral("window"), 1, maxCount)};
    if (kind == QLatin1String("chunked"))
        return ChunkedAttention{.layers = readLayers(fields),
            .shape = readShape(fields),
            .chunk = fields.required(QStringLiteral("chunk"), 1, maxCount)};
    if (kind == QLatin1String("mla"))
        return MlaLatent{.layers = readLayers(fields),
            .kv_lora_rank = readWidth(fields, QStringLiteral("kv_lora_rank")),
            .qk_rope_head_dim = readWidth(fields, QStringLiteral("qk_rope_head_dim")),
            .entry_bytes = fields.optional(QStringLiteral("entry_bytes"), 1, maxWidth)};
    if (kind == QLatin1String("indexer"))
        return Indexer{.layers = readLayers(fields),
            .index_head_dim = readWidth(fields, QStringLiteral("index_head_dim")),
            .entry_bytes = readWidth(fields, QStringLiteral("entry_bytes"))};
    if (kind == QLatin1String("compressed"))
        return readCompressed(fields);
    if (kind == QLatin1String("state"))
        return FixedState{.layers = readLayers(fields),
            .type = fields.text(QStringLiteral("type")),
            .conv_elements = fields.required(QStringLiteral("conv_elements"), 0, maxCount),
            .recurrent_elements = fields.required(QStringLiteral("recurrent_elements"), 0, maxCount)};
    if (kind == QLatin1String("cross"))
        return CrossAttention{.layers = readLayers(fields),
            .kv_heads = readWidth(fields, QStringLiteral("kv_heads")),
            .head_dim = readWidth(fields, QStringLiteral("head_dim")),
            .encoder_tokens = fields.required(QStringLiteral("encoder_tokens"), 1, maxCount)};
    if (kind == QLatin1String("none"))
        return NoCache{.layers = readLayers(fields), .reason = fields.text(QStringLiteral("reason"))};
    return std::nullopt;
}

void writeShape(QJsonObject &object, const AttentionShape &shape)
{
    if (shape.kv_heads_sum)
        object.insert(QStringLiteral("kv_heads_sum"), *shape.kv_heads_sum);
    else
        object.insert(QStringLiteral("kv_heads"), shape.kv_heads);
    object.insert(QStringLiteral("head_dim"), shape.head_dim);
    if (shape.v_head_dim != shape.head_dim)
        object.insert(QStringLiteral("v_head_dim"), shape.v_head_dim);
}

/// Writes what is particular to a kind; "kind" and "layers" are there already.
struct WriteGroup
{
    QJsonObject &object;

    void operator()(const FullAttention &group) const { writeShape(object, group.shape); }
    void operator()(const SlidingWindow &group) const
    {
        writeShape(object, group.shape);
        object.insert(QStringLiteral("window"), group.window);
    }
    void operator()(const ChunkedAttention &group) const
    {
        writeShape(object, group.shape);
        object.insert(QStringLiteral("chunk"), group.chunk);
    }
    void operator()(const MlaLatent &group) const
    {
        object.insert(QStringLiteral("kv_lora_rank"), group.kv_lora_rank);
        object.insert(QStringLiteral("qk_rope_head_dim"), group.qk_rope_head_dim);
        if (group.entry_bytes)
            object.insert(QStringLiteral("entry_bytes"), *group.entry_bytes);
    }
    void operator()(const Indexer &group) const
    {
        object.insert(QStringLiteral("index_head_dim"), group.index_head_dim);
        object.insert(QStringLiteral("entry_bytes"), group.entry_bytes);
    }
    void operator()(const CompressedAttention &group) const
    {
        object.insert(QStringLiteral("head_dim"), group.head_dim);
        object.insert(QStringLiteral("window"), group.window);
        object.insert(QStringLiteral("ratio"), group.ratio);
        if (group.indexer_entry_bytes > 0)
            object.insert(QStringLiteral("indexer_entry_bytes"), group.indexer_entry_bytes);
    }
    void operator()(const FixedState &group) const
    {
        object.insert(QStringLiteral("type"), group.type);
        object.insert(QStringLiteral("conv_elements"), group.conv_elements);
        object.insert(QStringLiteral("recurrent_elements"), group.recurrent_elements);
    }
    void operator()(const CrossAttention &group) const
    {
        object.insert(QStringLiteral("kv_heads"), group.kv_heads);
        object.insert(QStringLiteral("head_dim"), group.head_dim);
        object.insert(QStringLiteral("encoder_tokens"), group.encoder_tokens);
    }
    void operator()(const NoCache &group) const { object.insert(QStringLiteral("reason"), group.reason); }
};

QStringList texts(const QJsonValue &array)
{
    QStringList list;
    for (const QJsonValue &value : array.toArray())
        list << value.toString();
    return list;
}

} // namespace

std::variant<QList<CacheSpec>, QString> cachesFromJson(const QJsonArray &groups)
{
    QList<CacheSpec> caches;
    for (const QJsonValue &value : groups) {
        const QJsonObject object = value.toObject();
        const QString kind = object.value(QLatin1String("kind")).toString();
        Fields fields(object);
        const auto cache = readGroup(kind, fields);
        const QString number = QString::number(caches.size() + 1);
        if (!cache)
            return QCoreApplication::translate(
                "memory", "Group %1 of layers has the kind “%2”, which is not known here.")
                .arg(number, kind);
        if (!fields.error().isEmpty())
            return QCoreApplication::translate("memory", "Group %1 of layers (%2) cannot be read: %3.")
                .arg(number, kind, fields.error());
        caches << *cache;
    }
    if (caches.isEmpty())
        return QCoreApplication::translate(
            "memory", "The model names no groups of layers, so nothing can be computed.");
    return caches;
}

QJsonArray cachesToJson(const QList<CacheSpec> &caches)
{
    QJsonArray groups;
    for (const CacheSpec &cache : caches) {
        QJsonObject object{
            {QStringLiteral("kind"), cacheKindName(cache)}, {QStringLiteral("layers"), cacheLayers(cache)}};
        std::visit(WriteGroup{object}, cache);
        groups << object;
    }
    return groups;
}

std::variant<ModelSpec, QString> modelFromJson(const QJsonObject &object)
{
    const auto caches = cachesFromJson(object.value(QLatin1String("caches")).toArray());
    if (const auto *error = std::get_if<QString>(&caches))
        return *error;
    Fields fields(object);
    ModelSpec model;
    model.id = fields.text(QStringLiteral("id"));
    model.name = fields.text(QStringLiteral("name"));
    model.family = fields.text(QStringLiteral("family"));
    model.params = fields.optional(QStringLiteral("params"), 1, std::numeric_limits<qint64>::max());
    model.num_layers = fields.optional(QStringLiteral("num_layers"), 1, maxLayers);
    model.num_attention_heads = fields.optional(QStringLiteral("num_attention_heads"), 1, maxWidth);
    model.hidden_size = fields.optional(QStringLiteral("hidden_size"), 1, maxWidth);
    model.max_position = fields.optional(QStringLiteral("max_position"), 1, maxCount);
    model.default_dtype = fields.text(QStringLiteral("default_dtype"));
    model.recurrent_state_fp32 = fields.text(QStringLiteral("recurrent_state_dtype")) == QLatin1String("fp32");
    model.caches = std::get<QList<CacheSpec>>(caches);
    model.sources = texts(object.value(QLatin1String("source")));
    model.notes = texts(object.value(QLatin1String("notes")));
    model.teaching_only = object.value(QLatin1String("teaching_only")).toBool();
    model.weight_bytes = fields.optional(QStringLiteral("weight_bytes"), 1, std::numeric_limits<qint64>::max());
    const QJsonObject origins = object.value(QLatin1String("field_sources")).toObject();
    for (auto origin = origins.begin(); origin != origins.end(); ++origin)
        model.field_sources.insert(origin.key(), origin.value().toString());
    if (!fields.error().isEmpty())
        return QCoreApplication::translate("memory", "The model “%1” cannot be read: %2.")
            .arg(model.id, fields.error());
    if (model.id.isEmpty() || model.name.isEmpty())
        return QCoreApplication::translate("memory", "A model of the list has no id or no name.");
    return model;
}

QJsonObject modelToJson(const ModelSpec &model)
{
    QJsonObject object{{QStringLiteral("id"), model.id}, {QStringLiteral("name"), model.name},
        {QStringLiteral("family"), model.family}, {QStringLiteral("caches"), cachesToJson(model.caches)}};
    const std::pair<QString, std::optional<qint64>> numbers[]{{QStringLiteral("params"), model.params},
        {QStringLiteral("num_layers"), model.num_layers},
        {QStringLiteral("num_attention_heads"), model.num_attention_heads},
        {QStringLiteral("hidden_size"), model.hidden_size}, {QStringLiteral("max_position"), model.max_position},
        {QStringLiteral("weight_bytes"), model.weight_bytes}};
    for (const auto &[key, value] : numbers) {
        if (value)
            object.insert(key, *value);
    }
    if (!model.default_dtype.isEmpty())
        object.insert(QStringLiteral("default_dtype"), model.default_dtype);
    if (model.recurrent_state_fp32)
        object.insert(QStringLiteral("recurrent_state_dtype"), QStringLiteral("fp32"));
    if (model.teaching_only)
        object.insert(QStringLiteral("teaching_only"), true);
    object.insert(QStringLiteral("source"), QJsonArray::fromStringList(model.sources));
    object.insert(QStringLiteral("notes"), QJsonArray::fromStringList(model.notes));
    QJsonObject origins;
    for (auto origin = model.field_sources.cbegin(); origin != model.field_sources.cend(); ++origin)
        origins.insert(origin.key(), origin.value());
    if (!origins.isEmpty())
        object.insert(QStringLiteral("field_sources"), origins);
    return object;
}

} // namespace kvlab::memory
