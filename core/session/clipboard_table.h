// SPDX-License-Identifier: GPL-3.0-or-later
// Cells as spreadsheets put them on the clipboard: tab-separated text, cells with tabs, line ends or a leading quote in
// quotes. Cases: tests/data/csv-cases.json, "clipboard".
#pragma once

#include <QList>
#include <QStringList>

namespace kvlab::session {

/// Rows of cells; one trailing line end is not a row. A quote that is never closed, or stands inside a cell, is text.
QList<QStringList> tableFromText(const QString &text);
QString tableToText(const QList<QStringList> &rows);

} // namespace kvlab::session
