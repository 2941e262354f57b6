// SPDX-License-Identifier: GPL-3.0-or-later
// config.json → ModelSpec: every key of config-inputs/expected.json for its 57 files, and one row for each rule of the
// families and of awkward input that those files do not show. Layer counts and sizes of the rows are worked out by
// hand.
#include "import_bench.h"

using namespace kvlab::test;

class TestModelImport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void expectedFiles_data();
    void expectedFiles();
    void contexts_data();
    void contexts();
    void types_data();
    void types();
    void parameters_data();
    void parameters();
    void fieldsRememberWhereTheyStood();
    void syntaxErrorsHaveTheirPlace();
    void badBytesHaveTheirPlace_data();
    void badBytesHaveTheirPlace();
    void numbersAreExact_data();
    void numbersAreExact();
    void duplicatesAreFoundAtEveryLevel();
    void limitsOfSizeAndDepth();
    void namesComeFromTheFolder();
};

// Reference files
// -------------------------------------------------------------------------------------------------------

void TestModelImport::expectedFiles_data()
{
    QTest::addColumn<QJsonObject>("expected");
    const QJsonArray files = kvlab::test::expectedFiles();
    QCOMPARE(files.size(), 57);
    for (const QJsonValue &file : files)
        QTest::newRow(qPrintable(file[QLatin1String("file")].toString())) << file.toObject();
}

void TestModelImport::expectedFiles()
{
    QFETCH(QJsonObject, expected);
    const QString path = inputFolder + expected.value(QLatin1String("file")).toString();
    const ImportResult result = importModelFile(path);
    if (expected.value(QLatin1String("result")) == QLatin1String("refuse")) {
        QVERIFY(std::holds_alternative<Refusal>(result));
        const auto &refusal = std::get<Refusal>(result);
        QCOMPARE(refusal.reason, expected.value(QLatin1String("reason")).toString());
        for (const QJsonValue &word : expected.value(QLatin1String("message_must_name")).toArray())
            QVERIFY2(refusal.message.contains(word.toString(), Qt::CaseInsensitive), qPrintable(refusal.message));
        return;
    }
    QVERIFY2(std::holds_alternative<ImportedModel>(result),
        qPrintable(std::holds_alternative<Refusal>(result) ? std::get<Refusal>(result).message : QString()));
    const auto &imported = std::get<ImportedModel>(result);
    const ModelSpec &model = imported.model;
    const auto number = [&expected](const char *key) { return Bytes(expected.value(QLatin1String(key)).toInteger()); };
    QCOMPARE(
        groupTexts(cachesToJson(model.caches)), groupTexts(expected.value(QLatin1String("architecture")).toArray()));
    QCOMPARE(model.num_layers, std::optional(expected.value(QLatin1String("num_layers")).toInteger()));
    const QJsonValue context = expected.value(QLatin1String("max_position"));
    QCOMPARE(model.max_position, context.isNull() ? std::nullopt : std::optional(context.toInteger()));
    QCOMPARE(imported.kv_dtype_default, expected.value(QLatin1String("kv_dtype_default")).toString());
    const QJsonValue hint = expected.value(QLatin1String("kv_dtype_hint"));
    QCOMPARE(imported.kv_dtype_hint, hint.isUndefined() ? std::nullopt : std::optional(hint.toString()));
    const QJsonArray words = expected.value(QLatin1String("must_warn_about")).toArray();
    for (const QJsonValue &word : words)
        QVERIFY2(isWarnedAbout(imported, word.toString()), qPrintable(word.toString()));
    // Nothing is cried over that is as it should be; some of these files lack a dtype, or keep pictures apart.
    for (const ImportWarning &warning : imported.warnings) {
        const bool is_side_fact = warning.field.endsWith(QLatin1String("dtype"))
            || warning.field.endsWith(QLatin1String("cross_attention_layers"));
        QVERIFY2(is_side_fact || !words.isEmpty(), qPrintable(warning.text));
    }

    MemoryQuery query{4096, 1, CacheFormat::bf16};
    query.recurrent_dtype = StateFormat::f16;
    const MemoryResult of16bit = needOf(model, query);
    QCOMPARE(of16bit.bytes_per_token, number("bytes_per_token_16bit"));
    QCOMPARE(of16bit.bytes_per_token_above_window, number("bytes_per_token_above_window_16bit"));
    const Bytes state = bytesOfKind(of16bit, QLatin1String("state"));
    const Bytes cross = bytesOfKind(of16bit, QLatin1String("cross"));
    QCOMPARE(of16bit.bytes - state - cross, number("kv_bytes_16bit_at_4096"));
    QCOMPARE(state, number("state_bytes_16bit"));
    QCOMPARE(cross, number("fixed_cross_bytes_16bit"));
    query.recurrent_dtype = StateFormat::f32;
    QCOMPARE(bytesOfKind(needOf(model, query), QLatin1String("state")), number("state_bytes_fp32_recurrent"));
    QCOMPARE(model.recurrent_state_fp32,
        expected.value(QLatin1String("recurrent_state_dtype_default")) == QLatin1String("fp32"));

    const auto again = modelFromJson(modelToJson(model));
    QVERIFY2(std::holds_alternative<ModelSpec>(again),
        qPrintable(std::holds_alternative<QString>(again) ? std::get<QString>(again) : QString()));
    QCOMPARE(cachesToJson(std::get<ModelSpec>(again).caches), cachesToJson(model.caches));
}

