// SPDX-License-Identifier: GPL-3.0-or-later
// GGUF headers → ModelSpec. The sizes that llama-server printed for 54 starts (llama-kv-buffers.json) are reached from
// headers with the same metadata, and so are those that it printed for two files with random weights and for Gemma 3
// 270M at three lengths in three types (llama-gguf-caches.json); the rules of the families are llama.cpp's own
// (models/*.cpp), worked out by hand.
#include "gguf_bench.h"
#include "import_bench.h"

#include "memory/allocation.h"

#include <QRandomGenerator>

#include <array>
#include <cstdio>

using namespace kvlab::test;

namespace {

/// A header with the metadata of a recorded start.
GgufBuilder ggufOf(const QJsonObject &shape)
{
    const auto number = [&shape](const char *key) { return quint32(shape.value(QLatin1String(key)).toInteger()); };
    GgufBuilder builder(shape.value(QLatin1String("arch")).toString().toUtf8());
    builder.number(".context_length", 32768).number(".embedding_length", number("n_embd"));
    builder.number(".block_count", number("n_layer")).number(".attention.head_count", number("n_head"));
    builder.number(".attention.head_count_kv", number("n_head_kv"));
    builder.number(".attention.key_length", number("head_dim")).number(".attention.value_length", number("head_dim"));
    if (shape.contains(QLatin1String("sliding_window")))
        builder.number(".attention.sliding_window", number("sliding_window"));
    return builder;
}

/// As llama.cpp prints it: the C library rounds 0.265625 to 0.27 and 2.125 to 2.12.
QString printedMib(const Bytes &bytes)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.2f", bytes.convert_to<double>() / (1024.0 * 1024.0));
    return QString::fromLatin1(text.data());
}

} // namespace

class TestGgufImport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void llamaServerPrintedThese_data();
    void llamaServerPrintedThese();
    void realFilesAsPrinted_data();
    void realFilesAsPrinted();
    void families_data();
    void families();
    void refusals_data();
    void refusals();
    void weightsAreExact_data();
    void weightsAreExact();
    void splitFilesAreOneModel();
    void headersOnlyAreRead();
    void lyingLengthsAreRefused_data();
    void lyingLengthsAreRefused();
    void anyCutAndAnyByteIsSurvived();
    void namesAndFacts();

private:
    QString write(const QString &name, const QByteArray &bytes);
    ImportResult importBytes(const QByteArray &bytes)
    {
        return importModelFile(write(QStringLiteral("made up.gguf"), bytes));
    }
    QTemporaryDir m_folder;
};

QString TestGgufImport::write(const QString &name, const QByteArray &bytes)
{
    const QString path = m_folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write the test's own file");
    return path;
}

// Against a real server
// ----------------------------------------------------------------------------------------------------------

void TestGgufImport::llamaServerPrintedThese_data()
{
    QTest::addColumn<QJsonObject>("row");
    const QJsonArray rows
        = QJsonDocument::fromJson(contents(QStringLiteral(KVLAB_TEST_DATA "/llama-kv-buffers.json"))).array();
    QCOMPARE(rows.size(), 54);
    for (const QJsonValue &row : rows)
        QTest::addRow("%s %s", qPrintable(row[QLatin1String("model")].toString()),
            qPrintable(row[QLatin1String("args")].toString()))
            << row.toObject();
}

