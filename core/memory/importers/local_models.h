// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are on this computer already: the Hugging Face cache, LM Studio's folder and Ollama's store. Only folders
// and manifests are read. Blocks while it looks; give it a thread of its own.
#pragma once

#include <QList>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <functional>

namespace kvlab::memory {

struct LocalModel
{
    QString name; ///< "Qwen/Qwen2.5-7B", "llama3.1:8b"
    QString source; ///< "Hugging Face", "LM Studio", "Ollama"
    QString path; ///< what importModelFile() takes

    friend bool operator==(const LocalModel &, const LocalModel &) = default;
};

struct LocalModelPlaces
{
    QStringList hugging_face; ///< folders with models--…
    QStringList lm_studio;
    QStringList ollama; ///< folders with manifests and blobs
};

/// Where they are by default, and where HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME and OLLAMA_MODELS put them.
LocalModelPlaces localModelPlaces(const QProcessEnvironment &environment, const QString &home);

/// Sorted by source and name. Links are followed, but no folder is entered twice. `is_stopped` is asked between
/// folders; then what was found so far is returned.
QList<LocalModel> findLocalModels(const LocalModelPlaces &places, const std::function<bool()> &is_stopped = {});

} // namespace kvlab::memory
