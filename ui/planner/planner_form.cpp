// SPDX-License-Identifier: GPL-3.0-or-later
// Fields and texts of the form; what is read from them is in planner_form_read.cpp.
#include "ui/planner/planner_form.h"

#include "memory/gpu_list.h"
#include "ui/memory/memory_text.h"
#include "ui/planner/count_box.h"
#include "ui/planner/field_edge.h"
#include "ui/planner/planner_text.h"
#include "ui/planner/search_box.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/text_color.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>

namespace kvlab::ui {

namespace {

constexpr qint64 mostSetting = 1'000'000; // as plannerSettingsFromJson()
constexpr double gib = 1024.0 * 1024.0 * 1024.0;

QComboBox *newBox(QWidget *parent, const QString &name)
{
    auto *box = new Edged<QComboBox>(parent);
    box->setObjectName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    return box;
}

/// Chooses the entry with that data without telling anybody.
void choose(QComboBox *box, const QVariant &data)
{
    box->setCurrentIndex(std::max(0, box->findData(data)));
}

} // namespace

PlannerForm::PlannerForm(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(14, 10, 16, 4);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(1, 1);
    setupMachine();
    setupModel();
    setupEngine();
    setupPlan();
    fillAll();
    retranslate();
    updateFonts();
    showSettings();
}

void PlannerForm::addTitle(const QString &name)
{
    auto *title = new QLabel(this);
    m_titles.insert(name, title);
    m_grid->addWidget(title, m_nextRow++, 0, 1, 2);
}

void PlannerForm::addRow(const QString &name, QWidget *editor)
{
    auto *label = new QLabel(this);
    setKind(label, "secondary");
    label->setBuddy(editor);
    m_grid->addWidget(label, m_nextRow, 0);
    m_grid->addWidget(editor, m_nextRow++, 1);
    m_rows.insert(name, {label, editor});
}

void PlannerForm::addProblemLine(PlannerField field)
{
    auto *line = new QLabel(this);
    line->setObjectName(QStringLiteral("problem%1").arg(int(field)));
    line->setWordWrap(true);
    line->setTextFormat(Qt::PlainText);
    line->hide();
    m_problems.insert(field, line);
    m_grid->addWidget(line, m_nextRow++, 0, 1, 2);
}

void PlannerForm::showRow(const QString &name, bool visible)
{
    m_rows.value(name).label->setVisible(visible);
    m_rows.value(name).editor->setVisible(visible);
}

void PlannerForm::setupMachine()
{
    addTitle(QStringLiteral("machine"));
    m_device = new SearchBox(this);
    m_device->setObjectName(QStringLiteral("plannerDevice"));
    addRow(QStringLiteral("device"), m_device);
    addProblemLine(PlannerField::device);
    auto *ranks = new QWidget(this);
    auto *line = new QHBoxLayout(ranks);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    for (CountBox **box : {&m_tp, &m_pp, &m_dp}) {
        *box = new CountBox(memory::maxRanks, ranks);
        (*box)->setButtonSymbols(QAbstractSpinBox::NoButtons);
        line->addWidget(*box, 1);
        connect(*box, &CountBox::edited, this, &PlannerForm::readRanks);
    }
    m_tp->setObjectName(QStringLiteral("plannerTp"));
    m_pp->setObjectName(QStringLiteral("plannerPp"));
    m_dp->setObjectName(QStringLiteral("plannerDp"));
    addRow(QStringLiteral("ranks"), ranks);
    addProblemLine(PlannerField::ranks);
    m_share = new SearchBox(this);
    m_share->setObjectName(QStringLiteral("plannerUtilisation"));
    addRow(QStringLiteral("share"), m_share);
    addProblemLine(PlannerField::utilisation);
    m_overhead = new Edged<QDoubleSpinBox>(this);
    m_overhead->setObjectName(QStringLiteral("plannerOverhead"));
    m_overhead->setRange(0, 1024);
    m_overhead->setSingleStep(0.25);
    m_overhead->setAlignment(Qt::AlignRight);
    addRow(QStringLiteral("overhead"), m_overhead);
    connect(m_device, &SearchBox::committed, this, &PlannerForm::readDevice);
    connect(m_share, &SearchBox::committed, this, &PlannerForm::readShare);
    connect(m_overhead, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        m_settings.overhead = std::llround(value * gib);
        Q_EMIT edited();
    });
}

