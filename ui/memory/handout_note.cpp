// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/handout_note.h"

#include "ui/memory/memory_text.h"
#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTextDocumentFragment>

namespace kvlab::ui {

namespace {

std::optional<memory::Bytes> bytesPerToken(const memory::ModelSpec &model, memory::CacheFormat format)
{
    const memory::Estimate estimate = memory::estimate(model, {1, 1, format});
    const auto *result = std::get_if<memory::MemoryResult>(&estimate);
    return result ? std::optional(result->bytes_per_token) : std::nullopt;
}

QString bold(const QString &text)
{
    return QStringLiteral("<b>%1</b>").arg(text);
}

} // namespace

HandoutNote::HandoutNote(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_body(new QLabel(this))
    , m_showRows(new QPushButton(this))
{
    m_title->setWordWrap(true);
    m_body->setWordWrap(true);
    m_body->setTextFormat(Qt::RichText);
    auto *header = new QHBoxLayout;
    header->addWidget(m_title, 1);
    header->addWidget(m_showRows, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(header);
    column->addWidget(m_body);
    connect(m_showRows, &QPushButton::clicked, this, &HandoutNote::showRowsRequested);
    retranslate();
}

const memory::ModelSpec *HandoutNote::rightModel()
{
    return memory::findModel(QStringLiteral("deepseek-v3"));
}

const memory::ModelSpec *HandoutNote::handoutModel()
{
    return memory::findModel(memory::handoutDeepSeekName());
}

void HandoutNote::setRows(const QList<int> &right, const QList<int> &handout, memory::CacheFormat format)
{
    m_right = right;
    m_handout = handout;
    m_format = format;
    retranslate();
}

QString HandoutNote::text() const
{
    return QTextDocumentFragment::fromHtml(m_body->text()).toPlainText();
}

void HandoutNote::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::StyleChange)
        retranslate();
    QWidget::changeEvent(event);
}

void HandoutNote::retranslate()
{
    if (m_title->font() != titleFont())
        m_title->setFont(titleFont());
    const bool both = !m_right.isEmpty() && !m_handout.isEmpty();
    m_title->setText(both ? tr("Rows %1 and %2 disagree on purpose")
                                .arg(MemoryText::rowRange(m_right), MemoryText::rowRange(m_handout))
                          : tr("Two ways to count DeepSeek-V3"));
    m_body->setText(explanation() + (both ? QLatin1Char(' ') + tr("Both stay in the table.") : QString()));
    m_showRows->setText(tr("Show rows"));
    m_showRows->setToolTip(tr("Select these rows in the table"));
}

QString HandoutNote::explanation() const
{
    const auto *latent = std::get_if<memory::MlaLatent>(&rightModel()->caches.first());
    const auto *heads = std::get_if<memory::FullAttention>(&handoutModel()->caches.first());
    const std::optional<memory::Bytes> right = bytesPerToken(*rightModel(), m_format);
    const std::optional<memory::Bytes> handout = bytesPerToken(*handoutModel(), m_format);
    if (!latent || !heads || !right || !handout)
        return {};
    const double ratio = handout->convert_to<double>() / right->convert_to<double>();
    const QString product = QStringLiteral("%1 × %2 × %3")
                                .arg(MemoryText::count(heads->layers), MemoryText::count(heads->shape.kv_heads),
                                    MemoryText::count(heads->shape.head_dim));
    //: %1 number of values, %2 and %4 bytes in bold, %3 a product such as 61 × 8 × 128, %5 a ratio
    return tr("DeepSeek-V3 keeps one latent of %1 values per layer: %2 per token. The handout counts %3 and gets %4, "
              "%5 times too much.")
        .arg(MemoryText::count(latent->kv_lora_rank + latent->qk_rope_head_dim), bold(MemoryText::bytes(*right)),
            product, bold(MemoryText::bytes(*handout)), QLocale().toString(ratio, 'f', 2));
}

} // namespace kvlab::ui
