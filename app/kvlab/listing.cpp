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

qsizetype displayWidth(const QString &text)
{
    const auto isWide = [](char32_t code) {
        // East Asian Width W and F (Unicode Annex 11) of what this program writes: Han, kana, Hangul, full-width forms.
        return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF)
            || (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF)
            || (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60)
            || (code >= 0x20000 && code <= 0x3FFFD);
    };
    qsizetype width = 0;
    for (const char32_t code : text.toUcs4())
        width += isWide(code) ? 2 : 1;
    return width;
}

QString padded(const QString &text, qsizetype width, Side side)
{
    const QString spaces(std::max(qsizetype(0), width - displayWidth(text)), u' ');
    return side == Side::left ? text + spaces : spaces + text;
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
            widths[column] = std::max(widths.at(column), displayWidth(cells.at(column)));
    }
    QString text;
    for (const QStringList &cells : lines) {
        QStringList aligned;
        for (qsizetype column = 0; column < cells.size(); ++column)
            aligned << padded(cells.at(column), widths.at(column), is_text.at(column) ? Side::left : Side::right);
        QString joined = aligned.join(QStringLiteral("  "));
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
