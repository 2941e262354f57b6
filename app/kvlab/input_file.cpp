// SPDX-License-Identifier: GPL-3.0-or-later
#include "input_file.h"

#include "commands.h"
#include "options.h"

#include <QCoreApplication>
#include <QFile>

namespace kvlab::cli {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::InputFile)
};

} // namespace

std::optional<QString> onlyFile(const QCommandLineParser &parser, const QString &command)
{
    const QStringList files = parser.positionalArguments();
    if (files.size() == 1)
        return files.first();
    fail(exitUsage,
        Texts::tr("%1 takes one file, not %2. %1 --help shows an example.")
            .arg(command, QString::number(files.size())));
    return std::nullopt;
}

std::optional<QByteArray> readInputFile(const QString &path, qint64 largest)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        fail(exitInputRefused,
            Texts::tr("The file %1 cannot be read: %2. Check its name and its permissions.")
                .arg(path, file.errorString()));
        return std::nullopt;
    }
    const QByteArray bytes = file.read(largest + 1);
    if (bytes.size() > largest) {
        fail(exitInputRefused,
            Texts::tr("The file %1 is larger than %2 MiB, which is more than is read. Choose another file.")
                .arg(path, QString::number(largest / (1024 * 1024))));
        return std::nullopt;
    }
    return bytes;
}

std::optional<QJsonDocument> readJsonFile(const QString &path, qint64 largest)
{
    const auto bytes = readInputFile(path, largest);
    if (!bytes)
        return std::nullopt;
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(*bytes, &error);
    if (error.error == QJsonParseError::NoError)
        return document;
    fail(exitInputRefused,
        Texts::tr("The file %1 is not JSON: %2 at byte %3. Choose another file, or correct it.")
            .arg(path, error.errorString(), QString::number(error.offset)));
    return std::nullopt;
}

} // namespace kvlab::cli
