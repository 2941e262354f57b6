// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in list, what its reader refuses, the course's grid, and what a typed count means (csv-cases.json,
// "counts").
#include "memory/model_json.h"
#include "memory/model_list.h"

#include <QJsonDocument>
#include <QtTest>

using namespace kvlab::memory;

class TestMemoryModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyModelIsThere();
    void layersAddUp();
    void everyKindIsRead();
    void groupsSurviveJson();
    void modelsSurviveJson();
    void modelsAreFoundByIdAndName();
    void badGroupsAreRefused_data();
    void badGroupsAreRefused();
    void handoutGridIsInOrder();
    void counts_data();
    void counts();
    void longTextIsNoCount();
};

void TestMemoryModels::everyModelIsThere()
{
    QCOMPARE(builtInModels().size(), 137);
    QSet<QString> ids;
    QSet<QString> names;
    for (const ModelSpec &model : builtInModels()) {
        ids << model.id.toCaseFolded();
        names << model.name.toCaseFolded();
        QVERIFY2(!model.sources.isEmpty(), qPrintable(model.id));
        QCOMPARE(model.teaching_only, model.name == handoutDeepSeekName());
    }
    QCOMPARE(ids.size(), 137);
    QCOMPARE(names.size(), 137);
}

void TestMemoryModels::layersAddUp()
{
    for (const ModelSpec &model : builtInModels()) {
        qint64 layers = 0;
        for (const CacheSpec &cache : model.caches) {
            const QString kind = cacheKindName(cache);
            // An indexer and cross attention belong to layers that are counted already.
            if (kind != QLatin1String("indexer") && kind != QLatin1String("cross"))
                layers += cacheLayers(cache);
        }
        // Every layer of Falcon-H1 owns an attention cache and a state.
        if (model.family == QLatin1String("Falcon-H1"))
            layers /= 2;
        QVERIFY2(model.num_layers == layers, qPrintable(model.id));
    }
}

void TestMemoryModels::everyKindIsRead()
{
    const auto group = [](const char *id, int index) { return findModel(QString::fromLatin1(id))->caches.at(index); };
    const auto window = std::get<SlidingWindow>(group("mimo-v2-flash-309b", 1));
    QCOMPARE(window.window, 128);
    QCOMPARE(window.shape.head_dim, 192);
    QCOMPARE(window.shape.v_head_dim, 128);
    QCOMPARE(std::get<ChunkedAttention>(group("llama-4-scout-17b-16e", 1)).chunk, 8192);
    QCOMPARE(std::get<MlaLatent>(group("deepseek-v3.2-fp8-ds-mla", 0)).entry_bytes, std::optional<qint64>(656));
    QCOMPARE(std::get<Indexer>(group("glm-5.2", 1)).entry_bytes, 132);
    QCOMPARE(std::get<CompressedAttention>(group("deepseek-v4-pro", 0)).indexer_entry_bytes, 256);
    QCOMPARE(std::get<CompressedAttention>(group("deepseek-v4-flash", 2)).ratio, 0);
    QCOMPARE(std::get<FixedState>(group("qwen3.5-27b", 1)).recurrent_elements, 786432);
    QCOMPARE(std::get<CrossAttention>(group("whisper-large-v3", 1)).encoder_tokens, 1500);
    QCOMPARE(std::get<NoCache>(group("hunyuan-large-389b", 1)).reason,
        QStringLiteral("cross-layer sharing, cla_share_factor 2"));
    QCOMPARE(std::get<FullAttention>(group("decilm-7b", 0)).shape.kv_heads_sum, std::optional<qint64>(67));
    QVERIFY(findModel(QStringLiteral("kimi-k3"))->recurrent_state_fp32);
    QVERIFY(!findModel(QStringLiteral("gpt-oss-20b"))->params.has_value()
        || *findModel(QStringLiteral("gpt-oss-20b"))->params > 0);
    QCOMPARE(findModel(QStringLiteral("deepseek-v3"))->params, std::optional<qint64>(671026419200));
    QCOMPARE(findModel(QStringLiteral("deepseek-v3"))->max_position, std::optional<qint64>(163840));
}

