// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/bytes.h"

namespace kvlab::memory {

namespace {

// Rounding needs room above 2^127, so it works on integers without a limit.
using Unlimited = boost::multiprecision::cpp_int;

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
    Unlimited scaled(bytes);
    for (int i = 0; i < decimals; ++i)
        scaled *= 10;
    const Unlimited unit = Unlimited(1) << unit_bits;
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