void PlannerForm::setupModel()
{
    addTitle(QStringLiteral("model"));
    m_model = new SearchBox(this);
    m_model->setObjectName(QStringLiteral("plannerModel"));
    addRow(QStringLiteral("model"), m_model);
    addProblemLine(PlannerField::model);
    m_weights = newBox(this, QStringLiteral("plannerWeights"));
    addRow(QStringLiteral("weights"), m_weights);
    addProblemLine(PlannerField::weights);
    m_ownWeights = new QLineEdit(this);
    m_ownWeights->setObjectName(QStringLiteral("plannerOwnWeights"));
    m_ownWeights->setPlaceholderText(QStringLiteral("61GB"));
    addRow(QStringLiteral("ownWeights"), m_ownWeights);
    addProblemLine(PlannerField::own_weights);
    m_kFormat = newBox(this, QStringLiteral("plannerKFormat"));
    addRow(QStringLiteral("k"), m_kFormat);
    m_vFormat = newBox(this, QStringLiteral("plannerVFormat"));
    addRow(QStringLiteral("v"), m_vFormat);
    addProblemLine(PlannerField::cache);
    connect(m_model, &SearchBox::committed, this, &PlannerForm::readModel);
    connect(m_weights, &QComboBox::activated, this, &PlannerForm::readWeights);
    connect(m_ownWeights, &QLineEdit::textEdited, this, &PlannerForm::readOwnWeights);
    connect(m_kFormat, &QComboBox::activated, this, &PlannerForm::readCache);
    connect(m_vFormat, &QComboBox::activated, this, &PlannerForm::readCache);
}

void PlannerForm::setupEngine()
{
    m_engine = newBox(this, QStringLiteral("plannerEngine"));
    addRow(QStringLiteral("engine"), m_engine);
    addProblemLine(PlannerField::engine);
    const auto addCount = [this](CountBox **box, const QString &name) {
        *box = new CountBox(mostSetting, this);
        (*box)->setObjectName(name);
        addRow(name, *box);
        connect(*box, &CountBox::edited, this, &PlannerForm::readEngineSettings);
    };
    addCount(&m_blockSize, QStringLiteral("plannerBlockSize"));
    addCount(&m_batchedTokens, QStringLiteral("plannerBatchedTokens"));
    addCount(&m_ubatch, QStringLiteral("plannerUbatch"));
    m_unified = new QCheckBox(this);
    addRow(QStringLiteral("unified"), m_unified);
    m_swaFull = new QCheckBox(this);
    addRow(QStringLiteral("swaFull"), m_swaFull);
    addProblemLine(PlannerField::engine_setting);
    connect(m_engine, &QComboBox::activated, this, &PlannerForm::readEngine);
    connect(m_unified, &QCheckBox::clicked, this, &PlannerForm::readEngineSettings);
    connect(m_swaFull, &QCheckBox::clicked, this, &PlannerForm::readEngineSettings);
}

void PlannerForm::setupPlan()
{
    addTitle(QStringLiteral("plan"));
    m_seqLen = new CountBox(memory::maxSeqLen, this);
    m_seqLen->setObjectName(QStringLiteral("plannerSeqLen"));
    addRow(QStringLiteral("seq_len"), m_seqLen);
    m_batch = new CountBox(memory::maxBatch, this);
    m_batch->setObjectName(QStringLiteral("plannerBatch"));
    addRow(QStringLiteral("batch"), m_batch);
    addProblemLine(PlannerField::plan);
    connect(m_seqLen, &CountBox::edited, this, &PlannerForm::readPlan);
    connect(m_batch, &CountBox::edited, this, &PlannerForm::readPlan);
}

void PlannerForm::fillAll()
{
    fillDevices();
    fillModels();
    fillFormats();
    for (const memory::Engine engine : memory::allEngines())
        m_engine->addItem(PlannerText::engine(engine), int(engine));
    for (const char *share : {"0.90", "0.92"})
        m_share->addItem(QLocale().toString(QString::fromLatin1(share).toDouble(), 'f', 2));
}

/// This computer's devices first, then the list's; each with its bytes.
void PlannerForm::fillDevices()
{
    m_device->clear();
    for (const LocalDevice &device : std::as_const(m_localDevices))
        m_device->addItem(
            tr("This computer: %1, %2 GiB", "a device and its memory").arg(device.name, PlannerText::gib(device.bytes)),
            device.bytes);
    for (const memory::GpuSpec &gpu : memory::builtInGpus()) {
        if (gpu.memory_bytes)
            m_device->addItem(gpu.name, *gpu.memory_bytes);
    }
    m_device->setEditText(m_settings.device);
}

