// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/launch_form.h"

#include "servers/launched_server.h"
#include "ui/widgets/appearance.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>

namespace kvlab::ui {

using servers::LaunchField;
using servers::LaunchKind;

namespace {

/// A field with what belongs to it at its right.
QWidget *rowOf(QWidget *field, QWidget *beside, QWidget *parent)
{
    auto *row = new QWidget(parent);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(field, 1);
    line->addWidget(beside);
    return row;
}

QPushButton *button(const QString &name, QWidget *parent)
{
    auto *made = new QPushButton(parent);
    made->setObjectName(name);
    made->setAutoDefault(false);
    return made;
}

QLineEdit *lineEdit(const QString &name, QWidget *parent)
{
    auto *made = new QLineEdit(parent);
    made->setObjectName(name);
    return made;
}

} // namespace

LaunchForm::LaunchForm(QWidget *parent)
    : QWidget(parent)
{
    setupServer();
    setupModel();
    setupCache();
    setupMemory();
    setupLayout();
    retranslate();
    chooseKind();
}

QSpinBox *LaunchForm::countBox(int highest, const QString &name)
{
    auto *box = new QSpinBox(this);
    box->setRange(0, highest); // 0 is shown as “default”
    box->setGroupSeparatorShown(true);
    box->setObjectName(name);
    connect(box, &QSpinBox::valueChanged, this, &LaunchForm::changed);
    return box;
}

QDoubleSpinBox *LaunchForm::amountBox(double highest, double step, const QString &name)
{
    auto *box = new QDoubleSpinBox(this);
    box->setRange(0, highest);
    box->setSingleStep(step);
    box->setDecimals(step < 1 ? 2 : 1);
    box->setObjectName(name);
    connect(box, &QDoubleSpinBox::valueChanged, this, &LaunchForm::changed);
    return box;
}

void LaunchForm::setupServer()
{
    m_kind = new QComboBox(this);
    m_kind->setObjectName(QStringLiteral("kind"));
    for (qsizetype i = 0; i < servers::allLaunchKinds().size(); ++i)
        m_kind->addItem(QString());
    m_program = lineEdit(QStringLiteral("program"), this);
    m_browseProgram = button(QStringLiteral("browseProgram"), this);
    m_programRow = rowOf(m_program, m_browseProgram, this);
    m_version = lineEdit(QStringLiteral("version"), this);
    m_port = new QSpinBox(this);
    m_port->setRange(0, 65535);
    m_port->setObjectName(QStringLiteral("port"));
    m_freePort = button(QStringLiteral("freePort"), this);
    m_portRow = rowOf(m_port, m_freePort, this);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &LaunchForm::chooseKind);
    connect(m_program, &QLineEdit::textChanged, this, &LaunchForm::changed);
    connect(m_browseProgram, &QPushButton::clicked, this, &LaunchForm::chooseProgram);
    connect(m_version, &QLineEdit::textChanged, this, &LaunchForm::changed);
    connect(m_port, &QSpinBox::valueChanged, this, &LaunchForm::changed);
    connect(m_freePort, &QPushButton::clicked, this, &LaunchForm::takeFreePort);
}

void LaunchForm::setupModel()
{
    m_model = lineEdit(QStringLiteral("model"), this);
    m_browseModel = button(QStringLiteral("browseModel"), this);
    m_modelRow = rowOf(m_model, m_browseModel, this);
    m_context = countBox(100'000'000, QStringLiteral("context"));
    m_context->setSingleStep(1024);
    m_extra = lineEdit(QStringLiteral("extra"), this);
    connect(m_model, &QLineEdit::textChanged, this, &LaunchForm::changed);
    connect(m_browseModel, &QPushButton::clicked, this, &LaunchForm::chooseModel);
    connect(m_extra, &QLineEdit::textChanged, this, &LaunchForm::changed);
}

void LaunchForm::setupCache()
{
    const auto check = [this](const QString &name) {
        auto *box = new QCheckBox(this);
        box->setChecked(true);
        box->setObjectName(name);
        connect(box, &QCheckBox::toggled, this, &LaunchForm::changed);
        return box;
    };
    m_prefixCaching = check(QStringLiteral("prefixCaching"));
    m_report = check(QStringLiteral("report"));
    m_reset = check(QStringLiteral("reset"));
    m_dtype = new QComboBox(this);
    m_dtype->setObjectName(QStringLiteral("dtype"));
    connect(m_dtype, &QComboBox::currentIndexChanged, this, &LaunchForm::changed);
    m_slots = countBox(1024, QStringLiteral("slots"));
}

