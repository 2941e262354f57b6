// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/imported_view.h"

#include "memory/model_json.h"
#include "ui/memory/memory_text.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kvlab::ui {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::ImportedView)
};

/// "Sliding window, 12 layers"
QString groupTitle(const memory::CacheSpec &cache)
{
    const int layers = int(memory::cacheLayers(cache));
    const QString kind = memory::cacheKindName(cache);
    if (kind == QLatin1String("full"))
        return Text::tr("Full attention, %n layer(s)", nullptr, layers);
    if (kind == QLatin1String("sliding"))
        return Text::tr("Sliding window, %n layer(s)", nullptr, layers);
    if (kind == QLatin1String("chunked"))
        return Text::tr("Chunked attention, %n layer(s)", nullptr, layers);
    if (kind == QLatin1String("mla"))
        return Text::tr("MLA latents, %n layer(s)", nullptr, layers);
    if (kind == QLatin1String("indexer"))
        return Text::tr("Indexer keys, %n layer(s)", nullptr, layers);
    if (kind == QLatin1String("compressed"))
        return Text::tr("Compressed attention, %n layer(s)", nullptr, layers);
    if (kind == QLatin1String("state"))
        return Text::tr("Fixed state, %n layer(s)", nullptr, layers);
    if (kind == QLatin1String("cross"))
        return Text::tr("Cross attention, %n layer(s)", nullptr, layers);
    return Text::tr("No cache of their own, %n layer(s)", nullptr, layers);
}

/// Several ImportWarnings as one text, each in a line of its own, none twice.
QString warningText(const QList<memory::ImportWarning> &warnings)
{
    QStringList lines;
    for (const memory::ImportWarning &warning : warnings) {
        if (!lines.contains(warning.text))
            lines << warning.text;
    }
    return lines.join(u'\n');
}

/// An icon at the top left and the text beside it: a state is never told by its colour alone.
QLabel *iconBeside(QLabel *label, QWidget *parent)
{
    auto *icon = new QLabel(parent);
    icon->setAlignment(Qt::AlignTop);
    auto *row = new QHBoxLayout(parent);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(icon);
    row->addWidget(label, 1);
    return icon;
}

void showIcon(QLabel *label, const QString &name, const QColor &color)
{
    label->setVisible(!name.isEmpty());
    if (!name.isEmpty())
        label->setPixmap(icon(name, color).pixmap(QFontMetrics(bodyFont()).lineSpacing()));
}

QLabel *wrappingLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

ImportedView::ImportedView(QWidget *parent)
    : QStackedWidget(parent)
{
    setupMessage();
    setupModel();
    showNothing();
}

void ImportedView::setupMessage()
{
    auto *page = new QWidget(this);
    m_message = wrappingLabel(page);
    m_message->setObjectName(QStringLiteral("importMessage"));
    m_message->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_messageIcon = iconBeside(m_message, page);
    addWidget(page);
}

void ImportedView::setupModel()
{
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    m_name = wrappingLabel(page);
    m_name->setObjectName(QStringLiteral("importedName"));
    layout->addWidget(m_name);
    m_figures = new QWidget(page);
    m_figuresLayout = new QFormLayout(m_figures);
    m_figuresLayout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_figures);
    m_groups = new QTreeWidget(page);
    m_groups->setObjectName(QStringLiteral("importedGroups"));
    m_groups->setColumnCount(3);
    m_groups->setAlternatingRowColors(true);
    m_groups->setUniformRowHeights(true);
    m_groups->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel); // some formulas are long
    m_groups->header()->setStretchLastSection(false);
    m_groups->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_groups->viewport()->installEventFilter(this);
    layout->addWidget(m_groups, 1);
    auto *warnings = new QWidget(page);
    m_warnings = wrappingLabel(warnings);
    m_warnings->setObjectName(QStringLiteral("importWarnings"));
    m_warnings->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *area = new QScrollArea(page);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    m_warningIcon = iconBeside(m_warnings, warnings);
    area->setWidget(warnings);
    m_warningArea = area;
    layout->addWidget(area);
    addWidget(page);
}

void ImportedView::showNothing()
{
    m_result.reset();
    showMessage(tr("Choose a file, paste the text of a config.json, or pick a model that is on this computer. What is "
                   "understood of it appears here before it is used."),
        false);
}

void ImportedView::showReading(const QString &name)
{
    m_result.reset();
    showMessage(tr("Reading %1…").arg(name), false);
}

void ImportedView::showResult(const memory::ImportResult &result)
{
    m_result = result;
    if (const auto *refused = std::get_if<memory::Refusal>(&result)) {
        showMessage(refused->message, true);
        return;
    }
    const auto &imported = std::get<memory::ImportedModel>(result);
    m_name->setFont(titleFont());
    m_name->setText(imported.model.family.isEmpty()
            ? imported.model.name
            : tr("%1 (%2)", "name and family of a model").arg(imported.model.name, imported.model.family));
    fillFigures(imported);
    fillGroups(imported.model);
    fillWarnings(imported);
    setCurrentIndex(1);
}

QString ImportedView::refusal() const
{
    const auto *refused = m_result ? std::get_if<memory::Refusal>(&*m_result) : nullptr;
    return refused == nullptr ? QString() : refused->message;
}

