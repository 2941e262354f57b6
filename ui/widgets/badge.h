// SPDX-License-Identifier: GPL-3.0-or-later
// LIVE, MEASURED, STOPPED, SAMPLE DATA: a state in words, with an icon, never by colour alone.
#pragma once

#include <QWidget>

namespace kvlab::ui {

enum class BadgeState { none, live, measured, stopped, sample_data, warning };

class Badge : public QWidget
{
    Q_OBJECT
public:
    explicit Badge(QWidget *parent = nullptr);
    void set(BadgeState state, const QString &text);
    BadgeState state() const;
    QString text() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    BadgeState m_state = BadgeState::none;
    QString m_text;
};

} // namespace kvlab::ui