void TestGgufImport::llamaServerPrintedThese()
{
    QFETCH(QJsonObject, row);
    const auto imported
        = std::get<ImportedModel>(importBytes(ggufOf(row.value(QLatin1String("shape")).toObject()).file()));

    AllocationProfile profile = defaultProfile(Engine::llama_cpp);
    const QJsonValue asked = row.value(QLatin1String("ctx"));
    const bool from_file = !asked.isDouble() && row.value(QLatin1String("args")).toString() == QLatin1String("-np 1");
    profile.n_ctx = asked.isDouble() ? asked.toInteger()
        : from_file                  ? *imported.model.max_position
                                     : row.value(QLatin1String("n_ctx")).toInteger();
    profile.kv_unified = row.value(QLatin1String("kv_unified")).toString() == QLatin1String("true");
    const QJsonArray extra = row.value(QLatin1String("extra")).toArray();
    profile.swa_full = extra.contains(QLatin1String("--swa-full"));
    if (extra.at(0) == QLatin1String("-ub"))
        profile.n_ubatch = extra.at(1).toString().toLongLong();
    MemoryQuery query{1, row.value(QLatin1String("n_seq_max")).toInteger()};
    query.kv_dtype = cacheFormatFromName(row.value(QLatin1String("type_k")).toString()).value();
    query.v_dtype = cacheFormatFromName(row.value(QLatin1String("type_v")).toString()).value();
    const auto got = std::get<Allocated>(allocate(imported.model, query, profile));
    QCOMPARE(toDecimalString(got.bytes), QString::number(row.value(QLatin1String("formula_bytes")).toInteger()));
    // The server names the layers without a window first.
    QList<std::pair<qint64, qint64>> groups;
    for (const AllocatedGroup &group : got.groups)
        groups << std::pair(group.layers, group.tokens);
    QList<std::pair<qint64, qint64>> printed;
    for (const QJsonValue &line : row.value(QLatin1String("caches")).toArray())
        printed.prepend(std::pair(line[QLatin1String("layers")].toInteger(), line[QLatin1String("cells")].toInteger()));
    QCOMPARE(groups, printed);
}

void TestGgufImport::realFilesAsPrinted_data()
{
    QTest::addColumn<QJsonObject>("row");
    const QJsonArray rows
        = QJsonDocument::fromJson(contents(QStringLiteral(KVLAB_TEST_DATA "/llama-gguf-caches.json"))).array();
    QCOMPARE(rows.size(), 27);
    for (const QJsonValue &row : rows)
        QTest::addRow("%s, %d tokens, %s", qPrintable(row[QLatin1String("model")].toString()),
            row[QLatin1String("ctx")].toInt(), qPrintable(row[QLatin1String("type")].toString()))
            << row.toObject();
}

void TestGgufImport::realFilesAsPrinted()
{
    QFETCH(QJsonObject, row);
    const auto imported
        = std::get<ImportedModel>(importBytes(ggufOf(row.value(QLatin1String("shape")).toObject()).file()));
    const CacheFormat format = cacheFormatFromName(row.value(QLatin1String("type")).toString()).value();
    const MemoryQuery query{row.value(QLatin1String("ctx")).toInteger(), 1, format};
    const auto got = std::get<Allocated>(allocate(imported.model, query, defaultProfile(Engine::llama_cpp)));
    const QJsonArray printed = row.value(QLatin1String("caches")).toArray();
    QCOMPARE(got.groups.size(), printed.size());
    for (qsizetype i = 0; i < printed.size(); ++i) {
        const QJsonValue line = printed.at(printed.size() - 1 - i); // layers without a window come first there
        QCOMPARE(got.groups.at(i).layers, line[QLatin1String("layers")].toInteger());
        QCOMPARE(got.groups.at(i).tokens, line[QLatin1String("cells")].toInteger());
        QCOMPARE(printedMib(got.groups.at(i).bytes), line[QLatin1String("mib")].toString());
    }
}

// Rules
// -----------------------------------------------------------------------------------------------------------------

