// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and formulas of the memory table as people read them, in the locale in use. Units: bytes, GiB = 2^30 bytes.
#pragma once

#include "memory/memory_estimate.h"
#include "ui/memory/memory_columns.h"

#include <QCoreApplication>

namespace kvlab::ui {

struct FormulaFactor
{
    QString value; ///< localised
    QString name; ///< in the language in use
    QString source; ///< the field of the model's file that it came from; empty when it came from none
};

/// One product: its factors and what it comes to.
struct FormulaLine
{
    QList<FormulaFactor> factors;
    QString product; ///< "117,440,512 B"; empty when there is one line only
};

/// Everything the formula view shows of one row.
struct Formula
{
    QList<FormulaLine> lines;
    QString total; ///< "= 234,881,024 B = 0.219 GiB"
    QString per_token; ///< "57,344 B = 56 KiB per token"
};

class MemoryText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::MemoryText)
public:
    static QString count(qint64 value); ///< "4,096"
    static QString bytes(const memory::Bytes &bytes); ///< "234,881,024 B"
    static QString kib(const memory::Bytes &bytes); ///< "68.625 KiB"
    /// Three decimals, more where the value is so small that fewer than two digits would show.
    static QString gib(const memory::Bytes &bytes); ///< "0.219"
    static QString size(const memory::Bytes &bytes, SizeUnit unit); ///< "0.219" GiB or "0.235" GB
    static QString bytesAndSize(const memory::Bytes &bytes, SizeUnit unit); ///< "234,881,024 B = 0.219 GiB"

    /// `field_sources`: as in ModelSpec.
    static Formula formula(
        const memory::MemoryResult &result, SizeUnit unit, const QMap<QString, QString> &field_sources = {});
    /// The formula as one line of text, for screen readers and the clipboard.
    static QString plainText(const Formula &formula);

    /// "25–32": row numbers as the table shows them.
    static QString rowRange(const QList<int> &rows);

private:
    static QString factorName(const QString &term);
};

} // namespace kvlab::ui
