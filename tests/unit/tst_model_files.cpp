// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of models: weights beside a config.json, and what is found in the stores of Hugging Face, LM Studio and
// Ollama, made up in a temporary folder.
#include "gguf_bench.h"
#include "import_bench.h"

#include "memory/importers/local_models.h"

using namespace kvlab::test;

namespace {

const QString digits = QString(64, u'a');

QByteArray safetensors(const QByteArray &header, qint64 data)
{
    return GgufBuilder::sized(header) + QByteArray(data, '\0');
}

/// 6 elements of 16 bits and 3 of 32: 24 bytes.
QByteArray goodSafetensors()
{
    return safetensors(R"({"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]},
        "b":{"dtype":"F32","shape":[3],"data_offsets":[12,24]}})",
        24);
}

} // namespace

class TestModelFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void singleFile();
    void indexWithItsParts();
    void indexAlone();
    void indexThatIsWrong();
    void severalFilesWithoutAnIndex();
    void damagedFiles_data();
    void damagedFiles();
    void foldersAndWeightsLeadToTheConfig();
    void placesFollowTheEnvironment();
    void huggingFaceCache();
    void lmStudioFolder();
    void ollamaStore();
    void linksDoNotLoop();
    void stopsWhenAsked();

private:
    QString write(const QString &name, const QByteArray &bytes);
    ImportedModel importedConfig();
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestModelFiles::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

QString TestModelFiles::write(const QString &name, const QByteArray &bytes)
{
    const QString path = m_folder->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write the test's own file");
    return path;
}

ImportedModel TestModelFiles::importedConfig()
{
    return std::get<ImportedModel>(importModelFile(write(QStringLiteral("config.json"), configWith("{}"))));
}

// Weights
// ----------------------------------------------------------------------------------------------------------------

void TestModelFiles::singleFile()
{
    QCOMPARE(importedConfig().model.weight_bytes, std::nullopt);
    write(QStringLiteral("model.safetensors"), goodSafetensors());
    write(QStringLiteral("adapter_model.safetensors"), goodSafetensors());
    const ImportedModel imported = importedConfig();
    QCOMPARE(imported.model.weight_bytes, std::optional<qint64>(24));
    QCOMPARE(imported.model.field_sources.value(QStringLiteral("weight_bytes")), QStringLiteral("model.safetensors"));
    QVERIFY(imported.warnings.isEmpty());
}

void TestModelFiles::indexWithItsParts()
{
    write(QStringLiteral("model.safetensors.index.json"),
        R"({"metadata":{"total_size":48},"weight_map":{"a":"model-00001-of-00002.safetensors",
            "b":"model-00001-of-00002.safetensors","c":"model-00002-of-00002.safetensors"}})");
    write(QStringLiteral("model-00001-of-00002.safetensors"), goodSafetensors());
    write(QStringLiteral("model-00002-of-00002.safetensors"), goodSafetensors());
    const ImportedModel imported = importedConfig();
    QCOMPARE(imported.model.weight_bytes, std::optional<qint64>(48));
    QVERIFY(imported.warnings.isEmpty());
}