void TestGgufImport::families_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("groups");
    QTest::addColumn<QString>("warned");
    const auto row = [](const char *name, const GgufBuilder &builder, const char *groups, const char *warned = "") {
        QTest::newRow(name) << builder.file() << QByteArray(groups) << QString::fromUtf8(warned);
    };
    const char *gqa = R"([{"kind":"full","layers":4,"kv_heads":2,"head_dim":64}])";
    row("llama", smallGguf(), gqa);
    row("version 2", smallGguf().version(2), gqa);
    row("all heads",
        GgufBuilder("gpt2")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 8),
        R"([{"kind":"full","layers":4,"kv_heads":8,"head_dim":64}])");
    row("widths of the file", smallGguf().number(".attention.key_length", 192).number(".attention.value_length", 128),
        R"([{"kind":"full","layers":4,"kv_heads":2,"head_dim":192,"v_head_dim":128}])");
    row("heads per layer",
        GgufBuilder("deci")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .numbers(".attention.head_count", {8, 0, 8, 8})
            .numbers(".attention.head_count_kv", {2, 0, 4, 2}),
        R"([{"kind":"full","layers":2,"kv_heads":2,"head_dim":64},{"kind":"full","layers":1,"kv_heads":4,"head_dim":64},
            {"kind":"none","layers":1,"reason":"0 KV heads"}])");
    row("window that llama.cpp ignores", smallGguf().number(".attention.sliding_window", 128), gqa, "keeps all tokens");
    row("window of null", smallGguf("gemma3").number(".attention.sliding_window", 0), gqa);
    row("gemma2: 4096 without a word", smallGguf("gemma2"),
        R"([{"kind":"sliding","layers":2,"kv_heads":2,"head_dim":64,"window":4096},
            {"kind":"full","layers":2,"kv_heads":2,"head_dim":64}])",
        "4096");
    row("cohere2", smallGguf("cohere2").number(".attention.sliding_window", 128),
        R"([{"kind":"sliding","layers":3,"kv_heads":2,"head_dim":64,"window":128},
            {"kind":"full","layers":1,"kv_heads":2,"head_dim":64}])");
    row("pattern of the file",
        smallGguf("cohere2").number(".attention.sliding_window", 128).number(".attention.sliding_window_pattern", 2),
        R"([{"kind":"sliding","layers":2,"kv_heads":2,"head_dim":64,"window":128},
            {"kind":"full","layers":2,"kv_heads":2,"head_dim":64}])");
    row("first of four is full", smallGguf("smallthinker").number(".attention.sliding_window", 128),
        R"([{"kind":"sliding","layers":3,"kv_heads":2,"head_dim":64,"window":4096},
            {"kind":"full","layers":1,"kv_heads":2,"head_dim":64}])");
    row("EXAONE 4 of 1.2B has none", smallGguf("exaone4").number(".attention.sliding_window", 128), gqa);
    row("Llama 4", smallGguf("llama4"),
        R"([{"kind":"chunked","layers":3,"kv_heads":2,"head_dim":64,"chunk":8192},
            {"kind":"full","layers":1,"kv_heads":2,"head_dim":64}])",
        "8192");
    row("Gemma 4: list, own widths, shared layers",
        GgufBuilder("gemma4")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 8)
            .numbers(".attention.head_count_kv", {4, 2, 4, 2})
            .flags(".attention.sliding_window_pattern", {true, false, true, false})
            .number(".attention.sliding_window", 128)
            .number(".attention.key_length", 512)
            .number(".attention.value_length", 512)
            .number(".attention.key_length_swa", 256)
            .number(".attention.value_length_swa", 256)
            .number(".attention.shared_kv_layers", 1),
        R"([{"kind":"sliding","layers":2,"kv_heads":4,"head_dim":256,"window":128},
            {"kind":"full","layers":1,"kv_heads":2,"head_dim":512},
            {"kind":"none","layers":1,"reason":"shared_kv_layers"}])");
    row("Gemma 3n owns its first 20",
        GgufBuilder("gemma3n")
            .number(".block_count", 35)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 8)
            .number(".attention.head_count_kv", 2)
            .number(".attention.sliding_window", 512),
        R"([{"kind":"sliding","layers":16,"kv_heads":2,"head_dim":64,"window":512},
            {"kind":"full","layers":4,"kv_heads":2,"head_dim":64},
            {"kind":"none","layers":15,"reason":"shared_kv_layers"}])");
    row("latent",
        GgufBuilder("deepseek2")
            .number(".block_count", 5)
            .number(".nextn_predict_layers", 1)
            .number(".embedding_length", 7168)
            .number(".attention.head_count", 128)
            .number(".attention.head_count_kv", 1)
            .number(".attention.key_length", 576)
            .number(".attention.value_length", 512)
            .number(".attention.key_length_mla", 192)
            .number(".attention.value_length_mla", 128)
            .number(".attention.kv_lora_rank", 512),
        R"([{"kind":"mla","layers":4,"kv_lora_rank":512,"qk_rope_head_dim":64}])");
    row("older DeepSeek without the latent form",
        GgufBuilder("deepseek2")
            .number(".block_count", 4)
            .number(".embedding_length", 7168)
            .number(".attention.head_count", 128)
            .number(".attention.head_count_kv", 128)
            .number(".attention.key_length", 192)
            .number(".attention.value_length", 128)
            .number(".attention.kv_lora_rank", 512),
        R"([{"kind":"full","layers":4,"kv_heads":128,"head_dim":192,"v_head_dim":128}])");
    row("indexer",
        GgufBuilder("glm-dsa")
            .number(".block_count", 4)
            .number(".embedding_length", 6144)
            .number(".attention.head_count", 64)
            .number(".attention.head_count_kv", 1)
            .number(".attention.key_length", 576)
            .number(".attention.value_length", 512)
            .number(".attention.key_length_mla", 192)
            .number(".attention.value_length_mla", 128)
            .number(".attention.kv_lora_rank", 512)
            .number(".attention.indexer.key_length", 128)
            .flags(".attention.indexer.types", {true, false, false, true}),
        R"([{"kind":"mla","layers":4,"kv_lora_rank":512,"qk_rope_head_dim":64},
            {"kind":"indexer","layers":2,"index_head_dim":128,"entry_bytes":256}])");
    row("DeepSeek V4",
        GgufBuilder("deepseek4")
            .number(".block_count", 3)
            .number(".embedding_length", 4096)
            .number(".attention.head_count", 64)
            .number(".attention.head_count_kv", 1)
            .number(".attention.key_length", 512)
            .number(".attention.sliding_window", 128)
            .number(".attention.indexer.key_length", 128)
            .numbers(".attention.compress_ratios", {4, 128, 0}),
        R"([{"kind":"compressed","layers":1,"head_dim":512,"window":128,"ratio":4,"indexer_entry_bytes":256},
            {"kind":"compressed","layers":1,"head_dim":512,"window":128,"ratio":128},
            {"kind":"compressed","layers":1,"head_dim":512,"window":128,"ratio":0}])");
    row("LFM2",
        GgufBuilder("lfm2")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 8)
            .numbers(".attention.head_count_kv", {0, 0, 2, 0})
            .number(".shortconv.l_cache", 3),
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,"type":"short_conv",
            "conv_elements":1024,"recurrent_elements":0}])");
    row("Jamba: Mamba-1",
        GgufBuilder("jamba")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 8)
            .numbers(".attention.head_count_kv", {0, 0, 2, 0})
            .number(".ssm.conv_kernel", 4)
            .number(".ssm.inner_size", 1024)
            .number(".ssm.state_size", 16),
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,"type":"mamba1",
            "conv_elements":3072,"recurrent_elements":16384}])");
    row("Nemotron-H: feed-forward layers keep nothing",
        GgufBuilder("nemotron_h")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 8)
            .numbers(".attention.head_count_kv", {0, 0, 2, 0})
            .numbers(".feed_forward_length", {0, 2048, 0, 0})
            .number(".attention.key_length", 128)
            .number(".attention.value_length", 128)
            .number(".ssm.conv_kernel", 4)
            .number(".ssm.inner_size", 32)
            .number(".ssm.state_size", 16)
            .number(".ssm.group_count", 2),
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":128},{"kind":"state","layers":2,"type":"mamba2",
            "conv_elements":288,"recurrent_elements":512},{"kind":"none","layers":1,"reason":"0 KV heads"}])");
    row("Falcon-H1: both",
        smallGguf("falcon-h1")
            .number(".ssm.conv_kernel", 4)
            .number(".ssm.inner_size", 32)
            .number(".ssm.state_size", 16)
            .number(".ssm.group_count", 1),
        R"([{"kind":"full","layers":4,"kv_heads":2,"head_dim":64},{"kind":"state","layers":4,"type":"mamba2",
            "conv_elements":192,"recurrent_elements":512}])");
    row("Mamba",
        GgufBuilder("mamba")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 0)
            .number(".ssm.conv_kernel", 4)
            .number(".ssm.inner_size", 1024)
            .number(".ssm.state_size", 16),
        R"([{"kind":"state","layers":4,"type":"mamba1","conv_elements":3072,"recurrent_elements":16384}])");
    row("Qwen3-Next",
        smallGguf("qwen3next")
            .number(".ssm.conv_kernel", 4)
            .number(".ssm.inner_size", 128)
            .number(".ssm.state_size", 16)
            .number(".ssm.group_count", 2),
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,"type":"gated_delta_net",
            "conv_elements":576,"recurrent_elements":2048}])",
        "full_attention_interval");
    row("Kimi-Linear",
        GgufBuilder("kimi-linear")
            .number(".block_count", 4)
            .number(".embedding_length", 512)
            .number(".attention.head_count", 32)
            .numbers(".attention.head_count_kv", {0, 0, 0, 1})
            .number(".attention.key_length", 576)
            .number(".attention.value_length", 512)
            .number(".attention.key_length_mla", 192)
            .number(".attention.value_length_mla", 128)
            .number(".attention.kv_lora_rank", 512)
            .number(".kda.head_dim", 128)
            .number(".ssm.conv_kernel", 4),
        R"([{"kind":"mla","layers":1,"kv_lora_rank":512,"qk_rope_head_dim":64},{"kind":"state","layers":3,"type":"kda",
            "conv_elements":36864,"recurrent_elements":524288}])");
}

