// SPDX-License-Identifier: GPL-3.0-or-later
// Times as horizontal bars with a lane of dots below each, in ink: shades and patterns, because the hues belong to the
// arms of the experiment. Names stand left, values right of the bars; the same in words for screen readers.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include <optional>

namespace kvlab::ui {

enum class BarFill { solid, empty, lines, stripes, lattice, dotted };

struct BarDot
{
    double ms = 0;
    bool hollow = false; ///< not what its row should be
};

struct BarRow
{
    QString name;
    QString second; ///< below the name; may be empty
    BarFill fill = BarFill::solid;
    std::optional<double> bar_ms; ///< none = no bar is drawn
    std::optional<double> value_ms; ///< written as a number, also without a bar
    QList<BarDot> dots;
};

class BarRows : public QWidget
{
    Q_OBJECT
public:
    explicit BarRows(QWidget *parent = nullptr);

    /// `least_maximum`: the axis ends there or later, so that charts beside each other share one range. Milliseconds.
    void setRows(const QList<BarRow> &rows, double least_maximum = 0);
    const QList<BarRow> &rows() const { return m_rows; }
    void setCaption(const QString &caption); ///< below the axis: what bars and dots are
    double largest() const; ///< of all bars and dots

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Places;
    Places places() const;
    int bandHeight() const;
    void paintAxis(QPainter &painter, const Places &places) const;
    void paintRow(QPainter &painter, const Places &places, int index) const;
    void paintDots(QPainter &painter, const Places &places, const BarRow &row, double centre) const;
    void describe();

    QList<BarRow> m_rows;
    QString m_caption;
    double m_leastMaximum = 0;
};

/// "57.8 ms", in the language in use.
QString millisecondsText(double ms);

} // namespace kvlab::ui
