// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/bytes.h"

namespace kvlab::memory {

namespace {

// Rounding needs room above 2^127: 2^512 holds every count with more than a hundred decimals.
using Wide = boost::multiprecision::int512_t;

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
    Wide scaled(bytes);
    for (int i = 0; i < decimals; ++i)
        scaled *= 10;
    const Wide unit = Wide(1) << unit_bits;
    scaled = (scaled + unit / 2) / unit;
    QString digits = QString::fromStdString(scaled.str()).rightJustified(decimals + 1, u'0');
    if (decimals > 0)
        digits.insert(digits.size() - decimals, u'.');
    return digits;
}

QString toGibString(const Bytes &bytes, int decimals)
{
    return toUnitString(bytes, 30, decimals);
}

double toGib(const Bytes &bytes)
{
    return bytes.convert_to<double>() / (1024.0 * 1024.0 * 1024.0);
}

} // namespace kvlab::memory
