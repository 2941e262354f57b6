// SPDX-License-Identifier: GPL-3.0-or-later
// Units of typed answers, and figures as the screen shows them.
#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>

#include <optional>

namespace kvlab::lab {

enum class Dimension { count, tokens, bytes, time, percent, times };

struct Unit
{
    QString name;
    Dimension dimension = Dimension::count;
    double factor = 1; ///< of the dimension's base: bytes, milliseconds, 1
};

/// "GiB", "ms", "%", "×", "tokens" and what people type for them (x, us, 毫秒, 倍, 个 token); "" is a plain count.
std::optional<Unit> unitFromText(const QString &text);
QStringList unitNames();

/// A typed number in `unit`. Accepts full-width digits, 1,000, 4k (4 × 1024) and any unit of the same dimension.
struct TypedNumber
{
    std::optional<double> value;
    bool other_dimension = false; ///< a number, but of something else: “3 ms” where GiB are asked
};
TypedNumber parseNumber(const QString &text, const QString &unit);

/// Whole numbers with the locale's grouping; others with three significant digits.
QString formatNumber(double value, const QLocale &locale = {});

} // namespace kvlab::lab
