// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/bytes.h"

namespace kvlab::memory {

namespace {

// Rounding needs room above 2^127: 2^512 holds every count with more than a hundred decimals.
using Wide = boost::multiprecision::int512_t;

/// bytes / unit with `decimals` digits, rounded half up.
QString quotient(const Bytes &bytes, const Wide &unit, int decimals)
{
    // Tables hold thousands of figures, and nearly all of them fit: 2^53 × 10^3 is less than 2^63.
    constexpr int small_decimals = 3;
    QString digits;
    if (bytes >= 0 && bytes < (Bytes(1) << 53) && decimals <= small_decimals && unit < (Wide(1) << 40)) {
        quint64 scaled = bytes.convert_to<quint64>();
        const auto small_unit = unit.convert_to<quint64>();
        for (int i = 0; i < decimals; ++i)
            scaled *= 10;
        digits = QString::number((scaled + small_unit / 2) / small_unit);
    } else {
        Wide scaled(bytes);
        for (int i = 0; i < decimals; ++i)
            scaled *= 10;
        digits = QString::fromStdString(((scaled + unit / 2) / unit).str());
    }
    digits = digits.rightJustified(decimals + 1, u'0');
    if (decimals > 0)
        digits.insert(digits.size() - decimals, u'.');
    return digits;
}

} // namespace

Bytes maxBytes()
{
    return (Bytes(1) << 127) - 1;
}

QString toDecimalString(const Bytes &bytes)
{
    return QString::fromStdString(bytes.str());
}

QString toUnitString(const Bytes &bytes, unsigned unit_bits, int decimals)
{
    return quotient(bytes, Wide(1) << unit_bits, decimals);
}

QString toGibString(const Bytes &bytes, int decimals)
{
    return toUnitString(bytes, 30, decimals);
}

QString toGbString(const Bytes &bytes, int decimals)
{
    return quotient(bytes, 1'000'000'000, decimals);
}

double toGib(const Bytes &bytes)
{
    return bytes.convert_to<double>() / (1024.0 * 1024.0 * 1024.0);
}

} // namespace kvlab::memory
