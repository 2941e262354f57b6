// SPDX-License-Identifier: GPL-3.0-or-later
// A field for a count: "4k" is 4,096, the arrows double and halve.
#pragma once

#include "ui/planner/field_edge.h"

#include <QAbstractSpinBox>

#include <optional>

namespace kvlab::ui {

class CountBox : public Edged<QAbstractSpinBox>
{
    Q_OBJECT
public:
    explicit CountBox(qint64 most, QWidget *parent = nullptr);

    void setCount(qint64 count);
    /// nullopt = the text is no whole number between 1 and the largest.
    std::optional<qint64> count() const;
    QString typedText() const;
    qint64 most() const { return m_most; }
    void stepBy(int steps) override;

Q_SIGNALS:
    void edited(); ///< by typing or with the arrows

protected:
    StepEnabled stepEnabled() const override;

private:
    qint64 m_most;
};

} // namespace kvlab::ui