// Beside the layers
// ----------------------------------------------------------------------------------------------------

void TestModelImport::contexts_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<qint64>("context"); // 0: unknown
    const auto row = [](const char *name, const char *changes, qint64 context) {
        QTest::newRow(name) << configWith(changes) << context;
    };
    row("plain", "{}", 4096);
    for (const char *key : {"n_positions", "n_ctx", "max_seq_len", "max_seq_length", "max_sequence_length",
             "seq_length", "seq_len", "max_context_length", "model_max_length"})
        QTest::newRow(key) << configWith(
            QByteArray(R"({"max_position_embeddings":"ABSENT",")").append(key).append(R"(":1024})").constData())
                           << qint64(1024);
    row("absent", R"({"max_position_embeddings":"ABSENT"})", 0);
    row("null", R"({"max_position_embeddings":null})", 0);
    row("ten million", R"({"max_position_embeddings":10485760})", 10'485'760);
    row("Command-R", R"({"model_type":"cohere","model_max_length":131072})", 131'072);
    row("a tokenizer's limit elsewhere", R"({"model_max_length":131072})", 4096);
}

void TestModelImport::contexts()
{
    QFETCH(QByteArray, json);
    QFETCH(qint64, context);
    const auto imported = std::get<ImportedModel>(import(json));
    QCOMPARE(imported.model.max_position, context == 0 ? std::nullopt : std::optional(context));
}

void TestModelImport::types_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("cache");
    QTest::addColumn<QString>("hint");
    QTest::addColumn<QString>("warned");
    const auto row = [](const char *name, const char *changes, const char *weights, const char *cache, const char *hint,
                         const char *warned) {
        QTest::newRow(name) << configWith(changes) << QString::fromLatin1(weights) << QString::fromLatin1(cache)
                            << QString::fromLatin1(hint) << QString::fromLatin1(warned);
    };
    row("dtype", "{}", "bf16", "bf16", "", "");
    row("with torch", R"({"dtype":"torch.float16"})", "fp16", "fp16", "", "");
    row("absent", R"({"dtype":"ABSENT"})", "", "bf16", "", "dtype");
    row("auto", R"({"dtype":"auto"})", "", "bf16", "", "dtype");
    row("a number", R"({"dtype":16})", "", "bf16", "", "dtype");
    row("float32", R"({"dtype":"float32"})", "fp32", "bf16", "", "float32");
    row("outside the text part", R"({"dtype":"float16","text_config":{"model_type":"llama","num_hidden_layers":4,
        "num_attention_heads":8,"hidden_size":512}})",
        "fp16", "fp16", "", "");
    row("scheme as an object", R"({"compression_config":{"kv_cache_scheme":{"num_bits":8,"type":"float"}}})", "bf16",
        "bf16", "fp8", "");
    row("scheme of integers", R"({"kv_cache_scheme":{"num_bits":8,"type":"int"}})", "bf16", "bf16", "int8", "");
    row("NVFP4", R"({"quantization":{"kv_cache_quant_algo":"NVFP4"}})", "bf16", "bf16", "nvfp4", "");
    row("no scheme", R"({"quantization_config":{"quant_method":"awq","bits":4,"kv_cache_scheme":null}})", "bf16",
        "bf16", "", "");
}

