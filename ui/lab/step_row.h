// SPDX-License-Identifier: GPL-3.0-or-later
// One step in the lab's list: state icon, number, title, and what came out of it. A click or Space goes there.
#pragma once

#include "lab/progress.h"

#include <QAbstractButton>

namespace kvlab::ui {

class StepRow : public QAbstractButton
{
    Q_OBJECT
public:
    explicit StepRow(QWidget *parent = nullptr);

    struct Content
    {
        int number = 0;
        QString title;
        QString kind;
        QString detail;
        lab::StepStatus status = lab::StepStatus::open;
        bool current = false;

        friend bool operator==(const Content &, const Content &) = default;
    };
    void setContent(const Content &content);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    int textLeft() const;
    QString titleText() const;

    Content m_content;
};

} // namespace kvlab::ui
