// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/plan_dialog.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/text_color.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QStringDecoder>

namespace kvlab::ui {

using experiment::Arm;
using experiment::ColdMethod;
using experiment::Endpoint;

namespace {

constexpr qint64 largestDocument = 16 * 1024 * 1024;
constexpr int builtInDocument = 0;
constexpr int ownDocument = 1; ///< the one chosen, when there is one

QSpinBox *spinBox(int low, int high, int value, const QString &name, QWidget *parent)
{
    auto *box = new QSpinBox(parent);
    box->setRange(low, high);
    box->setValue(value);
    box->setGroupSeparatorShown(true);
    box->setObjectName(name);
    return box;
}

} // namespace

PlanDialog::PlanDialog(const experiment::ExperimentPlan &plan, const QString &engineSize, QWidget *parent)
    : QDialog(parent)
    , m_plan(plan)
{
    setWindowTitle(tr("Plan of the next run"));
    setupArms();
    setupNumbers();
    setupPrompt();
    setupChoices(engineSize);
    setupLayout();
    review();
}

void PlanDialog::setupArms()
{
    for (const Arm arm : experiment::allArms()) {
        auto *box = new QCheckBox(experiment::armTitle(arm), this);
        box->setObjectName(experiment::armName(arm));
        box->setChecked(m_plan.arms.contains(arm));
        connect(box, &QCheckBox::toggled, this, &PlanDialog::review);
        m_arms.insert(arm, box);
    }
    m_arms[Arm::cold]->setToolTip(tr("Document and question on a server made cold for this request."));
    m_arms[Arm::warm]->setToolTip(tr("The same tokens, after the document was sent with another question."));
    m_arms[Arm::partial]->setToolTip(
        tr("The document with a change in its middle: only what stands before the change can be reused."));
    m_arms[Arm::different]->setToolTip(
        tr("Same length, first block changed: the control, which must be as slow as NO CACHE."));
}

void PlanDialog::setupNumbers()
{
    m_rounds = spinBox(1, 1000, m_plan.rounds, QStringLiteral("rounds"), this);
    m_sharedTokens = spinBox(32, 100'000, m_plan.shared_tokens, QStringLiteral("shared_tokens"), this);
    m_maxTokens = spinBox(1, 4096, m_plan.max_tokens, QStringLiteral("max_tokens"), this);
    m_seed = spinBox(0, 2'147'483'647, int(qMin<quint32>(m_plan.seed, 2'147'483'647U)), QStringLiteral("seed"), this);
    m_seed->setGroupSeparatorShown(false);
    connect(m_rounds, &QSpinBox::valueChanged, this, &PlanDialog::review);
}

void PlanDialog::setupPrompt()
{
    m_document = new QComboBox(this);
    m_document->setObjectName(QStringLiteral("document"));
    m_document->addItem(tr("built in"));
    if (!m_plan.document.isEmpty())
        m_document->addItem(tr("own text, %n character(s)", nullptr, int(m_plan.document.size())));
    m_document->addItem(tr("Choose a text file…"));
    m_document->setCurrentIndex(m_plan.document.isEmpty() ? builtInDocument : ownDocument);
    connect(m_document, &QComboBox::activated, this, &PlanDialog::chooseDocument);
    m_question = new QLineEdit(m_plan.question, this);
    m_question->setObjectName(QStringLiteral("question"));
    m_question->setPlaceholderText(tr("built in"));
    m_extraBody = new QLineEdit(this);
    m_extraBody->setObjectName(QStringLiteral("extra_body"));
    m_extraBody->setPlaceholderText(QStringLiteral("{\"temperature\": 0}"));
    if (!m_plan.extra_body.isEmpty())
        m_extraBody->setText(QString::fromUtf8(QJsonDocument(m_plan.extra_body).toJson(QJsonDocument::Compact)));
    m_extraBody->setToolTip(tr("A JSON object merged into every timed request; null takes a field out."));
    connect(m_extraBody, &QLineEdit::textChanged, this, &PlanDialog::review);
}

void PlanDialog::setupChoices(const QString &engineSize)
{
    m_endpoint = new QComboBox(this);
    m_endpoint->setObjectName(QStringLiteral("endpoint"));
    m_endpoint->addItem(QStringLiteral("/v1/chat/completions"), int(Endpoint::chat));
    m_endpoint->addItem(QStringLiteral("/v1/completions"), int(Endpoint::completions));
    m_endpoint->setCurrentIndex(m_endpoint->findData(int(m_plan.endpoint)));
    m_cold = new QComboBox(this);
    m_cold->addItem(tr("cache_salt where the server honours it, else a nonce"), int(ColdMethod::automatic));
    m_cold->addItem(tr("a fresh cache_salt"), int(ColdMethod::salt));
    m_cold->addItem(tr("a fresh nonce at the very start of the prompt"), int(ColdMethod::nonce));
    m_cold->addItem(tr("emptying the server's cache before each (for all its users)"), int(ColdMethod::reset));
    m_cold->addItem(tr("cache_prompt: false (llama.cpp)"), int(ColdMethod::no_cache));
    m_cold->setCurrentIndex(m_cold->findData(int(m_plan.cold)));
    m_engineSize = new QComboBox(this);
    m_engineSize->addItem(tr("as this computer allows"), QStringLiteral("auto"));
    m_engineSize->addItem(tr("small"), QStringLiteral("small"));
    m_engineSize->addItem(tr("medium"), QStringLiteral("medium"));
    m_engineSize->addItem(tr("large"), QStringLiteral("large"));
    m_engineSize->setCurrentIndex(qMax(0, m_engineSize->findData(engineSize)));
    m_count = new QLabel(this);
    setKind(m_count, "secondary");
    m_problem = new QLabel(this);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setWordWrap(true);
    setTextColor(m_problem, tokens().bad);
}