void TestModelImport::types()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, weights);
    QFETCH(QString, cache);
    QFETCH(QString, hint);
    QFETCH(QString, warned);
    const auto imported = std::get<ImportedModel>(import(json));
    QCOMPARE(imported.model.default_dtype, weights);
    QCOMPARE(imported.kv_dtype_default, cache);
    QCOMPARE(imported.kv_dtype_hint.value_or(QString()), hint);
    QCOMPARE(imported.warnings.isEmpty(), warned.isEmpty());
    QVERIFY(warned.isEmpty() || isWarnedAbout(imported, warned));
}

void TestModelImport::parameters_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<qint64>("parameters"); // 0: not counted
    const auto row = [](const char *name, const char *json, qint64 parameters) {
        QTest::newRow(name) << QByteArray(json) << parameters;
    };
    // The published counts of these models.
    row("Qwen2.5-0.5B", R"({"model_type":"qwen2","num_hidden_layers":24,"num_attention_heads":14,
        "num_key_value_heads":2,"hidden_size":896,"intermediate_size":4864,"vocab_size":151936,
        "tie_word_embeddings":true})",
        494'032'768);
    row("Qwen2.5-7B", R"({"model_type":"qwen2","num_hidden_layers":28,"num_attention_heads":28,
        "num_key_value_heads":4,"hidden_size":3584,"intermediate_size":18944,"vocab_size":152064,
        "tie_word_embeddings":false})",
        7'615'616'512);
    row("Llama-3.1-8B", R"({"model_type":"llama","num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"hidden_size":4096,"intermediate_size":14336,"vocab_size":128256})",
        8'030'261'248);
    row("tied outside the text part", R"({"tie_word_embeddings":true,"text_config":{"model_type":"qwen2",
        "num_hidden_layers":24,"num_attention_heads":14,"num_key_value_heads":2,"hidden_size":896,
        "intermediate_size":4864,"vocab_size":151936}})",
        494'032'768);
    row("biases that are not counted", R"({"model_type":"llama","num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"hidden_size":4096,"intermediate_size":14336,"vocab_size":128256,
        "attention_bias":true})",
        0);
    row("experts", R"({"model_type":"mixtral","num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"hidden_size":4096,"intermediate_size":14336,"vocab_size":32000})",
        0);
    row("vocabulary unknown", R"({"model_type":"llama","num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"hidden_size":4096,"intermediate_size":14336})",
        0);
}

void TestModelImport::parameters()
{
    QFETCH(QByteArray, json);
    QFETCH(qint64, parameters);
    const auto imported = std::get<ImportedModel>(import(json));
    QCOMPARE(imported.model.params, parameters == 0 ? std::nullopt : std::optional(parameters));
}

// Where numbers come from
// ----------------------------------------------------------------------------------------------------

void TestModelImport::fieldsRememberWhereTheyStood()
{
    const auto sources = [](const char *file) {
        return std::get<ImportedModel>(importModelFile(inputFolder + QLatin1String(file))).model.field_sources;
    };
    const auto nested = sources("pattern_underscore.json");
    QCOMPARE(nested.value(QStringLiteral("layers")), QStringLiteral("text_config._sliding_window_pattern"));
    QCOMPARE(nested.value(QStringLiteral("kv_heads")), QStringLiteral("text_config.num_key_value_heads"));
    QCOMPARE(nested.value(QStringLiteral("head_dim")), QStringLiteral("text_config.head_dim"));
    QCOMPARE(nested.value(QStringLiteral("window")), QStringLiteral("text_config.sliding_window"));
    QCOMPARE(nested.value(QStringLiteral("max_position")), QStringLiteral("text_config.max_position_embeddings"));
    const auto plain = sources("head_dim_absent.json");
    QCOMPARE(plain.value(QStringLiteral("layers")), QStringLiteral("num_hidden_layers"));
    QCOMPARE(plain.value(QStringLiteral("head_dim")), QStringLiteral("hidden_size ÷ num_attention_heads"));
    QCOMPARE(
        sources("kv_heads_multi_query_true.json").value(QStringLiteral("kv_heads")), QStringLiteral("multi_query"));
    QCOMPARE(sources("mla_vestigial_heads.json").value(QStringLiteral("kv_lora_rank")), QStringLiteral("kv_lora_rank"));
    QCOMPARE(sources("sharing_k_eq_v.json").value(QStringLiteral("full.head_dim")),
        QStringLiteral("text_config.global_head_dim"));
    QVERIFY(sources("hybrid_one_based_lists.json")
                .value(QStringLiteral("recurrent_elements"))
                .contains(QStringLiteral("linear_attn_config.num_heads")));

    // Every factor of every formula leads to a field, but for what the reader chose.
    const QStringList chosen{QStringLiteral("K, V"), QStringLiteral("seq_len"), QStringLiteral("batch"),
        QStringLiteral("bf16"), QStringLiteral("f16"), QStringLiteral("f32")};
    for (const QJsonValue &file : kvlab::test::expectedFiles()) {
        const ImportResult result = importModelFile(inputFolder + file[QLatin1String("file")].toString());
        const auto *imported = std::get_if<ImportedModel>(&result);
        const auto terms = imported == nullptr ? QList<MemoryTerm>() : needOf(imported->model, {4096, 1}).terms;
        for (const MemoryTerm &term : terms) {
            for (const Factor &factor : term.factors) {
                const QString source = fieldSource(imported->model.field_sources, term.kind, factor.name);
                QVERIFY2(chosen.contains(factor.name) == source.isEmpty(),
                    qPrintable(imported->model.name + u' ' + term.kind + u' ' + factor.name));
            }
        }
    }
}

