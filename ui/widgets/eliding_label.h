// SPDX-License-Identifier: GPL-3.0-or-later
// A label that gives way: elides instead of forcing the window wider; the whole text is in its tool tip.
#pragma once

#include <QLabel>

namespace kvlab::ui {

class ElidingLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidingLabel(const QString &text = {}, QWidget *parent = nullptr);
    void setFullText(const QString &text);
    QString fullText() const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void elide();
    QString m_fullText;
};

} // namespace kvlab::ui
