// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that a lab may ask for by name, and their arguments. Bytes from core/memory, hits and times from the run
// in hand; none while a run is going on or nothing was measured.
#pragma once

#include "lab/lab.h"
#include "lab/lab_facts.h"
#include "lab/units.h"

namespace kvlab::lab {

enum class ArgumentKind { model, count, cache_format, arm, device, number };

struct Argument
{
    QString name;
    ArgumentKind kind;
};

struct QuantityKind
{
    QString name;
    Dimension dimension; ///< values are in its base unit: bytes, milliseconds
    bool measured; ///< from samples, not by arithmetic
    QList<Argument> arguments;
};

const QList<QuantityKind> &quantityKinds();
const QuantityKind *quantityKind(const QString &name);

/// nullopt = not known (yet).
std::optional<double> evaluate(const Quantity &quantity, const LabFacts &facts);

/// What a question expects, in its own unit.
std::optional<double> expectedNumber(const Question &question, const LabFacts &facts);

} // namespace kvlab::lab