void TestModelFiles::indexAlone()
{
    // DeepSeek-V3's index: the parts need not be there.
    write(QStringLiteral("model.safetensors.index.json"),
        R"({"metadata":{"total_size":688586727753},"weight_map":{"a":"model-00001-of-000163.safetensors"}})");
    const ImportedModel imported = importedConfig();
    QCOMPARE(imported.model.weight_bytes, std::optional<qint64>(688'586'727'753));
    QVERIFY(isWarnedAbout(imported, QStringLiteral("model-00001-of-000163.safetensors")));
}

void TestModelFiles::indexThatIsWrong()
{
    const QString index = QStringLiteral("model.safetensors.index.json");
    write(QStringLiteral("part.safetensors"), goodSafetensors());
    write(index, R"({"metadata":{"total_size":100},"weight_map":{"a":"part.safetensors"}})");
    ImportedModel imported = importedConfig();
    QCOMPARE(imported.model.weight_bytes, std::optional<qint64>(24));
    QVERIFY(isWarnedAbout(imported, QStringLiteral("the files count")));
    for (const char *bad :
        {"", "[]", "{}", "{\"metadata\":{\"total_size\":-5}}", "{\"metadata\":{\"total_size\":\"5\"}}",
            "{\"weight_map\":{\"a\":\"../part.safetensors\"}}", "{\"weight_map\":{\"a\":7}}", "{\"weight_map\":[1]}"}) {
        write(index, bad);
        imported = importedConfig();
        QCOMPARE(imported.model.weight_bytes, std::nullopt);
        QVERIFY2(isWarnedAbout(imported, index), bad);
    }
}

void TestModelFiles::severalFilesWithoutAnIndex()
{
    write(QStringLiteral("one.safetensors"), goodSafetensors());
    QCOMPARE(importedConfig().model.weight_bytes, std::optional<qint64>(24));
    write(QStringLiteral("two.safetensors"), goodSafetensors());
    QCOMPARE(importedConfig().model.weight_bytes, std::nullopt);
}

void TestModelFiles::damagedFiles_data()
{
    QTest::addColumn<QByteArray>("file");
    const auto row = [](const char *name, const QByteArray &file) { QTest::newRow(name) << file; };
    row("empty", {});
    row("length alone", GgufBuilder::little(quint64(20)));
    row("length beyond the file", GgufBuilder::little(quint64(1) << 40) + "{}");
    row("length of all ones", GgufBuilder::little(~quint64(0)) + "{}");
    row("length longer than the rest", GgufBuilder::little(quint64(1000)) + "{}");
    row("no JSON", safetensors("{\"a\":", 24));
    row("no object", safetensors("[1,2,3]", 24));
    row("no offsets", safetensors(R"({"a":{"dtype":"F32"}})", 24));
    row("offsets outside", safetensors(R"({"a":{"data_offsets":[0,25]}})", 24));
    row("offsets negative", safetensors(R"({"a":{"data_offsets":[-1,5]}})", 24));
    row("offsets turned round", safetensors(R"({"a":{"data_offsets":[9,5]}})", 24));
    row("offsets of text", safetensors(R"({"a":{"data_offsets":["0","5"]}})", 24));
    row("cut off", goodSafetensors().chopped(1));
    row("nested without end", safetensors("{\"a\":" + QByteArray(100'000, '['), 24));
}

void TestModelFiles::damagedFiles()
{
    QFETCH(QByteArray, file);
    write(QStringLiteral("model.safetensors"), file);
    const ImportedModel imported = importedConfig();
    QCOMPARE(imported.model.weight_bytes, std::nullopt);
    QVERIFY(isWarnedAbout(imported, QStringLiteral("model.safetensors")));
}

void TestModelFiles::foldersAndWeightsLeadToTheConfig()
{
    const QString weights = write(QStringLiteral("My Model/model.safetensors"), goodSafetensors());
    QCOMPARE(std::get<Refusal>(importModelFile(weights)).reason, QStringLiteral("field_missing"));
    write(QStringLiteral("My Model/config.json"), configWith("{}"));
    for (const QString &path : {weights, m_folder->filePath(QStringLiteral("My Model"))}) {
        const auto imported = std::get<ImportedModel>(importModelFile(path));
        QCOMPARE(imported.model.name, QStringLiteral("My Model"));
        QCOMPARE(imported.model.weight_bytes, std::optional<qint64>(24));
    }
    const QString ggufs = QStringLiteral("gguf/small.gguf");
    write(ggufs, smallGguf().file());
    const QString folder = m_folder->filePath(QStringLiteral("gguf"));
    QCOMPARE(std::get<ImportedModel>(importModelFile(folder)).model.name, QStringLiteral("small"));
    write(QStringLiteral("gguf/other.gguf"), smallGguf().file());
    QVERIFY(std::get<Refusal>(importModelFile(folder)).message.contains(QStringLiteral("several")));
    QVERIFY(std::get<Refusal>(importModelFile(m_folder->path())).message.contains(QStringLiteral("config.json")));
}

// What is on this computer
// ----------------------------------------------------------------------------------------------------

void TestModelFiles::placesFollowTheEnvironment()
{
    QProcessEnvironment environment;
    const QString home = QStringLiteral("/home/me");
    LocalModelPlaces places = localModelPlaces(environment, home);
    QCOMPARE(places.hugging_face, QStringList{QStringLiteral("/home/me/.cache/huggingface/hub")});
    QVERIFY(places.lm_studio.contains(QStringLiteral("/home/me/.lmstudio/models")));
    QVERIFY(places.ollama.contains(QStringLiteral("/home/me/.ollama/models")));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), QStringLiteral("/c"));
    QCOMPARE(localModelPlaces(environment, home).hugging_face.constFirst(), QStringLiteral("/c/huggingface/hub"));
    environment.insert(QStringLiteral("HF_HOME"), QStringLiteral("/h"));
    QCOMPARE(localModelPlaces(environment, home).hugging_face.constFirst(), QStringLiteral("/h/hub"));
    environment.insert(QStringLiteral("HF_HUB_CACHE"), QStringLiteral("/u"));
    environment.insert(QStringLiteral("OLLAMA_MODELS"), QStringLiteral("/o"));
    places = localModelPlaces(environment, home);
    QCOMPARE(places.hugging_face, QStringList{QStringLiteral("/u")});
    QCOMPARE(places.ollama, QStringList{QStringLiteral("/o")});
}

void TestModelFiles::huggingFaceCache()
{
    const QString repository = QStringLiteral("hub/models--Qwen--Qwen2.5-7B/");
    write(repository + QStringLiteral("blobs/0a"), configWith("{}"));
    write(repository + QStringLiteral("refs/main"), "new\n");
    write(repository + QStringLiteral("snapshots/old/config.json"), configWith("{}"));
    QDir().mkpath(m_folder->filePath(repository + QStringLiteral("snapshots/new")));
    const QString config = m_folder->filePath(repository + QStringLiteral("snapshots/new/config.json"));
    QVERIFY(QFile::link(QStringLiteral("../../blobs/0a"), config));
    write(QStringLiteral("hub/models--me--tiny-GGUF/snapshots/1/Q4/tiny-00001-of-00002.gguf"), smallGguf().file());
    write(QStringLiteral("hub/models--me--tiny-GGUF/snapshots/1/Q4/tiny-00002-of-00002.gguf"), smallGguf().file());
    write(QStringLiteral("hub/models--me--tiny-GGUF/snapshots/1/mmproj-f16.gguf"), smallGguf().file());
    write(QStringLiteral("hub/datasets--me--words/snapshots/1/config.json"), "{}");
    write(QStringLiteral("hub/models--me--empty/refs/main"), "gone");

    const auto found = findLocalModels({{m_folder->filePath(QStringLiteral("hub"))}, {}, {}});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found.at(0).name, QStringLiteral("me/tiny-GGUF/tiny-00001-of-00002.gguf"));
    const LocalModel qwen{QStringLiteral("Qwen/Qwen2.5-7B"), QStringLiteral("Hugging Face"), config};
    QCOMPARE(found.at(1), qwen);
    QCOMPARE(std::get<ImportedModel>(importModelFile(found.at(1).path)).model.name, QStringLiteral("Qwen2.5-7B"));
}

void TestModelFiles::lmStudioFolder()
{
    write(QStringLiteral("lm/me/tiny-GGUF/tiny-Q8_0.gguf"), smallGguf().file());
    write(QStringLiteral("lm/mlx/tiny-4bit/config.json"), configWith("{}"));
    write(QStringLiteral("lm/readme.txt"), "hello");
    const auto found = findLocalModels({{}, {m_folder->filePath(QStringLiteral("lm"))}, {}});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found.at(0).name, QStringLiteral("me/tiny-GGUF/tiny-Q8_0.gguf"));
    QCOMPARE(found.at(1).name, QStringLiteral("mlx/tiny-4bit"));
    for (const LocalModel &model : found)
        QVERIFY(std::holds_alternative<ImportedModel>(importModelFile(model.path)));
}

void TestModelFiles::ollamaStore()
{
    const auto manifest = [](const QString &digest) {
        return QStringLiteral(R"({"layers":[{"mediaType":"application/vnd.ollama.image.template","digest":"sha256:00"},
            {"mediaType":"application/vnd.ollama.image.model","digest":"%1"}]})")
            .arg(digest)
            .toUtf8();
    };
    write(QStringLiteral("o/blobs/sha256-") + digits, smallGguf().text("general.name", "Tiny").file());
    const QString library = QStringLiteral("o/manifests/registry.ollama.ai/library/");
    write(library + QStringLiteral("tiny/8b"), manifest(QStringLiteral("sha256:") + digits));
    write(QStringLiteral("o/manifests/hf.co/me/tiny/latest"), manifest(QStringLiteral("sha256:") + digits));
    write(library + QStringLiteral("gone/latest"), manifest(QStringLiteral("sha256:") + QString(64, u'b')));
    write(library + QStringLiteral("evil/latest"), manifest(QStringLiteral("sha256:../../../etc/passwd")));
    write(library + QStringLiteral("bad/latest"), "no manifest");
    const auto found = findLocalModels({{}, {}, {m_folder->filePath(QStringLiteral("o"))}});
    QCOMPARE(found.size(), 2);
    QCOMPARE(found.at(0).name, QStringLiteral("hf.co/me/tiny:latest"));
    QCOMPARE(found.at(1).name, QStringLiteral("tiny:8b"));
    QCOMPARE(std::get<ImportedModel>(importModelFile(found.at(1).path)).model.name, QStringLiteral("Tiny"));
}

void TestModelFiles::linksDoNotLoop()
{
    write(QStringLiteral("lm/me/tiny/tiny.gguf"), smallGguf().file());
    const QString root = m_folder->filePath(QStringLiteral("lm"));
    QVERIFY(QFile::link(root, root + QStringLiteral("/me/tiny/up")));
    QVERIFY(QFile::link(QStringLiteral("self"), root + QStringLiteral("/self")));
    QVERIFY(QFile::link(root + QStringLiteral("/me"), root + QStringLiteral("/again")));
    const auto found = findLocalModels({{}, {root, root, root + QStringLiteral("/nothing")}, {}});
    QCOMPARE(found.size(), 1);
}

void TestModelFiles::stopsWhenAsked()
{
    for (int i = 0; i < 5; ++i)
        write(QStringLiteral("lm/%1/tiny.gguf").arg(i), smallGguf().file());
    int asked = 0;
    const auto found
        = findLocalModels({{}, {m_folder->filePath(QStringLiteral("lm"))}, {}}, [&asked] { return ++asked > 3; });
    QCOMPARE(found.size(), 2); // the place itself and two of its folders
}

QTEST_GUILESS_MAIN(TestModelFiles)
#include "tst_model_files.moc"