void ImportedView::showMessage(const QString &text, bool is_refusal)
{
    setTextColor(m_message, is_refusal ? tokens().bad : tokens().text2);
    showIcon(m_messageIcon, is_refusal ? QStringLiteral("cross-circle") : QString(), tokens().bad);
    m_message->setText(text);
    setCurrentIndex(0);
}

void ImportedView::fillFigures(const memory::ImportedModel &imported)
{
    while (m_figuresLayout->rowCount() > 0)
        m_figuresLayout->removeRow(0);
    const auto add = [this](const QString &name, const QString &value) {
        QLabel *label = wrappingLabel(m_figures);
        label->setText(value);
        m_figuresLayout->addRow(name, label);
    };
    const memory::ModelSpec &model = imported.model;
    const auto estimate = memory::estimate(model, {1, 1, memory::CacheFormat::bf16});
    if (const auto *need = std::get_if<memory::MemoryResult>(&estimate)) {
        const bool has_windows = need->bytes_per_token != need->bytes_per_token_above_window;
        add(has_windows ? tr("Per token, below every window") : tr("Per token"),
            tr("%1 in 16 bits").arg(MemoryText::bytes(need->bytes_per_token)));
        if (has_windows)
            add(tr("Per token, once windows are full"),
                tr("%1 in 16 bits").arg(MemoryText::bytes(need->bytes_per_token_above_window)));
        if (need->fixed_bytes_per_sequence > 0)
            add(tr("Fixed per sequence"), MemoryText::bytes(need->fixed_bytes_per_sequence));
    }
    const QString field = model.field_sources.value(QStringLiteral("max_position"));
    if (!model.max_position)
        add(tr("Context"), tr("not in the file"));
    else if (field.isEmpty())
        add(tr("Context"), tr("%1 tokens").arg(MemoryText::count(*model.max_position)));
    else
        add(tr("Context"), tr("%1 tokens, from “%2”").arg(MemoryText::count(*model.max_position), field));
    if (model.weight_bytes)
        add(tr("Weights"), MemoryText::bytesAndSize(*model.weight_bytes, SizeUnit::gib));
    if (model.params)
        add(tr("Parameters"), MemoryText::count(*model.params));
    if (imported.kv_dtype_hint)
        add(tr("Cache type that the file recommends"), *imported.kv_dtype_hint);
}

void ImportedView::fillGroups(const memory::ModelSpec &model)
{
    m_groups->clear();
    m_groups->setHeaderLabels({tr("Layers"), tr("Value"), tr("Field of the file")});
    for (const memory::CacheSpec &cache : model.caches) {
        auto *item = new QTreeWidgetItem(m_groups, {groupTitle(cache)});
        addValues(item, cache, model.field_sources);
        item->setExpanded(true);
    }
    fitColumns();
}

void ImportedView::fitColumns()
{
    for (int column = 0; column < m_groups->columnCount(); ++column)
        m_groups->resizeColumnToContents(column);
    // The last one fills the view, or is as wide as its longest formula and can be scrolled to.
    const int last = m_groups->columnCount() - 1;
    const int rest = m_groups->viewport()->width() - m_groups->columnWidth(0) - m_groups->columnWidth(1);
    m_groups->setColumnWidth(last, std::max(m_groups->columnWidth(last), rest));
}

/// All lines of the warnings, but not more than a few; then they scroll.
void ImportedView::fitWarnings()
{
    constexpr int mostLines = 6;
    const int line = QFontMetrics(bodyFont()).lineSpacing();
    const int width = m_groups->width() - m_warningIcon->sizeHint().width() - 2 * line;
    m_warningArea->setFixedHeight(std::min(m_warnings->heightForWidth(width), mostLines * line) + line / 2);
}

bool ImportedView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_groups->viewport() && event->type() == QEvent::Resize) {
        fitColumns();
        fitWarnings();
    }
    return QStackedWidget::eventFilter(watched, event);
}

void ImportedView::addValues(
    QTreeWidgetItem *item, const memory::CacheSpec &cache, const QMap<QString, QString> &sources)
{
    const QString kind = memory::cacheKindName(cache);
    const QJsonObject values = memory::cachesToJson({cache}).at(0).toObject();
    QStringList keys = values.keys();
    keys.removeAll(QStringLiteral("kind"));
    keys.move(keys.indexOf(QStringLiteral("layers")), 0);
    for (const QString &key : std::as_const(keys)) {
        const QJsonValue value = values.value(key);
        const QString text = value.isString() ? value.toString() : MemoryText::count(value.toInteger());
        const QString source = memory::fieldSource(sources, kind, key);
        auto *row = new QTreeWidgetItem(item, {key, text, source});
        row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        row->setToolTip(2, source);
    }
}

void ImportedView::fillWarnings(const memory::ImportedModel &imported)
{
    QStringList lines{warningText(imported.warnings)};
    lines << imported.model.notes;
    lines.removeAll(QString());
    setTextColor(m_warnings, tokens().warn);
    showIcon(m_warningIcon, QStringLiteral("warning"), tokens().warn);
    m_warnings->setText(lines.join(u'\n'));
    m_warningArea->setVisible(!lines.isEmpty());
    fitWarnings();
}

void ImportedView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange
        || event->type() == QEvent::FontChange) {
        // Once more in the new language and colours; nothing is read again.
        if (m_result)
            showResult(memory::ImportResult(*m_result));
        else if (event->type() == QEvent::LanguageChange)
            showNothing();
    }
    QStackedWidget::changeEvent(event);
}

} // namespace kvlab::ui