void TestMemoryModels::groupsSurviveJson()
{
    for (const ModelSpec &model : builtInModels()) {
        const QJsonArray written = cachesToJson(model.caches);
        const auto read = cachesFromJson(written);
        QVERIFY2(std::holds_alternative<QList<CacheSpec>>(read), qPrintable(model.id));
        QCOMPARE(cachesToJson(std::get<QList<CacheSpec>>(read)), written);
    }
}

void TestMemoryModels::modelsSurviveJson()
{
    QList<ModelSpec> models = builtInModels();
    models.first().weight_bytes = 9'007'199'254'740'993; // a double cannot hold it
    models.first().field_sources = {{QStringLiteral("head_dim"), QStringLiteral("hidden_size ÷ num_attention_heads")},
        {QStringLiteral("sliding.window"), QStringLiteral("text_config.sliding_window")}};
    for (const ModelSpec &model : models) {
        const QByteArray text = QJsonDocument(modelToJson(model)).toJson();
        const auto read = modelFromJson(QJsonDocument::fromJson(text).object());
        QVERIFY2(std::holds_alternative<ModelSpec>(read), qPrintable(model.id));
        const auto &again = std::get<ModelSpec>(read);
        QCOMPARE(cachesToJson(again.caches), cachesToJson(model.caches));
        QCOMPARE(std::tie(again.id, again.name, again.family, again.default_dtype),
            std::tie(model.id, model.name, model.family, model.default_dtype));
        QCOMPARE(std::tie(again.params, again.num_layers, again.num_attention_heads, again.hidden_size),
            std::tie(model.params, model.num_layers, model.num_attention_heads, model.hidden_size));
        QCOMPARE(std::tie(again.max_position, again.weight_bytes), std::tie(model.max_position, model.weight_bytes));
        QCOMPARE(std::tie(again.recurrent_state_fp32, again.teaching_only),
            std::tie(model.recurrent_state_fp32, model.teaching_only));
        QCOMPARE(std::tie(again.sources, again.notes), std::tie(model.sources, model.notes));
        QCOMPARE(again.field_sources, model.field_sources);
    }
}

void TestMemoryModels::modelsAreFoundByIdAndName()
{
    const ModelSpec *model = findModel(QStringLiteral("qwen2.5-7b"));
    QVERIFY(model != nullptr);
    QCOMPARE(model->name, QStringLiteral("Qwen2.5-7B"));
    QCOMPARE(findModel(QStringLiteral(" QWEN2.5-7B ")), model);
    QCOMPARE(findModel(QStringLiteral("DeepSeek-V3"))->id, QStringLiteral("deepseek-v3"));
    QCOMPARE(findModel(handoutDeepSeekName())->id, QStringLiteral("deepseek-v3-handout"));
    QCOMPARE(findModel(QStringLiteral("DeepSeek-V3.2, bf16 cache + 132 B indexer"))->id,
        QStringLiteral("deepseek-v3.2-bf16"));
    QCOMPARE(findModel(QString()), nullptr);
    QCOMPARE(findModel(QStringLiteral("qwen")), nullptr);
}

