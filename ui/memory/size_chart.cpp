// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/size_chart.h"

#include "ui/memory/memory_text.h"
#include "ui/widgets/appearance.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QLabel>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double firstLength = 256;
constexpr double defaultLastLength = 131'072;
constexpr int pointsPerOctave = 4;

/// Told apart by dashes as well as by lightness; hues belong to the measured arms.
const std::array<Qt::PenStyle, SizeChart::maxCurves> penStyles{
    Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine, Qt::SolidLine};

QColor curveColor(int place)
{
    return place == SizeChart::maxCurves - 1 ? tokens().ctl : place % 2 == 0 ? tokens().accent : tokens().text;
}

class View : public QChartView
{
public:
    using QChartView::QChartView;

protected:
    // QChartView of Qt 6.4 follows a null pointer when nothing lies under the pointer (QTBUG-118669).
    void mousePressEvent(QMouseEvent *event) override { QGraphicsView::mousePressEvent(event); }
};

double powerOf(double base, double value, double (*round)(double))
{
    return std::pow(base, round(std::log(value) / std::log(base)));
}

} // namespace

SizeChart::SizeChart(QWidget *parent)
    : QDialog(parent, Qt::Window)
{
    setupLayout();
    retranslate();
}

void SizeChart::setupLayout()
{
    m_chart = new QChart;
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->setBackgroundRoundness(0);
    m_chart->legend()->setAlignment(Qt::AlignBottom);
    m_chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    m_view = new View(m_chart, this);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_note = new QLabel(this);
    m_note->setWordWrap(true);
    setKind(m_note, "secondary");
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_view, 1);
    column->addWidget(m_note);
    resize(760, 520);
}

void SizeChart::setCurves(const QList<Curve> &curves, SizeUnit unit)
{
    m_curves = curves.mid(0, maxCurves);
    m_leftOut = curves.size() - m_curves.size();
    m_unit = unit;
    draw();
}

double SizeChart::inUnit(const memory::Bytes &bytes) const
{
    constexpr double gigabyte = 1e9;
    return m_unit == SizeUnit::gib ? memory::toGib(bytes) : bytes.convert_to<double>() / gigabyte;
}

QString SizeChart::curveName(const Curve &curve) const
{
    return tr("Row %1: %2, batch %3, %4", "%2 is a model, %4 a cache type")
        .arg(MemoryText::count(curve.row + 1), curve.model.name, MemoryText::count(curve.cells.batch),
            memory::cacheFormatName(curve.cells.kv_dtype));
}

void SizeChart::draw()
{
    m_chart->removeAllSeries();
    for (int place = 0; place < m_curves.size(); ++place)
        addCurve(m_curves.at(place), place);
    setupAxes();
    m_view->setBackgroundBrush(tokens().base);
    m_chart->setBackgroundBrush(tokens().base);
    m_chart->legend()->setLabelBrush(tokens().text);
    m_chart->legend()->setFont(secondaryFont());
    QString note = tr("Bare need of the cache; marks show the rows' own seq_len. Both axes are logarithmic.");
    if (m_leftOut > 0)
        note = tr("%1 %n more row(s) are left out, because they could not be told apart.", "%1 is a whole sentence",
            int(m_leftOut))
                   .arg(note);
    m_note->setText(note);
    QStringList names;
    for (const Curve &curve : std::as_const(m_curves))
        names << curveName(curve);
    m_view->setAccessibleName(tr("Bytes of the KV cache over seq_len"));
    m_view->setAccessibleDescription(names.join(QStringLiteral("; ")));
}

void SizeChart::addCurve(const Curve &curve, int place)
{
    memory::MemoryQuery query;
    query.batch = curve.cells.batch;
    query.kv_dtype = curve.cells.kv_dtype;
    const auto sizeAt = [&](qint64 seq_len) -> std::optional<double> {
        query.seq_len = seq_len;
        const auto bytes = memory::estimateBytes(curve.model, query);
        const auto *value = std::get_if<memory::Bytes>(&bytes);
        return value != nullptr && *value > 0 ? std::optional(inUnit(*value)) : std::nullopt;
    };
    auto *line = new QLineSeries;
    auto *mark = new QScatterSeries;
    const double last = std::max(defaultLastLength, double(curve.model.max_position.value_or(0)));
    const int points = int(std::ceil(std::log2(last / firstLength) * pointsPerOctave));
    for (int i = 0; i <= points; ++i) {
        const qint64 seq_len = std::llround(firstLength * std::exp2(double(i) / pointsPerOctave));
        if (const auto size = sizeAt(seq_len))
            line->append(double(seq_len), *size);
    }
    if (const auto size = sizeAt(curve.cells.seq_len); size && double(curve.cells.seq_len) >= firstLength)
        mark->append(double(curve.cells.seq_len), *size);
    line->setName(curveName(curve));
    line->setPen(QPen(curveColor(place), 2, penStyles.at(std::size_t(place))));
    mark->setMarkerSize(9);
    mark->setBrush(tokens().base);
    mark->setPen(QPen(curveColor(place), 2));
    m_chart->addSeries(line);
    m_chart->addSeries(mark);
    for (QLegendMarker *marker : m_chart->legend()->markers(mark))
        marker->setVisible(false);
}

void SizeChart::setupAxes()
{
    for (QAbstractAxis *axis : m_chart->axes()) {
        m_chart->removeAxis(axis);
        delete axis;
    }
    double least = HUGE_VAL;
    double most = 0;
    double last = defaultLastLength;
    for (QAbstractSeries *series : m_chart->series()) {
        for (const QPointF &point : qobject_cast<QXYSeries *>(series)->points()) {
            least = std::min(least, point.y());
            most = std::max(most, point.y());
            last = std::max(last, point.x());
        }
    }
    if (most <= 0)
        return;
    auto *lengths = new QLogValueAxis;
    lengths->setBase(2);
    lengths->setRange(firstLength, powerOf(2, last, std::ceil));
    lengths->setLabelFormat(QStringLiteral("%d"));
    lengths->setTitleText(tr("seq_len (tokens, log scale)"));
    auto *sizes = new QLogValueAxis;
    sizes->setBase(10);
    sizes->setRange(powerOf(10, least, std::floor), powerOf(10, most * 1.0001, std::ceil));
    sizes->setLabelFormat(QStringLiteral("%g"));
    sizes->setTitleText(tr("KV cache (%1, log scale)", "%1 is GiB or GB").arg(sizeUnitName(m_unit)));
    m_chart->addAxis(lengths, Qt::AlignBottom);
    m_chart->addAxis(sizes, Qt::AlignLeft);
    for (QAbstractAxis *axis : {static_cast<QAbstractAxis *>(lengths), static_cast<QAbstractAxis *>(sizes)}) {
        axis->setLabelsFont(secondaryFont());
        axis->setLabelsColor(tokens().text2);
        axis->setTitleFont(secondaryFont());
        axis->setTitleBrush(tokens().text2);
        axis->setGridLineColor(tokens().grid);
        axis->setLinePenColor(tokens().ctl);
        for (QAbstractSeries *series : m_chart->series())
            series->attachAxis(axis);
    }
}

void SizeChart::retranslate()
{
    setWindowTitle(tr("KV cache over seq_len"));
    draw();
}

void SizeChart::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::StyleChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