void LaunchForm::setupMemory()
{
    m_gpuShare = amountBox(1, 0.05, QStringLiteral("gpuShare"));
    m_tensorParallel = countBox(1024, QStringLiteral("tensorParallel"));
    m_cpuCache = amountBox(100'000, 1, QStringLiteral("cpuCache"));
    m_offload = amountBox(100'000, 1, QStringLiteral("offload"));
}

void LaunchForm::setupLayout()
{
    m_form = new QFormLayout(this);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (QWidget *field :
        QList<QWidget *>{m_kind, m_programRow, m_version, m_modelRow, m_portRow, m_context, m_prefixCaching, m_report,
            m_reset, m_dtype, m_gpuShare, m_tensorParallel, m_cpuCache, m_offload, m_slots, m_extra}) {
        if (qobject_cast<QCheckBox *>(field) != nullptr)
            m_form->addRow(QString(), field);
        else
            m_form->addRow(QStringLiteral("."), field);
    }
}

void LaunchForm::retranslate()
{
    for (int i = 0; i < m_kind->count(); ++i)
        m_kind->setItemText(i, servers::launchKindName(servers::allLaunchKinds().at(i)));
    m_browseProgram->setText(tr("Choose…"));
    m_browseProgram->setAccessibleName(tr("Choose the program"));
    m_browseModel->setText(tr("Choose…"));
    m_browseModel->setAccessibleName(tr("Choose the model"));
    m_freePort->setText(tr("&Free port"));
    //: in the empty field of a version
    m_version->setPlaceholderText(tr("not known"));
    m_prefixCaching->setText(tr("Prefi&x caching"));
    m_report->setText(tr("Report cached to&kens"));
    m_reset->setText(tr("Allow emptying the cache"));
    m_report->setToolTip(tr("Every answer tells how many tokens of its prompt were found in the cache."));
    m_reset->setToolTip(tr("A cold sample can then be made by emptying the cache."));
    //: in a number field: whatever the server takes by itself
    const QString byDefault = tr("default");
    for (QSpinBox *box : {m_context, m_tensorParallel, m_slots})
        box->setSpecialValueText(byDefault);
    for (QDoubleSpinBox *box : {m_gpuShare, m_cpuCache, m_offload})
        box->setSpecialValueText(byDefault);
    m_cpuCache->setSpecialValueText(tr("runs on a GPU"));
    retranslateRows();
}

void LaunchForm::retranslateRows()
{
    const auto name = [this](QWidget *row, QWidget *field, const QString &text) {
        auto *label = qobject_cast<QLabel *>(m_form->labelForField(row));
        label->setText(text);
        label->setBuddy(field);
        // Chinese puts the key in brackets behind the word: 地址(&A).
        static const QRegularExpression key(QStringLiteral("\\(&\\w\\)|&"));
        field->setAccessibleName(QString(text).remove(key));
    };
    name(m_kind, m_kind, tr("&Server"));
    name(m_programRow, m_program, tr("&Program"));
    name(m_version, m_version, tr("vLLM’s &version"));
    name(m_modelRow, m_model, kind() == LaunchKind::practice ? tr("Si&ze") : tr("&Model"));
    name(m_portRow, m_port, tr("P&ort"));
    name(m_context, m_context, tr("Context &length"));
    name(m_dtype, m_dtype, tr("T&ype of the cache"));
    name(m_gpuShare, m_gpuShare, tr("Share of &GPU memory"));
    name(m_tensorParallel, m_tensorParallel, tr("Te&nsor parallelism"));
    name(m_cpuCache, m_cpuCache, tr("Cache of a CP&U, GiB"));
    name(m_offload, m_offload, tr("Offloading to &RAM, GiB"));
    name(m_slots, m_slots, tr("Slo&ts"));
    name(m_extra, m_extra, tr("Further &arguments"));
    m_program->setPlaceholderText(
        kind() == LaunchKind::practice ? tr("of KV Cache Lab") : servers::launchCommand(plan()).server.program);
    switch (kind()) {
    case LaunchKind::practice:
        m_model->setPlaceholderText(QStringLiteral("auto, small, medium, large"));
        break;
    case LaunchKind::llama_server:
        m_model->setPlaceholderText(QStringLiteral("model.gguf"));
        break;
    case LaunchKind::ollama:
        m_model->setPlaceholderText(QStringLiteral("qwen2.5:0.5b"));
        break;
    default:
        m_model->setPlaceholderText(QStringLiteral("Qwen/Qwen2.5-0.5B-Instruct"));
    }
}

LaunchKind LaunchForm::kind() const
{
    return servers::allLaunchKinds().value(m_kind->currentIndex());
}

/// Another kind has other settings, another program and model, and its own usual port.
void LaunchForm::chooseKind()
{
    const LaunchKind chosen = kind();
    {
        const QSignalBlocker blockDtype(m_dtype);
        m_dtype->clear();
        m_dtype->addItems(servers::launchCacheTypes(chosen));
        const QSignalBlocker blockProgram(m_program);
        m_program->clear();
        const QSignalBlocker blockModel(m_model);
        m_model->clear();
        const QSignalBlocker blockPort(m_port);
        m_port->setValue(servers::freePort(servers::usualPort(chosen)));
    }
    const auto show = [this, chosen](QWidget *row, LaunchField field) {
        m_form->setRowVisible(row, servers::hasField(chosen, field));
    };
    show(m_modelRow, LaunchField::model);
    show(m_context, LaunchField::context_length);
    show(m_prefixCaching, LaunchField::prefix_caching);
    show(m_report, LaunchField::report_cached_tokens);
    show(m_reset, LaunchField::reset_route);
    show(m_dtype, LaunchField::kv_cache_dtype);
    show(m_gpuShare, LaunchField::gpu_memory_utilization);
    show(m_tensorParallel, LaunchField::tensor_parallel);
    show(m_cpuCache, LaunchField::cpu_cache);
    show(m_offload, LaunchField::offload);
    show(m_slots, LaunchField::slots);
    m_form->setRowVisible(m_version, servers::hasField(chosen, LaunchField::reset_route)); // vLLM's kinds
    m_browseModel->setVisible(chosen != LaunchKind::practice && chosen != LaunchKind::ollama);
    retranslateRows();
    Q_EMIT changed();
}

void LaunchForm::chooseProgram()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Choose the program"), m_program->text());
    if (!path.isEmpty())
        m_program->setText(path);
}

void LaunchForm::chooseModel()
{
    const QString path = kind() == LaunchKind::llama_server
        ? QFileDialog::getOpenFileName(
            this, tr("Choose the model"), m_model->text(), tr("Models (*.gguf);;All files (*)"))
        : QFileDialog::getExistingDirectory(this, tr("Choose the model"), m_model->text());
    if (!path.isEmpty())
        m_model->setText(path);
}

void LaunchForm::takeFreePort()
{
    m_port->setValue(servers::freePort(std::max(1, m_port->value())));
}

servers::LaunchPlan LaunchForm::plan() const
{
    const auto has = [this](LaunchField field) { return servers::hasField(kind(), field); };
    // What is hidden is not asked for.
    const auto count = [&has](const QSpinBox *box, LaunchField field) {
        return has(field) && box->value() > 0 ? std::optional(box->value()) : std::nullopt;
    };
    const auto amount = [&has](const QDoubleSpinBox *box, LaunchField field) {
        return has(field) && box->value() > 0 ? std::optional(box->value()) : std::nullopt;
    };
    servers::LaunchPlan plan;
    plan.kind = kind();
    plan.program = m_program->text().trimmed();
    plan.version = QVersionNumber::fromString(m_version->text().trimmed());
    plan.model = m_model->text().trimmed();
    plan.port = m_port->value();
    plan.context_length = count(m_context, LaunchField::context_length);
    plan.prefix_caching = m_prefixCaching->isChecked() || !has(LaunchField::prefix_caching);
    plan.report_cached_tokens = m_report->isChecked();
    plan.reset_route = m_reset->isChecked();
    if (m_dtype->currentIndex() > 0) // the first is the default
        plan.kv_cache_dtype = m_dtype->currentText();
    plan.gpu_memory_utilization = amount(m_gpuShare, LaunchField::gpu_memory_utilization);
    plan.tensor_parallel = count(m_tensorParallel, LaunchField::tensor_parallel);
    plan.cpu_cache_gib = amount(m_cpuCache, LaunchField::cpu_cache);
    plan.offload_gib = amount(m_offload, LaunchField::offload);
    plan.slots = count(m_slots, LaunchField::slots);
    plan.extra_arguments = m_extra->text();
    return plan;
}

void LaunchForm::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