void TestGgufImport::families()
{
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, groups);
    QFETCH(QString, warned);
    const ImportResult result = importBytes(file);
    QVERIFY2(std::holds_alternative<ImportedModel>(result),
        qPrintable(std::holds_alternative<Refusal>(result) ? std::get<Refusal>(result).message : QString()));
    const auto &imported = std::get<ImportedModel>(result);
    QCOMPARE(groupTexts(cachesToJson(imported.model.caches)), groupTexts(QJsonDocument::fromJson(groups).array()));
    QVERIFY(warned.isEmpty() || isWarnedAbout(imported, warned));
    const bool has_state = groups.contains("\"state\"");
    QCOMPARE(imported.model.recurrent_state_fp32, has_state); // llama.cpp keeps states in f32
}

void TestGgufImport::refusals_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const QByteArray &file, const char *reason, const char *named) {
        QTest::newRow(name) << file << QString::fromLatin1(reason) << QString::fromLatin1(named);
    };
    QByteArray big = smallGguf().file();
    std::reverse(big.begin() + 4, big.begin() + 8);
    row("big-endian", big, "big_endian", "big-endian");
    row("version 1", smallGguf().version(1).file(), "unsupported_version", "1");
    row("version 4", smallGguf().version(4).file(), "unsupported_version", "4");
    row("no architecture", "GGUF" + GgufBuilder::little(quint32(3)) + QByteArray(16, '\0'), "field_missing",
        "general.architecture");
    row("pictures", GgufBuilder("clip").file(), "no_decoder_cache", "clip");
    row("adapter", GgufBuilder("llama").text("general.type", "adapter").file(), "no_decoder_cache", "adapter");
    row("BERT", smallGguf("bert").file(), "no_decoder_cache", "bert");
    row("RWKV", smallGguf("rwkv7").file(), "unknown_layer_kind", "rwkv7");
    row("states of another kind", smallGguf("newcomer").number(".wkv.head_size", 64).file(), "unknown_layer_kind",
        "newcomer");
    row("indexer beside ordinary attention", smallGguf("newcomer").number(".attention.indexer.key_length", 128).file(),
        "unknown_layer_kind", "indexer.key_length");
    row("no layers", GgufBuilder("llama").file(), "field_missing", "llama.block_count");
    row("no heads", GgufBuilder("llama").number(".block_count", 4).file(), "field_missing", "head_count");
    row("uneven heads",
        GgufBuilder("llama")
            .number(".block_count", 4)
            .number(".embedding_length", 500)
            .number(".attention.head_count", 8)
            .file(),
        "head_dim_needed", "key_length");
    row("text for a number", GgufBuilder("llama").text(".block_count", "4").file(), "wrong_type", "llama.block_count");
    row("fraction", GgufBuilder("llama").real(".block_count", 4.0F).file(), "wrong_type", "llama.block_count");
    row("negative", GgufBuilder("llama").negative(".block_count", -4).file(), "out_of_range", "llama.block_count");
    row("too many layers", GgufBuilder("llama").large(".block_count", 4'294'967'300).file(), "out_of_range",
        "llama.block_count");
    row("beyond 63 bits", GgufBuilder("llama").large(".block_count", ~quint64(0)).file(), "out_of_range",
        "llama.block_count");
    row("short list", GgufBuilder("llama").number(".block_count", 4).numbers(".attention.head_count", {8, 8}).file(),
        "list_length_mismatch", "head_count");
    row("window without its list", smallGguf("gemma4").number(".attention.sliding_window", 128).file(), "field_missing",
        "sliding_window_pattern");
    row("key twice", smallGguf().number(".block_count", 5).file(), "bad_header", "llama.block_count");
    row("latent without its rank",
        smallGguf("deepseek2")
            .number(".attention.key_length_mla", 192)
            .number(".attention.value_length_mla", 128)
            .file(),
        "field_missing", "kv_lora_rank");
    row("part of a part", smallGguf().small("split.no", 2).small("split.count", 3).file(), "field_missing", "part 1");
}

