// SPDX-License-Identifier: GPL-3.0-or-later
// From the form's fields to the settings. What cannot be used is said below its field; the last good value stays.
#include "ui/planner/count_box.h"
#include "ui/planner/planner_form.h"
#include "ui/planner/search_box.h"

#include "memory/gpu_list.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QLocale>

#include <cmath>

namespace kvlab::ui {

void PlannerForm::setUnusable(PlannerField field, const QString &sentence)
{
    if (sentence.isEmpty())
        m_unusable.remove(field);
    else
        m_unusable.insert(field, sentence);
    updateProblems();
    Q_EMIT edited();
}

void PlannerForm::readDevice()
{
    const QString text = m_device->currentText().trimmed();
    if (text == m_settings.device && !m_unusable.contains(PlannerField::device))
        return;
    const int entry = m_device->findText(text, Qt::MatchFixedString);
    const auto size = memory::parseSize(text);
    const QList<memory::GpuSpec> named = memory::findGpus(text);
    if (entry >= 0 && entry < m_localDevices.size()) {
        m_settings.device = m_device->itemText(entry);
        m_settings.own_capacity = m_device->itemData(entry).toLongLong();
    } else if (size) {
        m_settings.device = text;
        m_settings.own_capacity = size;
    } else if (named.size() == 1 && named.constFirst().memory_bytes) {
        m_settings.device = named.constFirst().name;
        m_settings.own_capacity.reset();
        m_device->setEditText(m_settings.device);
    } else {
        return setUnusable(PlannerField::device,
            tr("“%1” names no single device of the list and is no size. Choose a device, or type the memory of one, "
               "like 24GiB or 80GB.")
                .arg(text));
    }
    setUnusable(PlannerField::device, {});
}

void PlannerForm::readCounts(PlannerField field, const QList<std::pair<CountBox *, qint64 *>> &boxes)
{
    QString sentence;
    for (const auto &[box, target] : boxes) {
        if (const auto count = box->count())
            *target = *count;
        else
            sentence = tr("“%1” is no whole number between 1 and %2. Type one, for example 4096 or 4k.")
                           .arg(box->typedText(), QLocale().toString(box->most()));
    }
    setUnusable(field, sentence);
}

void PlannerForm::readRanks()
{
    readCounts(PlannerField::ranks, {{m_tp, &m_settings.tp}, {m_pp, &m_settings.pp}, {m_dp, &m_settings.dp}});
}

void PlannerForm::readShare()
{
    bool isNumber = false;
    const double share = QLocale().toDouble(m_share->currentText().trimmed(), &isNumber);
    const qint64 permille = isNumber && share > 0 && share <= 1 ? std::llround(share * 1000) : 0;
    if (permille == m_settings.util_permille && !m_unusable.contains(PlannerField::utilisation))
        return;
    if (permille < 1)
        return setUnusable(PlannerField::utilisation,
            tr("“%1” is no share between 0.001 and 1. Type one, for example 0.90.").arg(m_share->currentText()));
    m_settings.util_permille = permille;
    setUnusable(PlannerField::utilisation, {});
}

void PlannerForm::readModel()
{
    const QString text = m_model->currentText().trimmed();
    if (text == m_settings.model && !m_unusable.contains(PlannerField::model))
        return;
    const memory::ModelSpec *model = m_library.find(text);
    if (model == nullptr)
        return setUnusable(
            PlannerField::model, tr("The list has no model “%1”. Type a part of a name and choose one.").arg(text));
    m_settings = PlannerAnswers::withModel(m_settings, *model);
    m_model->setEditText(model->name);
    m_ownWeights->clear();
    m_unusable.remove(PlannerField::own_weights);
    fillWeights();
    setUnusable(PlannerField::model, {});
}

void PlannerForm::readWeights()
{
    const QString chosen = m_weights->currentData().toString();
    const bool own = chosen == QLatin1String("own");
    showRow(QStringLiteral("ownWeights"), own);
    if (own) {
        readOwnWeights();
        m_ownWeights->setFocus();
        return;
    }
    m_settings.weight_format = chosen;
    m_settings.own_weights.reset();
    setUnusable(PlannerField::own_weights, {});
}

void PlannerForm::readOwnWeights()
{
    const auto size = memory::parseSize(m_ownWeights->text());
    if (!size)
        return setUnusable(PlannerField::own_weights,
            tr("“%1” is no size. Type the size of all weights with its unit, for example 61GB or 14.2GiB.")
                .arg(m_ownWeights->text()));
    m_settings.own_weights = size;
    setUnusable(PlannerField::own_weights, {});
}

void PlannerForm::readCache()
{
    m_settings.kv_dtype
        = memory::cacheFormatFromName(m_kFormat->currentData().toString()).value_or(m_settings.kv_dtype);
    m_settings.v_dtype = memory::cacheFormatFromName(m_vFormat->currentData().toString());
    Q_EMIT edited();
}

void PlannerForm::readEngine()
{
    // Each engine starts with settings of its own.
    m_settings.profile = memory::defaultProfile(memory::Engine(m_engine->currentData().toInt()));
    m_unusable.remove(PlannerField::engine_setting);
    showSettings();
    Q_EMIT edited();
}

void PlannerForm::readEngineSettings()
{
    memory::AllocationProfile &profile = m_settings.profile;
    profile.kv_unified = m_unified->isChecked();
    profile.swa_full = m_swaFull->isChecked();
    QList<std::pair<CountBox *, qint64 *>> boxes;
    if (profile.engine == memory::Engine::vllm || profile.engine == memory::Engine::sglang)
        boxes << std::pair{m_blockSize, &profile.block_size};
    if (profile.engine == memory::Engine::vllm)
        boxes << std::pair{m_batchedTokens, &profile.max_num_batched_tokens};
    if (profile.engine == memory::Engine::llama_cpp)
        boxes << std::pair{m_ubatch, &profile.n_ubatch};
    readCounts(PlannerField::engine_setting, boxes);
}

void PlannerForm::readPlan()
{
    readCounts(PlannerField::plan, {{m_seqLen, &m_settings.seq_len}, {m_batch, &m_settings.batch}});
}

} // namespace kvlab::ui
