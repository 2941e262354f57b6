// SPDX-License-Identifier: GPL-3.0-or-later
// CSV after RFC 4180: UTF-8 with BOM, CRLF, one header row, plain numbers (dot, no grouping), unknown = empty cell.
// Text cells that a spreadsheet would run as a formula get a leading apostrophe. Cases: tests/data/csv-cases.json.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace kvlab::session {

/// One cell of text: guarded, then quoted where needed.
QString csvTextCell(const QString &text);
/// One numeric cell; the caller formats it in the C locale. nullopt = empty.
QString csvNumberCell(const std::optional<QString> &number);
/// "%.*f" in the C locale without trailing zeros beyond what the value needs.
QString csvNumber(double value, int decimals = 3);

class CsvWriter
{
public:
    /// Cells come ready made from the functions above.
    void addRow(const QStringList &cells);
    /// BOM and rows.
    QByteArray toUtf8() const;

private:
    QString m_rows;
};

/// Rows and cells of a CSV document, apostrophe guards removed; used to read exports back.
QList<QStringList> parseCsv(const QByteArray &document);

/// Writes atomically (QSaveFile). On failure a sentence (what, why, what to do); the old file stays as it was.
std::optional<QString> writeFileAtomically(const QString &path, const QByteArray &content);

} // namespace kvlab::session