void PlannerForm::fillModels()
{
    m_model->clear();
    m_model->addItems(m_library.names());
    m_model->setEditText(m_settings.model);
}

/// Each format with the size that the model's weights have in it.
void PlannerForm::fillWeights()
{
    m_weights->clear();
    const memory::ModelSpec *model = m_library.find(m_settings.model);
    const auto size = [](const memory::Bytes &bytes) { return tr("%1 GiB").arg(PlannerText::gib(bytes)); };
    if (model != nullptr && model->weight_bytes)
        m_weights->addItem(
            tr("the files, %1", "weights: what the model's files hold").arg(size(*model->weight_bytes)), QString());
    if (model != nullptr && model->params) {
        for (const memory::WeightFormat &format : memory::weightFormats())
            m_weights->addItem(
                QStringLiteral("%1, %2").arg(format.name, size(memory::weightBytes(*model->params, format))),
                format.name);
    }
    m_weights->addItem(tr("own size", "weights: a size that is typed in"), QStringLiteral("own"));
    const bool own = m_settings.own_weights.has_value() || m_unusable.contains(PlannerField::own_weights)
        || m_weights->findData(m_settings.weight_format) < 0;
    choose(m_weights, own ? QStringLiteral("own") : m_settings.weight_format);
    showRow(QStringLiteral("ownWeights"), own);
}

void PlannerForm::fillFormats()
{
    m_kFormat->clear();
    m_vFormat->clear();
    m_vFormat->addItem(tr("like K", "cache format of V"), QString());
    for (const memory::CacheFormat format : memory::allCacheFormats()) {
        const QString name = memory::cacheFormatName(format);
        m_kFormat->addItem(name, name);
        m_vFormat->addItem(name, name);
    }
    for (QComboBox *box : {m_kFormat, m_vFormat})
        box->view()->setMinimumWidth(box->fontMetrics().averageCharWidth() * 26);
}

void PlannerForm::setLibrary(const memory::ModelLibrary &library)
{
    m_library = library;
    fillModels();
    fillWeights();
}

void PlannerForm::setLocalDevices(const QList<LocalDevice> &devices)
{
    m_localDevices = devices;
    fillDevices();
}

void PlannerForm::setSettings(const PlannerSettings &settings)
{
    m_settings = settings;
    m_unusable.clear();
    showSettings();
}

void PlannerForm::showSettings()
{
    m_device->setEditText(m_settings.device);
    m_tp->setCount(m_settings.tp);
    m_pp->setCount(m_settings.pp);
    m_dp->setCount(m_settings.dp);
    const double share = double(m_settings.util_permille) / 1000;
    m_share->setEditText(QLocale().toString(share, 'f', m_settings.util_permille % 10 == 0 ? 2 : 3));
    const QSignalBlocker blocker(m_overhead);
    m_overhead->setValue(double(m_settings.overhead) / gib);
    m_model->setEditText(m_settings.model);
    fillWeights();
    m_ownWeights->clear();
    if (m_settings.own_weights)
        m_ownWeights->setText(QStringLiteral("%1GiB").arg(double(*m_settings.own_weights) / gib, 0, 'g', 6));
    choose(m_kFormat, memory::cacheFormatName(m_settings.kv_dtype));
    choose(m_vFormat, m_settings.v_dtype ? memory::cacheFormatName(*m_settings.v_dtype) : QString());
    choose(m_engine, int(m_settings.profile.engine));
    m_blockSize->setCount(m_settings.profile.block_size);
    m_batchedTokens->setCount(m_settings.profile.max_num_batched_tokens);
    m_ubatch->setCount(m_settings.profile.n_ubatch);
    m_unified->setChecked(m_settings.profile.kv_unified);
    m_swaFull->setChecked(m_settings.profile.swa_full);
    m_seqLen->setCount(m_settings.seq_len);
    m_batch->setCount(m_settings.batch);
    showEngineRows();
    updateProblems();
}

/// Only what matters to the chosen engine.
void PlannerForm::showEngineRows()
{
    const memory::Engine engine = m_settings.profile.engine;
    const bool llama = engine == memory::Engine::llama_cpp;
    showRow(QStringLiteral("plannerBlockSize"), engine == memory::Engine::vllm || engine == memory::Engine::sglang);
    showRow(QStringLiteral("plannerBatchedTokens"), engine == memory::Engine::vllm);
    showRow(QStringLiteral("plannerUbatch"), llama);
    showRow(QStringLiteral("unified"), llama);
    showRow(QStringLiteral("swaFull"), llama);
    m_rows.value(QStringLiteral("plannerBlockSize"))
        .label->setText(engine == memory::Engine::sglang ? QStringLiteral("page_size") : QStringLiteral("block_size"));
}