// Text
// ------------------------------------------------------------------------------------------------------------------

void TestModelImport::syntaxErrorsHaveTheirPlace()
{
    const auto result = import("{\n  \"name\": \"模型\",\n  \"模\": 1, oops\n}");
    const QString message = std::get<Refusal>(result).message;
    QVERIFY2(message.contains(QStringLiteral("line 3, column 11")), qPrintable(message));
}

void TestModelImport::badBytesHaveTheirPlace_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("position"); // -1: valid
    const auto row = [](const char *name, const QByteArray &text, int position) {
        QTest::newRow(name) << QByteArray("{\"a\":\"") + text + "\"}" << position;
    };
    row("two bytes", "\xC3\xA9", -1);
    row("three bytes", "\xE2\x82\xAC", -1);
    row("four bytes", "\xF0\x9F\x98\x80", -1);
    row("lone continuation", "\x80", 6);
    row("overlong", "\xC0\xAF", 6);
    row("overlong of three", "\xE0\x80\x80", 6);
    row("half of a surrogate pair", "\xED\xA0\x80", 6);
    row("beyond Unicode", "\xF4\x90\x80\x80", 6);
    row("cut short", "ab\xE2\x82", 8);
    row("Latin-1", "caf\xE9", 9);
}

void TestModelImport::badBytesHaveTheirPlace()
{
    QFETCH(QByteArray, json);
    QFETCH(int, position);
    const auto refusal = std::get<Refusal>(import(json)); // at best it describes no decoder
    QCOMPARE(refusal.reason, position < 0 ? QStringLiteral("no_decoder_cache") : QStringLiteral("invalid_encoding"));
    QVERIFY2(position < 0 || refusal.message.contains(QStringLiteral("position %1 ").arg(position)),
        qPrintable(refusal.message));
}

void TestModelImport::numbersAreExact_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<QString>("answer"); // the number of layers, or the reason
    const auto row = [](const char *number, const char *answer) {
        QTest::newRow(number) << QByteArray(number) << QString::fromLatin1(answer);
    };
    row("32", "32");
    row("32.0", "32");
    row("3.2e1", "32");
    row("0.32E+2", "32");
    row("3200e-2", "32");
    row("32.00000000000000000001", "wrong_type"); // a double rounds it to 32
    row("31.99999999999999999999", "wrong_type");
    row("1e-400", "wrong_type");
    row("1e-99999999999999999999", "wrong_type");
    row("-0.5", "wrong_type");
    row("-32", "out_of_range");
    row("100000", "100000");
    row("100001", "out_of_range");
    row("1e18", "out_of_range");
    row("1e300", "out_of_range");
    row("1e99999", "out_of_range");
    row("-1e99999", "out_of_range");
    row("18446744073709551648", "out_of_range"); // 2^64 + 32 must not wrap
    row("NaN", "not_a_number");
    row("-Infinity", "not_a_number");
    row("032", "json_syntax");
    row("0x20", "json_syntax");
    row("+32", "json_syntax");
}

