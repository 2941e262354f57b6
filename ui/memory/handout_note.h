// SPDX-License-Identifier: GPL-3.0-or-later
// Why the handout's DeepSeek-V3 and the right one differ. All figures come from the models themselves.
#pragma once

#include "memory/model_list.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace kvlab::ui {

class HandoutNote : public QWidget
{
    Q_OBJECT
public:
    explicit HandoutNote(QWidget *parent = nullptr);

    /// DeepSeek-V3 with its latent, and as the handout counts it.
    static const memory::ModelSpec *rightModel();
    static const memory::ModelSpec *handoutModel();

    /// The rows of the table that use each of the two (ascending, may be empty); figures for `format`.
    void setRows(const QList<int> &right, const QList<int> &handout, memory::CacheFormat format);
    QString text() const;

Q_SIGNALS:
    void showRowsRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    QString explanation() const;

    QLabel *m_title = nullptr;
    QLabel *m_body = nullptr;
    QPushButton *m_showRows = nullptr;
    QList<int> m_right;
    QList<int> m_handout;
    memory::CacheFormat m_format = memory::CacheFormat::bf16;
};

} // namespace kvlab::ui
