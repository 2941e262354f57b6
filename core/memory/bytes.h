// SPDX-License-Identifier: GPL-3.0-or-later
// Byte counts of caches: exact integers up to 2^127, checked; never a double.
// Boost.Multiprecision's checked type throws std::overflow_error instead of wrapping; estimate() never lets it come to
// that: it multiplies in wider integers and refuses what lies beyond maxBytes().
#pragma once

#include <QString>

#include <boost/multiprecision/cpp_int.hpp>

namespace kvlab::memory {

using Bytes = boost::multiprecision::checked_int128_t;

/// 2^127 − 1, the largest count that is computed.
Bytes maxBytes();

/// Plain decimal digits, no grouping: for CSV, JSON and tests.
QString toDecimalString(const Bytes &bytes);

/// bytes / 2^unit_bits with `decimals` digits, rounded half up, decimal point ".": unit_bits 10 = KiB, 20 = MiB, 30 =
/// GiB.
QString toUnitString(const Bytes &bytes, unsigned unit_bits, int decimals);

/// bytes / 2^30 with `decimals` digits, rounded half up, decimal point "." : "0.219".
QString toGibString(const Bytes &bytes, int decimals = 3);

/// bytes / 10^9 in the same way: "0.235".
QString toGbString(const Bytes &bytes, int decimals = 3);

/// bytes / 2^30 as a double, for charts and sorting only.
double toGib(const Bytes &bytes);

} // namespace kvlab::memory
