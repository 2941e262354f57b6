// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/bytes.h"

namespace kvlab::memory {

namespace {

// Rounding needs room above 2^127: 2^512 holds every count with more than a hundred decimals.
using Wide = boost::multiprecision::int512_t;

/// bytes / unit with `decimals` digits, rounded half up.
QString quotient(const Bytes &bytes, const Wide &unit, int decimals)
{
    Wide scaled(bytes);
    for (int i = 0; i < decimals; ++i)
        scaled *= 10;
    scaled = (scaled + unit / 2) / unit;
    QString digits = QString::fromStdString(scaled.str()).rightJustified(decimals + 1, u'0');
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
