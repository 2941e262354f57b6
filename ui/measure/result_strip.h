// SPDX-License-Identifier: GPL-3.0-or-later
// The result under the chart: one big number, what it compares, how far the server confirms it; or, in its place, why
// there is none.
#pragma once

#include "ui/measure/run_texts.h"

#include <QWidget>

class QLabel;

namespace kvlab::ui {

/// A number as tall as its digits: a label of 110 pt would add half its height in blank lines.
class BigNumber : public QWidget
{
    Q_OBJECT
public:
    explicit BigNumber(QWidget *parent = nullptr);
    void setText(const QString &text);
    QString text() const;
    void setNumberFont(const QFont &font);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    QFont m_font;
};

/// An icon in a state's colour, as high as the font beside it.
class StateIcon : public QWidget
{
    Q_OBJECT
public:
    explicit StateIcon(QWidget *parent = nullptr);
    void set(const QString &name, const QColor &color, const QFontMetrics &line);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    QColor m_color;
    int m_side = 0;
    int m_height = 0;
};

/// Sizes and wording: beside the table, or on a projector.
struct StripLook
{
    QFont number, claim, detail;
    bool brief = false; ///< short sentences for 24 pt and more
    bool framed = true; ///< a problem gets a coloured box

    static StripLook window();
    static StripLook presentation(double factor);
};

class ResultStrip : public QWidget
{
    Q_OBJECT
public:
    explicit ResultStrip(QWidget *parent = nullptr);
    void show(const ResultText &text);
    void setLook(const StripLook &look);
    /// What is shown, in one line of plain text.
    QString plainText() const;
    QString bigNumber() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void setupLayout();
    void refresh();

    ResultText m_text;
    StripLook m_look;
    BigNumber *m_number;
    QLabel *m_claim;
    StateIcon *m_icon;
    QLabel *m_evidence;
};

} // namespace kvlab::ui
