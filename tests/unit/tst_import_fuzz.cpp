// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a file holds, importing it ends in a model whose cache can be computed or in a refusal that says why; it
// never crashes. Fixed seeds, so that a failure comes again.
#include "import_bench.h"

#include <QRandomGenerator>

using namespace kvlab::test;

namespace {

/// Real configurations, as text.
QList<QByteArray> sampleTexts()
{
    QList<QByteArray> texts;
    for (const QJsonValue &file : expectedFiles())
        texts << contents(inputFolder + file[QLatin1String("file")].toString());
    return texts;
}

/// Empty when the result is sound.
QString complaintAbout(const ImportResult &result)
{
    if (const auto *refusal = std::get_if<Refusal>(&result)) {
        const bool is_said = !refusal->reason.isEmpty() && refusal->message.size() > 20;
        return is_said ? QString() : QStringLiteral("a refusal without a reason");
    }
    const auto &imported = std::get<ImportedModel>(result);
    if (imported.model.caches.isEmpty())
        return QStringLiteral("a model without caches");
    if (const auto again = modelFromJson(modelToJson(imported.model)); std::holds_alternative<QString>(again))
        return std::get<QString>(again);
    qint64 layers = 0;
    for (const CacheSpec &cache : imported.model.caches) {
        if (cacheLayers(cache) < 1)
            return QStringLiteral("a group without layers");
        layers += cacheLayers(cache);
    }
    if (layers < *imported.model.num_layers)
        return QStringLiteral("layers are missing");
    const auto bytes = estimateBytes(imported.model, {maxSeqLen, 1, CacheFormat::bf16});
    const auto *refusal = std::get_if<Refusal>(&bytes);
    return refusal == nullptr || refusal->reason == QLatin1String("overflow") ? QString() : refusal->message;
}

/// A value of a random kind, often one that is wrong in a particular way.
QByteArray randomValue(QRandomGenerator &random)
{
    static const QList<QByteArray> values{"null", "true", "false", "0", "-0", "1", "2", "7", "-1", "1.5", "1e30",
        "1e999", "NaN", "Infinity", "-Infinity", "4294967328", "9223372036854775807", "18446744073709551616", "1000000",
        "100000", "\"\"", "\"8\"", "\"auto\"", "\"full_attention\"", "\"M*-E\"", "\"LLLG\"", "[]", "{}", "[null]",
        "[1,2,3]", "[[]]", "[-1]", "[1e30]", "[\"mamba\",\"attention\"]", "[\"spiral\"]", "[{\"attention\":{}}]",
        "[[[\"local\"],3]]", "{\"num_hidden_layers\":3}", "{\"kv_n_heads\":0}",
        "{\"full_attn_layers\":[1],\"kda_layers\":[2]}", "0.0000000000000000000000001", "12345678901234567890.0"};
    return values.at(random.bounded(values.size()));
}

/// Every key that any of the samples or rules knows.
QStringList knownKeys()
{
    QStringList keys{QStringLiteral("attn_config"), QStringLiteral("block_types"), QStringLiteral("conv_L_cache"),
        QStringLiteral("attention_types"), QStringLiteral("window_size"), QStringLiteral("layers_block_type"),
        QStringLiteral("hybrid_override_pattern"), QStringLiteral("compress_ratios"), QStringLiteral("llm_config"),
        QStringLiteral("hybrid_layer_pattern"), QStringLiteral("no_rope_layers"), QStringLiteral("decoder"),
        QStringLiteral("sliding_window_layers"), QStringLiteral("conv_window"), QStringLiteral("is_encoder_decoder"),
        QStringLiteral("num_swa_attention_heads"), QStringLiteral("swa_head_dim"), QStringLiteral("v_head_dim"),
        QStringLiteral("full_attn_idxs"), QStringLiteral("attn_layer_indices"), QStringLiteral("mamba_n_heads"),
        QStringLiteral("mamba_d_head"), QStringLiteral("max_source_positions"), QStringLiteral("dtype")};
    for (const QByteArray &text : sampleTexts()) {
        static const QRegularExpression key(QStringLiteral("\"(\\w+)\"\\s*:"));
        const QString all = QString::fromUtf8(text);
        for (auto match = key.globalMatch(all); match.hasNext();)
            keys << match.next().captured(1);
    }
    keys.removeDuplicates();
    keys.sort();
    return keys;
}

} // namespace

class TestImportFuzz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anyCutIsSurvived();
    void anyByteMayBeWrong();
    void anyFieldMayHoldAnything_data();
    void anyFieldMayHoldAnything();
    void fieldsMayBeMixed();
};

void TestImportFuzz::anyCutIsSurvived()
{
    for (const QByteArray &text : sampleTexts()) {
        const qsizetype step = std::max<qsizetype>(1, text.size() / 200);
        for (qsizetype length = 0; length < text.size(); length += step) {
            const auto result = import(text.left(length));
            QVERIFY2(complaintAbout(result).isEmpty(), qPrintable(complaintAbout(result)));
        }
    }
}

void TestImportFuzz::anyByteMayBeWrong()
{
    QRandomGenerator random(20250131);
    int accepted = 0;
    for (const QByteArray &text : sampleTexts()) {
        for (int round = 0; round < 200 && !text.isEmpty(); ++round) {
            QByteArray changed = text;
            for (int change = random.bounded(3); change >= 0; --change)
                changed[random.bounded(changed.size())] = static_cast<char>(random.bounded(256));
            const auto result = import(changed);
            accepted += std::holds_alternative<ImportedModel>(result) ? 1 : 0;
            QVERIFY2(complaintAbout(result).isEmpty(), (complaintAbout(result).toUtf8() + ": " + changed).constData());
        }
    }
    QVERIFY(accepted > 100); // the changes are small enough to reach what lies behind the parser
}

void TestImportFuzz::anyFieldMayHoldAnything_data()
{
    QTest::addColumn<QString>("key");
    for (const QString &key : knownKeys())
        QTest::newRow(qPrintable(key)) << key;
}

void TestImportFuzz::anyFieldMayHoldAnything()
{
    QFETCH(QString, key);
    QRandomGenerator random(7);
    for (const char *base : {"{}", R"({"model_type":"falcon_h1"})", R"({"model_type":"t5"})",
             R"({"model_type":"llama4_text"})", R"({"model_type":"kimi_linear","kv_lora_rank":512})",
             R"({"model_type":"gemma3_text","sliding_window":128})", R"({"model_type":"minimax"})"}) {
        for (int round = 0; round < 40; ++round) {
            // The later key counts.
            const QByteArray json
                = configWith(base).chopped(1) + ",\"" + key.toUtf8() + "\":" + randomValue(random) + '}';
            const auto result = import(json);
            QVERIFY2(complaintAbout(result).isEmpty(), (complaintAbout(result).toUtf8() + ": " + json).constData());
        }
    }
}

void TestImportFuzz::fieldsMayBeMixed()
{
    const QStringList keys = knownKeys();
    QRandomGenerator random(4096);
    for (int round = 0; round < 5'000; ++round) {
        QByteArray json = configWith("{}").chopped(1);
        for (int field = random.bounded(8); field >= 0; --field)
            json += ",\"" + keys.at(random.bounded(keys.size())).toUtf8() + "\":" + randomValue(random);
        const auto result = import(json + '}');
        QVERIFY2(complaintAbout(result).isEmpty(), (complaintAbout(result).toUtf8() + ": " + json).constData());
    }
}

QTEST_GUILESS_MAIN(TestImportFuzz)
#include "tst_import_fuzz.moc"
