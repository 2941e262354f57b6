// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/local_models.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr int maxDepth = 6; ///< of folders below a place
constexpr qsizetype maxFolders = 100'000;
constexpr qint64 maxManifestBytes = 1 << 20;

/// Calls a function for every folder once, however links lead to it.
class FolderWalk
{
public:
    FolderWalk(const std::function<bool()> &is_stopped, const std::function<void(const QDir &)> &visit)
        : m_is_stopped(is_stopped)
        , m_visit(visit)
    {
    }

    void enter(const QString &path, int depth = 0)
    {
        const QString real = QFileInfo(path).canonicalFilePath(); // empty where a link leads nowhere
        if (depth > maxDepth || real.isEmpty() || m_seen.contains(real) || m_seen.size() >= maxFolders
            || (m_is_stopped && m_is_stopped()))
            return;
        m_seen.insert(real);
        const QDir folder(path);
        m_visit(folder);
        for (const QString &name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            enter(folder.filePath(name), depth + 1);
    }

private:
    const std::function<bool()> &m_is_stopped;
    const std::function<void(const QDir &)> &m_visit;
    QSet<QString> m_seen;
};

/// GGUF files of a folder, of split ones the first part; not those for pictures.
QStringList ggufFiles(const QDir &folder)
{
    static const QRegularExpression later(u"-[0-9]{5}-of-[0-9]{5}\\.gguf$"_s);
    QStringList names;
    for (const QString &name : folder.entryList({u"*.gguf"_s}, QDir::Files, QDir::Name)) {
        const bool is_later = later.match(name).hasMatch() && !name.contains("-00001-of-"_L1);
        if (!is_later && !name.startsWith("mmproj"_L1))
            names << name;
    }
    return names;
}

/// The snapshot that main points to, else the newest.
QString snapshotOf(const QDir &repository)
{
    const QDir snapshots(repository.filePath(u"snapshots"_s));
    QFile main(repository.filePath(u"refs/main"_s));
    if (main.open(QIODevice::ReadOnly)) {
        const QString revision = QString::fromLatin1(main.read(100)).trimmed();
        if (!revision.isEmpty() && !revision.contains(u'/') && snapshots.exists(revision))
            return snapshots.filePath(revision);
    }
    const QStringList names = snapshots.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    return names.isEmpty() ? QString() : snapshots.filePath(names.constFirst());
}

class Finder
{
public:
    explicit Finder(const std::function<bool()> &is_stopped)
        : m_is_stopped(is_stopped)
    {
    }

    void addHuggingFace(const QString &place)
    {
        const QDir hub(place);
        for (const QString &name : hub.entryList({u"models--*"_s}, QDir::Dirs, QDir::Name)) {
            const QString title = name.mid(8).replace("--"_L1, "/"_L1);
            const QString snapshot = snapshotOf(QDir(hub.filePath(name)));
            if (snapshot.isEmpty() || (m_is_stopped && m_is_stopped()))
                continue;
            if (QFileInfo(snapshot + u"/config.json"_s).isFile())
                add(title, u"Hugging Face"_s, snapshot + u"/config.json"_s);
            walk(snapshot, [this, &title](const QDir &folder) {
                for (const QString &file : ggufFiles(folder))
                    add(title + u'/' + file, u"Hugging Face"_s, folder.filePath(file));
            });
        }
    }

    void addLmStudio(const QString &place)
    {
        const QDir root(place);
        walk(place, [this, &root](const QDir &folder) {
            const QString title = root.relativeFilePath(folder.path());
            if (folder.exists(u"config.json"_s) && folder.path() != root.path())
                add(title, u"LM Studio"_s, folder.filePath(u"config.json"_s));
            for (const QString &file : ggufFiles(folder))
                add(root.relativeFilePath(folder.filePath(file)), u"LM Studio"_s, folder.filePath(file));
        });
    }