void TestGgufImport::refusals()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, reason);
    QFETCH(QString, named);
    const ImportResult result = importBytes(file);
    QVERIFY(std::holds_alternative<Refusal>(result));
    QCOMPARE(std::get<Refusal>(result).reason, reason);
    QVERIFY2(std::get<Refusal>(result).message.contains(named), qPrintable(std::get<Refusal>(result).message));
}

// Sizes
// -----------------------------------------------------------------------------------------------------------------

void TestGgufImport::weightsAreExact_data()
{
    QTest::addColumn<quint32>("type");
    QTest::addColumn<qint64>("bytes"); // of 512 × 3 elements; 0: not known
    // Sizes of the blocks in ggml-common.h.
    const auto row = [](const char *name, quint32 type, qint64 bytes) { QTest::newRow(name) << type << bytes; };
    row("f32", 0, 512 * 3 * 4);
    row("f16", 1, 512 * 3 * 2);
    row("q4_0", 2, 512 * 3 / 32 * 18);
    row("q4_1", 3, 512 * 3 / 32 * 20);
    row("q5_0", 6, 512 * 3 / 32 * 22);
    row("q5_1", 7, 512 * 3 / 32 * 24);
    row("q8_0", 8, 512 * 3 / 32 * 34);
    row("q2_K", 10, 6 * (256 / 16 + 256 / 4 + 4));
    row("q3_K", 11, 6 * (256 / 8 + 256 / 4 + 12 + 2));
    row("q4_K", 12, 6 * (4 + 12 + 256 / 2));
    row("q5_K", 13, 6 * (4 + 12 + 256 / 2 + 256 / 8));
    row("q6_K", 14, 6 * (256 / 2 + 256 / 4 + 256 / 16 + 2));
    row("iq2_xxs", 16, 6 * (2 + 256 / 8 * 2));
    row("iq4_nl", 20, 512 * 3 / 32 * 18);
    row("iq4_xs", 23, 6 * (2 + 2 + 256 / 64 + 256 / 2));
    row("bf16", 30, 512 * 3 * 2);
    row("tq2_0", 35, 6 * (256 / 4 + 2));
    row("mxfp4", 39, 512 * 3 / 32 * 17);
    row("nvfp4", 40, 512 * 3 / 64 * 36);
    row("a type of later days", 99, 0);
}

