// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of cells as an aligned table, as CSV or as JSON: what the subcommands that list things print.
#pragma once

#include <QJsonArray>
#include <QStringList>

#include <optional>

namespace kvlab::cli {

enum class Output { table, csv, json };

std::optional<Output> outputFromName(const QString &name); ///< "table", "csv", "json"

/// Columns of a terminal that the text takes: Chinese characters take two.
qsizetype displayWidth(const QString &text);

enum class Side { left, right };

/// The text with spaces until it takes `width` columns of a terminal.
QString padded(const QString &text, qsizetype width, Side side);

/// Two spaces between columns; texts to the left, figures to the right; “–” where a figure is missing.
struct Listing
{
    QStringList names;
    QList<bool> is_text; ///< one per column
    QList<QStringList> rows; ///< empty cell = unknown
    QList<bool> may_be_empty = {}; ///< columns without “–”; none = every column has it

    QString table() const;
    QString csv() const;
};

/// Flushes standard output; exitCannotWrite with a message when that fails, as a full disk behind a redirection shows
/// only then.
int flushed(int code);

} // namespace kvlab::cli
