// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of the KV cache over seq_len for chosen rows, on logarithmic axes, with the room of the chosen GPU as a line.
// A window of its own, so that it can stand on a second screen.
#pragma once

#include "memory/model_list.h"
#include "ui/memory/memory_columns.h"

#include <QDialog>

class QChart;
class QChartView;
class QLabel;

namespace kvlab::ui {

class SizeChart : public QDialog
{
    Q_OBJECT
public:
    struct Curve
    {
        int row = 0; ///< of the table, from 0
        memory::ModelSpec model;
        memory::MemoryRow cells; ///< batch and format are the curve's; seq_len is marked on it
    };

    static constexpr int maxCurves = 6; ///< more cannot be told apart

    explicit SizeChart(QWidget *parent = nullptr);

    /// The first maxCurves of them; says so when there are more.
    void setCurves(const QList<Curve> &curves, SizeUnit unit);

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupLayout();
    void draw();
    void addCurve(const Curve &curve, int place);
    void setupAxes();
    void retranslate();
    QString curveName(const Curve &curve) const;
    double inUnit(const memory::Bytes &bytes) const;

    QList<Curve> m_curves;
    qsizetype m_leftOut = 0;
    SizeUnit m_unit = SizeUnit::gib;
    QChart *m_chart = nullptr;
    QChartView *m_view = nullptr;
    QLabel *m_note = nullptr;
};

} // namespace kvlab::ui
