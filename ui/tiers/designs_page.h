// SPDX-License-Identifier: GPL-3.0-or-later
// Automatic prefix caching against LMCache, row by row; where an arm shows a row, its button starts that arm.
// Facts: documentation of vLLM (design/prefix_caching, features/automatic_prefix_caching) and LMCache
// (kv_cache_management, configurations), 2026.
#pragma once

#include "servers/tier_run.h"

#include <QWidget>

class QFrame;
class QGridLayout;
class QLabel;
class QPushButton;

namespace kvlab::ui {

class DesignsPage : public QWidget
{
    Q_OBJECT
public:
    explicit DesignsPage(QWidget *parent = nullptr);

    /// Off while something is measured.
    void setStartEnabled(bool enabled);

Q_SIGNALS:
    void startRequested(const QList<kvlab::servers::TierArm> &arms, const QList<int> &lengths);

protected:
    void changeEvent(QEvent *event) override;

private:
    QLabel *addCell(int row, int column, bool strong);
    void addLine(int row);
    void retranslate();

    QGridLayout *m_grid;
    QList<QList<QLabel *>> m_cells; ///< header first
    QList<QFrame *> m_lines;
    QMap<int, QPushButton *> m_buttons; ///< by row
    QLabel *m_note;
};

} // namespace kvlab::ui
