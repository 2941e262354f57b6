// SPDX-License-Identifier: GPL-3.0-or-later
// Files that subcommands read: whole, of bounded size, refused with a sentence.
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QStringList>

#include <optional>

class QCommandLineParser;

namespace kvlab::cli {

/// The one file that a command was given; nullopt after a message when there is none or more than one.
std::optional<QString> onlyFile(const QCommandLineParser &parser, const QString &command);

/// nullopt after a message.
std::optional<QByteArray> readInputFile(const QString &path, qint64 largest);

/// nullopt after a message.
std::optional<QJsonDocument> readJsonFile(const QString &path, qint64 largest);

} // namespace kvlab::cli