void PlannerForm::showProblem(const std::optional<PlannerProblem> &problem)
{
    m_problem = problem;
    updateProblems();
}

void PlannerForm::updateProblems()
{
    for (auto line = m_problems.constBegin(); line != m_problems.constEnd(); ++line) {
        QString text = m_unusable.value(line.key());
        if (text.isEmpty() && m_problem && m_problem->field == line.key())
            text = m_problem->sentence;
        line.value()->setText(text);
        line.value()->setVisible(!text.isEmpty());
    }
}

void PlannerForm::retranslate()
{
    m_titles.value(QStringLiteral("machine"))->setText(tr("Machine"));
    m_titles.value(QStringLiteral("model"))->setText(tr("Model and cache"));
    m_titles.value(QStringLiteral("plan"))->setText(tr("Plan", "seq_len and batch that are planned"));
    const QList<std::pair<QString, QString>> labels{
        {QStringLiteral("device"), tr("GPU")},
        {QStringLiteral("ranks"), tr("TP · PP · DP", "numbers of ranks: tensor, pipeline, data parallel")},
        {QStringLiteral("share"), tr("Utilisation")},
        {QStringLiteral("overhead"), tr("Overhead")},
        {QStringLiteral("model"), tr("Model")},
        {QStringLiteral("weights"), tr("Weights")},
        {QStringLiteral("ownWeights"), tr("Their size", "size of the weights")},
        {QStringLiteral("k"), tr("Cache of K")},
        {QStringLiteral("v"), tr("Cache of V")},
        {QStringLiteral("engine"), tr("Engine")},
        {QStringLiteral("plannerBatchedTokens"), tr("Tokens per step", "vLLM's max_num_batched_tokens, in few words")},
        {QStringLiteral("plannerUbatch"), QStringLiteral("n_ubatch")},
        {QStringLiteral("unified"), QStringLiteral("kv_unified")},
        {QStringLiteral("swaFull"), QStringLiteral("swa_full")},
        {QStringLiteral("seq_len"), QStringLiteral("seq_len")},
        {QStringLiteral("batch"), QStringLiteral("batch")},
    };
    for (const auto &[name, text] : labels) {
        m_rows.value(name).label->setText(text);
        m_rows.value(name).editor->setAccessibleName(text);
    }
    m_device->setToolTip(tr("Choose a GPU, type a part of its name, or the memory of one device, like 24GiB or 80GB"));
    const QList<std::pair<CountBox *, QString>> ranks{{m_tp, tr("Tensor parallel: GPUs that share each layer")},
        {m_pp, tr("Pipeline: groups of GPUs, each with some of the layers")},
        {m_dp, tr("Data-parallel attention: groups that share out the sequences")}};
    for (const auto &[box, text] : ranks) {
        box->setToolTip(text);
        box->setAccessibleName(text);
    }
    m_share->setToolTip(tr("Share of the memory that the engine may use. vLLM takes 0.90, newer versions 0.92."));
    m_overhead->setSuffix(tr(" GiB, a guess", "after a number"));
    m_overhead->setToolTip(tr("Activations, graphs and libraries on one device. Engines need 2 to 4 GiB and sometimes "
                              "far more."));
    m_rows.value(QStringLiteral("plannerBatchedTokens")).editor->setToolTip(QStringLiteral("max_num_batched_tokens"));
    m_ownWeights->setToolTip(tr("Size of all weights with its unit, like 61GB (10^9) or 14.2GiB (2^30)"));
    m_seqLen->setToolTip(tr("Tokens of one sequence; 4k is 4,096"));
    m_batch->setToolTip(tr("Sequences at once"));
    m_engine->setItemText(m_engine->findData(int(memory::Engine::ideal)), PlannerText::engine(memory::Engine::ideal));
    m_vFormat->setItemText(0, tr("like K", "cache format of V"));
    showEngineRows();
}

void PlannerForm::updateFonts()
{
    for (QLabel *title : std::as_const(m_titles)) {
        title->setFont(titleFont());
        title->setContentsMargins(0, 4, 0, 0);
    }
    for (QLabel *line : std::as_const(m_problems)) {
        line->setFont(secondaryFont());
        setTextColor(line, tokens().bad);
    }
}

void PlannerForm::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        fillDevices();
        fillWeights();
    }
    if (event->type() == QEvent::StyleChange)
        updateFonts();
}

} // namespace kvlab::ui
