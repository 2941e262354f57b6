// SPDX-License-Identifier: GPL-3.0-or-later
#include "listing.h"

#include "commands.h"
#include "options.h"

#include "session/csv.h"

#include <QCoreApplication>

#include <cstdio>

namespace kvlab::cli {

std::optional<Output> outputFromName(const QString &name)
{
    if (name == QLatin1String("table"))
        return Output::table;
    if (name == QLatin1String("csv"))
        return Output::csv;
    if (name == QLatin1String("json"))
        return Output::json;
    return std::nullopt;
}

QString Listing::table() const
{
    QList<QStringList> lines{names};
    for (QStringList cells : rows) {
        for (qsizetype column = 0; column < cells.size(); ++column) {
            if (cells.at(column).isEmpty() && !may_be_empty.value(column))
                cells[column] = QStringLiteral("–");
        }
        lines << cells;
    }
    QList<qsizetype> widths(names.size());
    for (const QStringList &cells : lines) {
        for (qsizetype column = 0; column < cells.size(); ++column)
            widths[column] = std::max(widths.at(column), cells.at(column).size());
    }
    QString text;
    for (const QStringList &cells : lines) {
        QStringList padded;
        for (qsizetype column = 0; column < cells.size(); ++column)
            padded << (is_text.at(column) ? cells.at(column).leftJustified(widths.at(column))
                                          : cells.at(column).rightJustified(widths.at(column)));
        QString joined = padded.join(QStringLiteral("  "));
        while (joined.endsWith(u' '))
            joined.chop(1);
        text += joined + u'\n';
    }
    return text;
}

QString Listing::csv() const
{
    session::CsvWriter csv;
    csv.addRow(names);
    for (QStringList cells : rows) {
        for (qsizetype column = 0; column < cells.size(); ++column) {
            if (is_text.at(column))
                cells[column] = session::csvTextCell(cells.at(column));
        }
        csv.addRow(cells);
    }
    return QString::fromUtf8(csv.toUtf8(session::ByteOrderMark::no));
}

int flushed(int code)
{
    standardOutput().flush();
    if (standardOutput().status() == QTextStream::Ok && std::fflush(stdout) == 0)
        return code;
    return fail(exitCannotWrite,
        QCoreApplication::translate(
            "kvlab", "The result could not be written to standard output. Make room or redirect it elsewhere."));
}

} // namespace kvlab::cli