void TestGgufImport::weightsAreExact()
{
    QFETCH(quint32, type);
    QFETCH(qint64, bytes);
    const QByteArray file
        = smallGguf().tensor("output_norm.weight", {512}, 0).tensor("a.weight", {512, 3}, type).file(20'000);
    const auto imported = std::get<ImportedModel>(importBytes(file));
    QCOMPARE(imported.model.params, std::optional<qint64>(512 + 512 * 3));
    QCOMPARE(imported.model.weight_bytes, bytes == 0 ? std::nullopt : std::optional(bytes + 512 * 4));
    QCOMPARE(isWarnedAbout(imported, QStringLiteral("type 99")), bytes == 0);
    QCOMPARE(imported.warnings.size(), bytes == 0 ? 1 : 0);
}

void TestGgufImport::splitFilesAreOneModel()
{
    const auto part = [](quint16 number) {
        GgufBuilder builder = number == 0 ? smallGguf() : GgufBuilder();
        builder.small("split.no", number).small("split.count", 3);
        return builder.tensor("a.weight", {512, 3}, 1).file(3072);
    };
    QStringList paths;
    for (quint16 number = 0; number < 3; ++number)
        paths << write(QStringLiteral("big-0000%1-of-00003.gguf").arg(number + 1), part(number));
    for (const QString &path : paths) {
        const auto imported = std::get<ImportedModel>(importModelFile(path));
        QCOMPARE(imported.model.name, QStringLiteral("big"));
        QCOMPARE(imported.model.params, std::optional<qint64>(3 * 512 * 3));
        QCOMPARE(imported.model.weight_bytes, std::optional<qint64>(3 * 512 * 3 * 2));
        QVERIFY(imported.warnings.isEmpty());
    }
    QFile::remove(paths.at(1));
    const auto imported = std::get<ImportedModel>(importModelFile(paths.at(2)));
    QCOMPARE(imported.model.caches.size(), 1);
    QCOMPARE(imported.model.weight_bytes, std::nullopt);
    QCOMPARE(imported.model.params, std::nullopt);
    QVERIFY(isWarnedAbout(imported, QStringLiteral("Part 2 of 3")));
    QFile::remove(paths.at(0));
    QVERIFY(std::get<Refusal>(importModelFile(paths.at(2))).message.contains(QStringLiteral("part 1")));
}

void TestGgufImport::headersOnlyAreRead()
{
    // A vocabulary to pass over, and a file that is said to hold 5 GB and does not.
    QList<QByteArray> words;
    for (int i = 0; i < 50'000; ++i)
        words << QByteArray::number(i);
    GgufBuilder builder = smallGguf();
    builder.texts("tokenizer.ggml.tokens", words).numbers("tokenizer.ggml.token_type", QList<quint32>(50'000, 1));
    builder.text("tokenizer.chat_template", QByteArray(100'000, 'x')).tensor("a.weight", {100'000, 25'000}, 1);
    const auto short_file = std::get<ImportedModel>(importBytes(builder.file()));
    QCOMPARE(short_file.model.weight_bytes, std::optional<qint64>(5'000'000'000));
    QVERIFY(isWarnedAbout(short_file, QStringLiteral("not complete")));

    QFile file(write(QStringLiteral("large.gguf"), builder.file()));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() + 5'000'000'000)); // without writing it
    file.close();
    const auto long_file = std::get<ImportedModel>(importModelFile(file.fileName()));
    QCOMPARE(long_file.model.weight_bytes, std::optional<qint64>(5'000'000'000));
    QVERIFY(long_file.warnings.isEmpty());
    file.remove();
}

void TestGgufImport::lyingLengthsAreRefused_data()
{
    QTest::addColumn<QByteArray>("file");
    const auto little = [](quint64 value) { return GgufBuilder::little(value); };
    const auto row = [](const char *name, const QByteArray &file) { QTest::newRow(name) << file; };
    for (const quint64 value : {quint64(1) << 20, quint64(1) << 40, quint64(1) << 62, ~quint64(0)}) {
        const QByteArray times = QByteArray::number(value);
        const QByteArray start = "GGUF" + GgufBuilder::little(quint32(3));
        row("tensors " + times, start + little(value) + little(0));
        row("values " + times, start + little(0) + little(value) + QByteArray(100, 'x'));
        row("key " + times, start + little(0) + little(1) + little(value) + QByteArray(100, 'x'));
        row("text " + times, smallGguf().entry("a", 8, little(value)).file(1000));
        for (const quint32 type : {0, 4, 7, 8, 10, 12})
            row("list of type " + QByteArray::number(type) + " × " + times,
                smallGguf().entry("a", 9, GgufBuilder::little(type) + little(value)).file(1000));
        row("dimension " + times, smallGguf().tensor("a", {value, value, value, value}, 0).header());
    }
    row("list of lists",
        smallGguf().entry("a", 9, GgufBuilder::little(quint32(9)) + little(1) + QByteArray(64, '\0')).file());
    row("no such value", smallGguf().entry("a", 13, QByteArray(64, '\0')).file());
    row("no such list",
        smallGguf().entry("a", 9, GgufBuilder::little(quint32(13)) + little(1) + QByteArray(64, '\0')).file());
    row("dimensions", smallGguf().tensor("a", QList<quint64>(9, 1), 0).file());
    row("size 0", smallGguf().tensor("a", {0}, 0).file());
    row("letters alone", "GGUF");
    row("letters and version", "GGUF" + GgufBuilder::little(quint32(3)));
}

void TestGgufImport::lyingLengthsAreRefused()
{
    QFETCH(QByteArray, file);
    const ImportResult result = importBytes(file);
    QVERIFY(std::holds_alternative<Refusal>(result));
    QCOMPARE(std::get<Refusal>(result).reason, QStringLiteral("bad_header"));
    QVERIFY(std::get<Refusal>(result).message.contains(QStringLiteral("at byte")));
}

void TestGgufImport::anyCutAndAnyByteIsSurvived()
{
    const QByteArray file = smallGguf("gemma3")
                                .number(".attention.sliding_window", 128)
                                .flags(".attention.sliding_window_pattern", {true, true, true, false})
                                .texts("tokenizer.ggml.tokens", {"a", "b"})
                                .tensor("a.weight", {512, 3}, 8)
                                .file(2000);
    QVERIFY(std::holds_alternative<ImportedModel>(importBytes(file)));
    const QByteArray header = file.left(file.size() - 2000);
    for (qsizetype length = 5; length < header.size() - 32; ++length)
        QCOMPARE(std::get<Refusal>(importBytes(header.left(length))).reason, QStringLiteral("bad_header"));
    QRandomGenerator random(11);
    int accepted = 0;
    for (int round = 0; round < 1'500; ++round) {
        QByteArray changed = file;
        for (int change = random.bounded(3); change >= 0; --change)
            changed[4 + random.bounded(header.size() - 4)] = static_cast<char>(random.bounded(256));
        const ImportResult result = importBytes(changed);
        if (const auto *imported = std::get_if<ImportedModel>(&result)) {
            ++accepted;
            QVERIFY(!imported->model.caches.isEmpty());
            QVERIFY(std::holds_alternative<ModelSpec>(modelFromJson(modelToJson(imported->model))));
        } else {
            QVERIFY(!std::get<Refusal>(result).reason.isEmpty() && std::get<Refusal>(result).message.size() > 20);
        }
    }
    QVERIFY(accepted > 100);
}

void TestGgufImport::namesAndFacts()
{
    const QByteArray file = smallGguf().text("general.name", "Tiny Model").number("general.file_type", 32).file();
    const auto by_file = std::get<ImportedModel>(importModelFile(write(QStringLiteral("tiny-Q4_K_M.gguf"), file)));
    QCOMPARE(by_file.model.name, QStringLiteral("tiny-Q4_K_M"));
    QCOMPARE(by_file.model.default_dtype, QStringLiteral("bf16"));
    QCOMPARE(by_file.kv_dtype_default, QStringLiteral("fp16"));
    QCOMPARE(by_file.model.family, QStringLiteral("llama"));
    QCOMPARE(by_file.model.max_position, std::optional<qint64>(4096));
    QCOMPARE(by_file.model.num_attention_heads, std::optional<qint64>(8));
    QCOMPARE(by_file.model.hidden_size, std::optional<qint64>(512));
    QCOMPARE(by_file.model.field_sources.value(QStringLiteral("head_dim")),
        QStringLiteral("llama.embedding_length ÷ llama.attention.head_count"));
    // Ollama's files are named after their content.
    const auto blob = std::get<ImportedModel>(importModelFile(write(QStringLiteral("sha256-0a1b"), file)));
    QCOMPARE(blob.model.name, QStringLiteral("Tiny Model"));
}

QTEST_GUILESS_MAIN(TestGgufImport)
#include "tst_gguf_import.moc"
