// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/chart_export.h"

#include "ui/measure/ttft_chart.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QTextDocumentFragment>

namespace kvlab::ui {

namespace {

constexpr QSize pictureSize(1200, 720);
constexpr int margin = 24;
constexpr int dotsPerInch = 96;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(ChartExport)
};

QFont pixels(int size, bool bold = false)
{
    QFont font = ChartLook::exported().second;
    font.setPixelSize(size);
    font.setBold(bold);
    return font;
}

QString joined(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

/// What a reader without the window needs: where the figures come from.
QString provenance(const experiment::RunResult &run)
{
    QStringList parts;
    if (!run.server.model.isEmpty())
        parts.append(Text::tr("model %1").arg(run.server.model));
    // A user name or a query in the address could be a secret.
    if (!run.server.base_url.isEmpty())
        parts.append(run.server.base_url.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment));
    if (run.started_at.isValid())
        parts.append(run.started_at.toLocalTime().toString(u"yyyy-MM-dd HH:mm"));
    parts.append(Text::tr("seed %1").arg(run.plan.seed));
    parts.append(QStringLiteral("KV Cache Lab " KVLAB_VERSION));
    return joined(parts);
}

QString resultLine(const ResultText &text)
{
    if (text.state == ResultText::State::problem)
        return text.explanation;
    return joined({QTextDocumentFragment::fromHtml(text.claim).toPlainText(), text.spread}) + QLatin1Char('\n')
        + text.evidence;
}

void paintHead(QPainter *painter, const ShownRun &shown, const QRect &area)
{
    const Tokens &t = paperTokens();
    painter->setFont(pixels(24, true));
    painter->setPen(t.text);
    const QString title = Text::tr("Time to first token (ms)");
    painter->drawText(area, Qt::AlignLeft | Qt::AlignTop, title);
    const BadgeText badge = badgeText(shown);
    const bool foreign = badge.state == BadgeState::sample_data;
    painter->setFont(pixels(16, true));
    painter->setPen(foreign ? t.warn : t.text);
    painter->drawText(area, Qt::AlignRight | Qt::AlignTop, badge.text);
    painter->setFont(pixels(16));
    painter->setPen(t.text2);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignBottom,
        QFontMetrics(painter->font()).elidedText(originText(shown), Qt::ElideRight, area.width()));
}

void paintFoot(QPainter *painter, const ShownRun &shown, const QRect &area)
{
    const Tokens &t = paperTokens();
    const ResultText text = resultText(shown);
    int left = area.left();
    painter->fillRect(QRect(area.left(), area.top(), area.width(), 1), t.line);
    if (!text.ratio.isEmpty()) {
        painter->setFont(pixels(44, true));
        painter->setPen(t.text);
        painter->drawText(area.adjusted(0, 8, 0, -28), Qt::AlignLeft | Qt::AlignVCenter, text.ratio);
        left += QFontMetrics(painter->font()).horizontalAdvance(text.ratio) + margin;
    }
    painter->setFont(pixels(17));
    painter->setPen(text.state == ResultText::State::problem ? t.bad : t.text);
    QRect words = area.adjusted(0, 8, 0, -28);
    words.setLeft(left);
    painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, resultLine(text));
    painter->setFont(pixels(14));
    painter->setPen(t.text2);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignBottom,
        QFontMetrics(painter->font()).elidedText(provenance(shown.run), Qt::ElideMiddle, area.width()));
}

void paintPicture(QPainter *painter, const ShownRun &shown)
{
    const QRect all(QPoint(0, 0), pictureSize);
    painter->fillRect(all, paperTokens().base);
    const QRect inner = all.adjusted(margin, margin, -margin, -margin);
    constexpr int headHeight = 60;
    constexpr int footHeight = 116;
    paintHead(painter, shown, QRect(inner.left(), inner.top(), inner.width(), headHeight));
    paintFoot(painter, shown, QRect(inner.left(), inner.bottom() - footHeight, inner.width(), footHeight));
    TtftChart chart;
    chart.setLook(ChartLook::exported());
    chart.setData(chartData(shown.run, false));
    chart.paintInto(painter, QRectF(inner.adjusted(0, headHeight + 12, 0, -footHeight - 12)));
}

QByteArray pngBytes(const ShownRun &shown)
{
    constexpr int ratio = 2;
    QImage image(pictureSize * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    paintPicture(&painter, shown);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svgBytes(const ShownRun &shown)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(dotsPerInch);
    generator.setSize(pictureSize);
    generator.setViewBox(QRect(QPoint(0, 0), pictureSize));
    generator.setTitle(Text::tr("Time to first token (ms)"));
    generator.setDescription(chartData(shown.run, false).sentence);
    QPainter painter(&generator);
    paintPicture(&painter, shown);
    painter.end();
    return bytes;
}

QByteArray pdfBytes(const ShownRun &shown)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dotsPerInch);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(pictureSize) * 72 / dotsPerInch, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setTitle(Text::tr("Time to first token (ms)"));
    QPainter painter(&writer);
    paintPicture(&painter, shown);
    painter.end();
    return bytes;
}

} // namespace

std::optional<QString> exportChartPicture(const ShownRun &shown, const QString &path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == u"png")
        bytes = pngBytes(shown);
    else if (suffix == u"svg")
        bytes = svgBytes(shown);
    else if (suffix == u"pdf")
        bytes = pdfBytes(shown);
    else
        return Text::tr(
            "The chart was not written to %1: pictures are .png, .svg or .pdf. Choose a name with one of these "
            "endings.")
            .arg(path);
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return std::nullopt;
    return Text::tr("The chart could not be written to %1: %2. Choose another folder or free some space.")
        .arg(path, file.errorString());
}

} // namespace kvlab::ui
