// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/imported_name.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace kvlab::memory {

QString importedId(const QString &name)
{
    static const QRegularExpression others(QStringLiteral("[^a-z0-9._]+"));
    QString id = name.toLower().replace(others, QStringLiteral("-"));
    while (id.startsWith(u'-'))
        id.remove(0, 1);
    while (id.endsWith(u'-'))
        id.chop(1);
    return id.isEmpty() ? QStringLiteral("imported") : id;
}

QString importedName(const QString &path)
{
    const QFileInfo file(path);
    // …/models--Qwen--Qwen2.5-7B/snapshots/<commit>/config.json
    static const QRegularExpression hub(
        QStringLiteral("(?:^|[/\\\\])models--(?:[^/\\\\]*--)?([^/\\\\]+)[/\\\\]snapshots[/\\\\]"));
    const auto match = hub.match(file.absoluteFilePath());
    const bool is_folder = file.isDir();
    const bool is_config = file.suffix().compare(QLatin1String("gguf"), Qt::CaseInsensitive) != 0;
    if (match.hasMatch() && is_config)
        return match.captured(1);
    if (is_folder)
        return QDir(file.absoluteFilePath()).dirName();
    const QString base = file.completeBaseName();
    static const QRegularExpression plain(
        QStringLiteral("^(config|model|model\\.safetensors\\.index|model-[0-9]+-of-[0-9]+)$"));
    if (is_config && plain.match(base).hasMatch()) {
        const QString folder = file.absoluteDir().dirName();
        return folder.isEmpty() ? base : folder;
    }
    static const QRegularExpression part(QStringLiteral("-[0-9]{5}-of-[0-9]{5}$"));
    const QString name = QString(base).remove(part);
    return name.isEmpty() ? file.fileName() : name;
}

} // namespace kvlab::memory