void TestModelImport::numbersAreExact()
{
    QFETCH(QByteArray, number);
    QFETCH(QString, answer);
    const auto result = import(
        R"({"num_hidden_layers":)" + number + R"(,"num_attention_heads":8,"hidden_size":512,"dtype":"bfloat16"})");
    if (const auto *imported = std::get_if<ImportedModel>(&result))
        QCOMPARE(QString::number(*imported->model.num_layers), answer);
    else
        QCOMPARE(std::get<Refusal>(result).reason, answer);
}

void TestModelImport::duplicatesAreFoundAtEveryLevel()
{
    const auto imported = std::get<ImportedModel>(import(
        R"({"text_config":{"num_hidden_layers":4,"num_attention_heads":8,"hidden_size":512,"head_dim":32,
            "head_dim":64},"dtype":"bfloat16","x":[{"y":1,"y":2,"y":3}],"dtype":"float16"})"));
    QCOMPARE(std::get<FullAttention>(imported.model.caches.constFirst()).shape.head_dim, 64);
    QCOMPARE(imported.kv_dtype_default, QStringLiteral("fp16"));
    QStringList fields;
    for (const ImportWarning &warning : imported.warnings)
        fields << warning.field;
    fields.sort();
    QCOMPARE(fields,
        (QStringList{QStringLiteral("dtype"), QStringLiteral("text_config.head_dim"), QStringLiteral("x.y"),
            QStringLiteral("x.y")}));
}

void TestModelImport::limitsOfSizeAndDepth()
{
    const auto nested = [](int depth) {
        return configWith("{}").chopped(1) + ",\"x\":" + QByteArray(depth, '[') + QByteArray(depth, ']') + '}';
    };
    QVERIFY(std::holds_alternative<ImportedModel>(import(nested(maxConfigNesting - 1))));
    QCOMPARE(std::get<Refusal>(import(nested(maxConfigNesting))).reason, QStringLiteral("nesting_too_deep"));
    QCOMPARE(std::get<Refusal>(import(nested(1'000'000))).reason, QStringLiteral("nesting_too_deep"));

    const QByteArray config = configWith("{}");
    const auto padded = [&config](qint64 size) { return config + QByteArray(size - config.size(), ' '); };
    QVERIFY(std::holds_alternative<ImportedModel>(import(padded(maxConfigBytes))));
    QCOMPARE(std::get<Refusal>(import(padded(maxConfigBytes + 1))).reason, QStringLiteral("file_too_large"));
    const QByteArray many = "{\"x\":[" + QByteArray("1,").repeated(2'000'000) + "1]}";
    QCOMPARE(std::get<Refusal>(import(many)).reason, QStringLiteral("file_too_large"));
}

void TestModelImport::namesComeFromTheFolder()
{
    QTemporaryDir root;
    const auto nameAt = [&root](const QString &path) {
        const QString full = root.filePath(path);
        QDir().mkpath(QFileInfo(full).path());
        QFile file(full);
        if (!file.open(QIODevice::WriteOnly) || file.write(configWith("{}")) < 0)
            qFatal("cannot write the test's own file");
        file.close();
        const auto imported = std::get<ImportedModel>(importModelFile(full));
        return imported.model.name + u' ' + imported.model.id;
    };
    QCOMPARE(nameAt(QStringLiteral("My Model/config.json")), QStringLiteral("My Model my-model"));
    QCOMPARE(nameAt(QStringLiteral("my-model.json")), QStringLiteral("my-model my-model"));
    QCOMPARE(nameAt(QStringLiteral("hub/models--Qwen--Qwen2.5-7B/snapshots/0a1b/config.json")),
        QStringLiteral("Qwen2.5-7B qwen2.5-7b"));
    QCOMPARE(nameAt(QStringLiteral("模型/config.json")), QStringLiteral("模型 imported"));
    const auto missing = std::get<Refusal>(importModelFile(root.filePath(QStringLiteral("nothing.json"))));
    QCOMPARE(missing.reason, QStringLiteral("file_unreadable"));
    QVERIFY(missing.message.contains(QStringLiteral("nothing.json")));
}

QTEST_GUILESS_MAIN(TestModelImport)
#include "tst_model_import.moc"