void TestMemoryModels::badGroupsAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("named");
    QTest::newRow("none") << QByteArray("[]") << QStringLiteral("no groups");
    QTest::newRow("unknown kind") << QByteArray(R"([{"kind":"spiral","layers":1}])") << QStringLiteral("spiral");
    QTest::newRow("not an object") << QByteArray(R"([7])") << QStringLiteral("kind");
    QTest::newRow("missing") << QByteArray(R"([{"kind":"full","layers":1,"kv_heads":2}])")
                             << QStringLiteral("head_dim");
    QTest::newRow("fraction") << QByteArray(R"([{"kind":"full","layers":1.5,"kv_heads":2,"head_dim":64}])")
                              << QStringLiteral("layers");
    QTest::newRow("text") << QByteArray(R"([{"kind":"full","layers":1,"kv_heads":"2","head_dim":64}])")
                          << QStringLiteral("kv_heads");
    QTest::newRow("negative") << QByteArray(R"([{"kind":"mla","layers":1,"kv_lora_rank":-512,"qk_rope_head_dim":64}])")
                              << QStringLiteral("kv_lora_rank");
    QTest::newRow("zero") << QByteArray(R"([{"kind":"full","layers":0,"kv_heads":2,"head_dim":64}])")
                          << QStringLiteral("layers");
    QTest::newRow("too large") << QByteArray(R"([{"kind":"full","layers":100001,"kv_heads":2,"head_dim":64}])")
                               << QStringLiteral("layers");
    QTest::newRow("beyond 64 bits") << QByteArray(R"([{"kind":"full","layers":1,"kv_heads":1e30,"head_dim":64}])")
                                    << QStringLiteral("kv_heads");
    QTest::newRow("second group") << QByteArray(
        R"([{"kind":"none","layers":1},{"kind":"sliding","layers":1,"kv_heads":1,"head_dim":64}])")
                                  << QStringLiteral("window");
}

void TestMemoryModels::badGroupsAreRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, named);
    const auto read = cachesFromJson(QJsonDocument::fromJson(json).array());
    QVERIFY(std::holds_alternative<QString>(read));
    QVERIFY2(std::get<QString>(read).contains(named), qPrintable(std::get<QString>(read)));
}

void TestMemoryModels::handoutGridIsInOrder()
{
    const QList<MemoryRow> rows = handoutGrid();
    QCOMPARE(rows.size(), 40);
    QCOMPARE(rows.at(0), (MemoryRow{QStringLiteral("Qwen2.5-0.5B"), 2048, 1, CacheFormat::bf16}));
    QCOMPARE(rows.at(1), (MemoryRow{QStringLiteral("Qwen2.5-0.5B"), 2048, 8, CacheFormat::bf16}));
    QCOMPARE(rows.at(10), (MemoryRow{QStringLiteral("Qwen2.5-7B"), 4096, 1, CacheFormat::bf16}));
    QCOMPARE(rows.at(23), (MemoryRow{QStringLiteral("Qwen2.5-72B"), 32768, 8, CacheFormat::bf16}));
    QCOMPARE(rows.at(31), (MemoryRow{QStringLiteral("DeepSeek-V3"), 32768, 8, CacheFormat::bf16}));
    QCOMPARE(rows.at(39), (MemoryRow{handoutDeepSeekName(), 32768, 8, CacheFormat::bf16}));
    for (const MemoryRow &row : rows)
        QVERIFY2(std::holds_alternative<MemoryResult>(estimateRow(row)), qPrintable(row.model));
}

void TestMemoryModels::counts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("value"); // 0: not a count
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/csv-cases.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("counts")).toArray();
    QCOMPARE(cases.size(), 57);
    for (const QJsonValue &value : cases)
        QTest::newRow(qPrintable(value[QLatin1String("id")].toString()))
            << value[QLatin1String("text")].toString() << value[QLatin1String("value")].toInteger(0);
}

void TestMemoryModels::counts()
{
    QFETCH(QString, text);
    QFETCH(qint64, value);
    QCOMPARE(parseCount(text), value == 0 ? std::nullopt : std::optional(value));
}

void TestMemoryModels::longTextIsNoCount()
{
    QCOMPARE(parseCount(QString(1'000'000, u'1')), std::nullopt);
    QCOMPARE(parseCount(QStringLiteral("1e999")), std::nullopt);
    QCOMPARE(parseCount(QStringLiteral("1000000000000")), std::optional(maxSeqLen));
    QCOMPARE(parseCount(QStringLiteral("0.0009765625M")), std::optional<qint64>(1024));
}

QTEST_GUILESS_MAIN(TestMemoryModels)
#include "tst_memory_models.moc"
