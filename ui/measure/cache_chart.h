// SPDX-License-Identifier: GPL-3.0-or-later
// The last two minutes of a server's cache: pool in use as a line, hit rate of each interval as dots. Drawn with Qt
// Charts in ink: the hues belong to the measured arms.
#pragma once

#include <QDateTime>
#include <QList>
#include <QWidget>

#include <memory>
#include <optional>

namespace kvlab::ui {

struct CachePoint
{
    QDateTime at;
    std::optional<double> usage; ///< 0 … 1
    std::optional<double> hit_rate; ///< 0 … 1; none when nothing was looked up
};

class CacheChart : public QWidget
{
    Q_OBJECT
public:
    static constexpr int shownSeconds = 120;

    explicit CacheChart(QWidget *parent = nullptr);
    ~CacheChart() override;

    /// Oldest first; what lies more than shownSeconds before the last one is not drawn.
    void setPoints(const QList<CachePoint> &points);
    void retranslate();
    void restyle();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::ui