QWidget *PlanDialog::armRow()
{
    auto *row = new QWidget(this);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    for (const Arm arm : experiment::allArms())
        line->addWidget(m_arms.value(arm));
    line->addStretch();
    return row;
}

void PlanDialog::setupLayout()
{
    auto *form = new QFormLayout(this);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Arms"), armRow());
    form->addRow(tr("&Rounds"), m_rounds);
    form->addRow(QString(), m_count);
    form->addRow(tr("Shared &document"), m_document);
    form->addRow(tr("&Shared prefix (tokens)"), m_sharedTokens);
    form->addRow(tr("Measured &question"), m_question);
    form->addRow(tr("&max_tokens"), m_maxTokens);
    form->addRow(tr("Se&ed of the order"), m_seed);
    form->addRow(tr("NO CACHE is made &cold by"), m_cold);
    form->addRow(tr("Rou&te"), m_endpoint);
    form->addRow(tr("E&xtra fields (JSON)"), m_extraBody);
    form->addRow(tr("&Practice engine"), m_engineSize);
    form->addRow(m_problem);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Use this plan"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    form->addRow(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void PlanDialog::chooseDocument(int index)
{
    if (index == builtInDocument) {
        m_plan.document.clear();
        m_documentProblem.clear();
    } else if (index == m_document->count() - 1) {
        const QString path
            = QFileDialog::getOpenFileName(this, tr("Shared document"), {}, tr("Text (*.txt *.md);;All files (*)"));
        if (!path.isEmpty())
            readDocument(path);
        m_document->setCurrentIndex(m_plan.document.isEmpty() ? builtInDocument : ownDocument);
    }
    review();
}

void PlanDialog::readDocument(const QString &path)
{
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly)) {
        m_documentProblem = tr("“%1” cannot be read: %2. Choose another file.").arg(name, file.errorString());
        return;
    }
    if (file.size() > largestDocument) {
        m_documentProblem = tr("“%1” is larger than 16 MiB, more than any prompt. Choose a smaller file.").arg(name);
        return;
    }
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(file.readAll());
    if (decoder.hasError() || text.trimmed().isEmpty()) {
        m_documentProblem = tr("“%1” is empty or not UTF-8 text. Choose a text file.").arg(name);
        return;
    }
    m_documentProblem.clear();
    if (m_document->count() == 2)
        m_document->insertItem(ownDocument, QString());
    m_document->setItemText(ownDocument, tr("%1, %n character(s)", "a file's name", int(text.size())).arg(name));
    m_plan.document = text;
}

QString PlanDialog::countText() const
{
    const int arms = int(plan().arms.size());
    const QString samples = tr("%n sample(s) in all", nullptr, m_rounds->value() * arms);
    return arms == int(experiment::standardArms().size())
        ? samples
        : tr("%1, %n in each round", "%1 samples in all", arms).arg(samples);
}

QString PlanDialog::problem() const
{
    if (!m_documentProblem.isEmpty())
        return m_documentProblem;
    const QByteArray extra = m_extraBody->text().trimmed().toUtf8();
    if (!extra.isEmpty() && !QJsonDocument::fromJson(extra).isObject())
        return tr(
            "The extra fields are not a JSON object. Write something like {\"temperature\": 0}, or leave it empty.");
    return experiment::validate(plan()).value_or(QString());
}

void PlanDialog::review()
{
    m_count->setText(countText());
    m_problem->setText(problem());
    m_problem->setVisible(!m_problem->text().isEmpty());
    if (m_buttons)
        m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_problem->text().isEmpty());
}

QString PlanDialog::engineSize() const
{
    return m_engineSize->currentData().toString();
}

experiment::ExperimentPlan PlanDialog::plan() const
{
    experiment::ExperimentPlan plan = m_plan;
    plan.arms.clear();
    for (const Arm arm : experiment::allArms()) {
        if (m_arms.value(arm)->isChecked())
            plan.arms << arm;
    }
    plan.rounds = m_rounds->value();
    plan.shared_tokens = m_sharedTokens->value();
    plan.max_tokens = m_maxTokens->value();
    plan.seed = quint32(m_seed->value());
    plan.question = m_question->text().trimmed();
    plan.endpoint = Endpoint(m_endpoint->currentData().toInt());
    plan.extra_body = QJsonDocument::fromJson(m_extraBody->text().trimmed().toUtf8()).object();
    plan.cold = ColdMethod(m_cold->currentData().toInt());
    return plan;
}

} // namespace kvlab::ui
