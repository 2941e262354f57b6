// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/config_caches.h"
#include "memory/importers/config_hints.h"
#include "memory/importers/imported_name.h"
#include "memory/importers/layer_shapes.h"
#include "memory/importers/model_import.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

void warnDuplicates(const JsonTree &tree, ImportLog &log)
{
    for (const QString &key : tree.duplicate_keys)
        log.warn(key,
            QCoreApplication::translate(
                "import", "“%1” is a duplicate key: it stands in the file more than once. The last one counts.")
                .arg(key));
}

/// What is only told, never computed with: a bad value there does not refuse the file.
void addSideFacts(ModelSpec &spec, const LanguageModel &model)
{
    const FieldReader &config = model.config;
    const auto small
        = [](std::optional<qint64> value) { return value && *value <= maxImportedWidth ? value : std::nullopt; };
    spec.num_attention_heads = small(config.knownCount({"num_attention_heads"_L1, "n_head"_L1, "n_heads"_L1,
        "num_heads"_L1, "attention_heads"_L1, "decoder_attention_heads"_L1}));
    spec.hidden_size = small(
        config.knownCount({"hidden_size"_L1, "n_embd"_L1, "n_embed"_L1, "d_model"_L1, "model_dim"_L1, "dim"_L1}));
    const auto mtp = config.knownCount({"num_nextn_predict_layers"_L1, "mtp_num_hidden_layers"_L1});
    if (mtp)
        spec.notes << QCoreApplication::translate("import",
            "Layers for multi-token prediction (%1) are not counted: they keep a cache only while they are used.")
                          .arg(QString::number(*mtp));
}

} // namespace

ImportResult importConfigJson(const QByteArray &json, const QString &name)
{
    auto parsed = parseJson(json);
    if (const auto *refusal = std::get_if<Refusal>(&parsed))
        return *refusal;
    const auto &tree = std::get<JsonTree>(parsed);
    ImportLog log;
    const auto model = findLanguageModel(tree.root, log);
    const auto layers = model ? readLayerCount(*model) : std::nullopt;
    const auto context = layers ? readContext(*model) : std::nullopt;
    if (log.refusal)
        return *log.refusal;

    const auto tokens = context ? std::optional(context->value) : std::nullopt;
    const ConfigCaches read = readCaches(*model, *layers, tokens);
    if (log.refusal)
        return *log.refusal;
    warnDuplicates(tree, log);
    const CacheTypes types = readTypes(*model);

    ImportedModel imported;
    ModelSpec &spec = imported.model;
    spec.name = name;
    spec.id = importedId(name);
    spec.family = model->type;
    spec.num_layers = layers->value;
    spec.max_position = tokens;
    if (context)
        log.remember(u"max_position"_s, context->field);
    spec.default_dtype = types.weights;
    spec.recurrent_state_fp32 = read.recurrent_state_fp32;
    spec.caches = read.caches;
    spec.params = readParameters(*model, spec.caches);
    addSideFacts(spec, *model);
    spec.field_sources = log.sources;
    imported.warnings = log.warnings;
    imported.kv_dtype_default = types.kv_default;
    imported.kv_dtype_hint = types.kv_hint;
    return imported;
}

} // namespace kvlab::memory