    void addOllama(const QString &place)
    {
        const QDir manifests(place + u"/manifests"_s);
        walk(manifests.path(), [this, &manifests, &place](const QDir &folder) {
            for (const QString &tag : folder.entryList(QDir::Files, QDir::Name)) {
                const QString blob = blobOf(folder.filePath(tag));
                const QString path = place + u"/blobs/"_s + blob;
                if (!blob.isEmpty() && QFileInfo(path).isFile())
                    add(ollamaName(manifests.relativeFilePath(folder.path()), tag), u"Ollama"_s, path);
            }
        });
    }

    QList<LocalModel> sorted()
    {
        std::sort(m_found.begin(), m_found.end(), [](const LocalModel &left, const LocalModel &right) {
            return std::pair(left.source, left.name.toLower()) < std::pair(right.source, right.name.toLower());
        });
        return m_found;
    }

private:
    void walk(const QString &path, const std::function<void(const QDir &)> &visit)
    {
        FolderWalk(m_is_stopped, visit).enter(path);
    }

    void add(const QString &name, const QString &source, const QString &path)
    {
        const LocalModel model{name, source, QDir::cleanPath(path)};
        if (!m_found.contains(model))
            m_found << model;
    }

    /// The file that a manifest names as the model; empty when it is no manifest.
    static QString blobOf(const QString &manifest)
    {
        QFile file(manifest);
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QJsonDocument json = QJsonDocument::fromJson(file.read(maxManifestBytes));
        for (const QJsonValue &layer : json.object().value(u"layers").toArray()) {
            static const QRegularExpression digest(u"^sha256[:-]([0-9a-f]{64})$"_s);
            const auto match = digest.match(layer[u"digest"].toString());
            if (layer[u"mediaType"].toString() == "application/vnd.ollama.image.model"_L1 && match.hasMatch())
                return u"sha256-"_s + match.captured(1);
        }
        return {};
    }

    /// registry.ollama.ai/library/llama3 + 8b → llama3:8b
    static QString ollamaName(QString folder, const QString &tag)
    {
        for (const QLatin1String start : {"registry.ollama.ai/library/"_L1, "registry.ollama.ai/"_L1}) {
            if (folder.startsWith(start))
                folder.remove(0, start.size());
        }
        return folder + u':' + tag;
    }

    const std::function<bool()> &m_is_stopped;
    QList<LocalModel> m_found;
};

} // namespace

LocalModelPlaces localModelPlaces(const QProcessEnvironment &environment, const QString &home)
{
    const auto value = [&environment](const QString &name) { return environment.value(name); };
    LocalModelPlaces places;
    const QString cache = value(u"XDG_CACHE_HOME"_s).isEmpty() ? home + u"/.cache"_s : value(u"XDG_CACHE_HOME"_s);
    const QString hf_home = value(u"HF_HOME"_s).isEmpty() ? cache + u"/huggingface"_s : value(u"HF_HOME"_s);
    places.hugging_face << (value(u"HF_HUB_CACHE"_s).isEmpty() ? hf_home + u"/hub"_s : value(u"HF_HUB_CACHE"_s));
    places.lm_studio << home + u"/.lmstudio/models"_s << home + u"/.cache/lm-studio/models"_s;
    if (!value(u"OLLAMA_MODELS"_s).isEmpty())
        places.ollama << value(u"OLLAMA_MODELS"_s);
    else // as a user's program, and as a service on Linux
        places.ollama << home + u"/.ollama/models"_s << u"/usr/share/ollama/.ollama/models"_s;
    return places;
}

QList<LocalModel> findLocalModels(const LocalModelPlaces &places, const std::function<bool()> &is_stopped)
{
    Finder finder(is_stopped);
    for (const QString &place : places.hugging_face)
        finder.addHuggingFace(place);
    for (const QString &place : places.lm_studio)
        finder.addLmStudio(place);
    for (const QString &place : places.ollama)
        finder.addOllama(place);
    return finder.sorted();
}

} // namespace kvlab::memory
