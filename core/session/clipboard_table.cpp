// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/clipboard_table.h"

namespace kvlab::session {

namespace {

bool endsCell(QStringView text, qsizetype at)
{
    return at >= text.size() || text.at(at) == u'\t' || text.at(at) == u'\n' || text.at(at) == u'\r';
}

/// The end of a quoted cell that begins at `at`, behind its closing quote; -1 when nothing closes it before the cell
/// ends.
qsizetype quotedEnd(QStringView text, qsizetype at)
{
    for (qsizetype i = at + 1; i < text.size(); ++i) {
        if (text.at(i) != u'"')
            continue;
        if (i + 1 < text.size() && text.at(i + 1) == u'"')
            ++i;
        else
            return endsCell(text, i + 1) ? i + 1 : -1;
    }
    return -1;
}

QString readCell(QStringView text, qsizetype &at)
{
    if (at < text.size() && text.at(at) == u'"') {
        const qsizetype end = quotedEnd(text, at);
        if (end > 0) {
            QString cell = text.mid(at + 1, end - at - 2).toString();
            at = end;
            return cell.replace(QStringLiteral("\"\""), QStringLiteral("\""));
        }
    }
    const qsizetype start = at;
    while (!endsCell(text, at))
        ++at;
    return text.mid(start, at - start).toString();
}

} // namespace

QList<QStringList> tableFromText(const QString &text)
{
    QStringView rest(text);
    if (rest.startsWith(QChar(QChar::ByteOrderMark)))
        rest = rest.mid(1);
    QList<QStringList> rows;
    QStringList row;
    qsizetype at = 0;
    while (true) {
        row << readCell(rest, at);
        if (at >= rest.size())
            break;
        if (rest.at(at) == u'\t') {
            ++at;
            continue;
        }
        at += rest.at(at) == u'\r' && at + 1 < rest.size() && rest.at(at + 1) == u'\n' ? 2 : 1;
        rows << row;
        row.clear();
        if (at >= rest.size())
            return rows;
    }
    rows << row;
    return rows;
}

QString tableToText(const QList<QStringList> &rows)
{
    QString text;
    for (const QStringList &row : rows) {
        QStringList cells;
        for (QString cell : row) {
            if (cell.contains(u'\t') || cell.contains(u'\n') || cell.contains(u'\r') || cell.startsWith(u'"'))
                cell = u'"' + cell.replace(QStringLiteral("\""), QStringLiteral("\"\"")) + u'"';
            cells << cell;
        }
        text += cells.join(u'\t') + u'\n';
    }
    return text;
}

} // namespace kvlab::session
