// SPDX-License-Identifier: GPL-3.0-or-later
// CSV after RFC 4180: UTF-8, CRLF, one header row, plain numbers (dot, no grouping), unknown = empty cell.
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
/// "%.*f" in the C locale without trailing zeros beyond what the value needs; empty for NaN and infinities.
QString csvNumber(double value, int decimals = 3);

/// Spreadsheets need the byte order mark to read UTF-8; scripts stumble over it.
enum class ByteOrderMark { yes, no };

class CsvWriter
{
public:
    /// Cells come ready made from the functions above.
    void addRow(const QStringList &cells);
    QByteArray toUtf8(ByteOrderMark mark = ByteOrderMark::yes) const;

private:
    QString m_rows;
};

/// Rows and cells of a CSV document, apostrophe guards removed; used to read exports back. Lenient: CRLF, LF and CR end
/// rows, a quote that is never closed runs to the end, a document may lack the mark and the last line end.
QList<QStringList> parseCsv(const QByteArray &document);

/// Writes atomically (QSaveFile). On failure a sentence (what, why, what to do); the old file stays as it was.
/// Devices and folders are refused: replacing /dev/null by a file is never what was meant.
std::optional<QString> writeFileAtomically(const QString &path, const QByteArray &content);

} // namespace kvlab::session
