// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/icons.h"

#include "ui/widgets/appearance.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace kvlab::ui {

namespace {

QByteArray svgOf(const QString &name)
{
    static QHash<QString, QByteArray> cache;
    const auto found = cache.constFind(name);
    if (found != cache.constEnd())
        return *found;
    QFile file(QStringLiteral(":/kvlab/icons/%1.svg").arg(name));
    const QByteArray svg = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    Q_ASSERT_X(!svg.isEmpty(), "icons", "no such icon");
    return *cache.insert(name, svg);
}

/// Takes its colour when it paints, so a theme switch needs no new icons.
class LineIconEngine : public QIconEngine
{
public:
    LineIconEngine(QString name, const QColor &color)
        : m_name(std::move(name))
        , m_color(color)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        QColor color = m_color.isValid() ? m_color : tokens().text;
        if (mode == QIcon::Disabled)
            color.setAlphaF(0.45f);
        paintIcon(painter, rect, m_name, color);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return picture;
    }

    QIconEngine *clone() const override { return new LineIconEngine(*this); }

private:
    QString m_name;
    QColor m_color;
};

} // namespace

QIcon icon(const QString &name, const QColor &color)
{
    return QIcon(new LineIconEngine(name, color));
}

void paintIcon(QPainter *painter, const QRectF &rect, const QString &name, const QColor &color)
{
    QByteArray svg = svgOf(name);
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setOpacity(painter->opacity() * color.alphaF());
    renderer.render(painter, rect);
    painter->restore();
}

} // namespace kvlab::ui
