// SPDX-License-Identifier: GPL-3.0-or-later
// Random order that is the same on every platform for one seed: the standard fixes std::mt19937's numbers, but not
// what std::shuffle and the distributions make of them.
#pragma once

#include <QList>

#include <random>
#include <utility>

namespace kvlab::experiment {

class SeededRandom
{
public:
    explicit SeededRandom(quint32 seed)
        : m_engine(seed)
    {
    }

    /// 0 … bound - 1, without bias; bound must not be 0.
    quint32 below(quint32 bound)
    {
        const quint32 rest = (0xFFFFFFFFU % bound + 1) % bound; // numbers at the top that would favour small results
        quint32 number = next();
        while (number > 0xFFFFFFFFU - rest)
            number = next();
        return number % bound;
    }

    /// Fisher and Yates, from the back.
    template <typename Value> void shuffle(QList<Value> &values)
    {
        for (qsizetype i = values.size() - 1; i > 0; --i)
            std::swap(values[i], values[static_cast<qsizetype>(below(static_cast<quint32>(i) + 1))]);
    }

private:
    quint32 next() { return static_cast<quint32>(m_engine()); }

    std::mt19937 m_engine;
};

} // namespace kvlab::experiment
