// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab.h"

#include <array>

namespace kvlab::lab {

namespace {

constexpr std::array stepKinds{"explore", "predict", "measure", "explain", "apply"};
constexpr std::array questionKinds{"integer", "number", "magnitude", "choice", "ordering", "text"};

template <typename Kind, std::size_t count>
std::optional<Kind> kindFromName(const std::array<const char *, count> &names, const QString &name)
{
    for (std::size_t i = 0; i < count; ++i) {
        if (name == QLatin1String(names[i]))
            return Kind(i);
    }
    return std::nullopt;
}

QStringList list(const char *names)
{
    return QString::fromLatin1(names).split(u' ');
}

} // namespace

QString Text::in(const QString &language) const
{
    const auto found = by_language.constFind(language);
    if (found != by_language.constEnd())
        return *found;
    return by_language.isEmpty() ? QString() : by_language.first();
}

QString stepKindName(StepKind kind)
{
    return QString::fromLatin1(stepKinds.at(std::size_t(kind)));
}

std::optional<StepKind> stepKindFromName(const QString &name)
{
    return kindFromName<StepKind>(stepKinds, name);
}

QString questionKindName(QuestionKind kind)
{
    return QString::fromLatin1(questionKinds.at(std::size_t(kind)));
}

std::optional<QuestionKind> questionKindFromName(const QString &name)
{
    return kindFromName<QuestionKind>(questionKinds, name);
}

bool isNumeric(QuestionKind kind)
{
    return kind == QuestionKind::integer || kind == QuestionKind::number || kind == QuestionKind::magnitude;
}

const Step *Lab::step(const QString &step_id) const
{
    for (const Part &part : parts) {
        for (const Step &candidate : part.steps) {
            if (candidate.id == step_id)
                return &candidate;
        }
    }
    return nullptr;
}

const Part *Lab::partOf(const QString &step_id) const
{
    for (const Part &part : parts) {
        for (const Step &candidate : part.steps) {
            if (candidate.id == step_id)
                return &part;
        }
    }
    return nullptr;
}

const Step *Lab::nextIn(const QString &step_id) const
{
    bool found = false;
    for (const Part &part : parts) {
        for (const Step &candidate : part.steps) {
            if (found)
                return &candidate;
            found = candidate.id == step_id;
        }
    }
    return nullptr;
}

QStringList targetNames()
{
    return list(
        "memory_table add_row import_model gpu unit row_filter room row_details measure server plan chart result "
        "samples export presentation language");
}

QStringList eventNames()
{
    return list("presentation_opened samples_exported table_exported chart_exported");
}

QStringList recordedNames()
{
    return list("practice-run practice-run-1000");
}

} // namespace kvlab::lab
