// SPDX-License-Identifier: GPL-3.0-or-later
// A guided lab as its file describes it: parts, steps, questions, conditions. Plain values; the format and its reasons
// are in resources/labs/README.md, reading is lab_reader.h's, what a student has done of it is lab_state.h's.
#pragma once

#include "experiment/experiment_plan.h"
#include "memory/cache_format.h"

#include <QJsonObject>
#include <QMap>
#include <QStringList>

#include <memory>
#include <optional>
#include <variant>

namespace kvlab::lab {

/// One text in every language of the lab.
struct Text
{
    QMap<QString, QString> by_language;

    /// In that language, else in the first there is.
    QString in(const QString &language) const;
    bool isEmpty() const { return by_language.isEmpty(); }
};

enum class StepKind { explore, predict, measure, explain, apply };
QString stepKindName(StepKind kind);
std::optional<StepKind> stepKindFromName(const QString &name);

enum class QuestionKind {
    integer, ///< exactly that whole number
    number, ///< with unit and tolerance
    magnitude, ///< right within a factor of √10
    choice,
    ordering,
    text, ///< free; never judged
};
QString questionKindName(QuestionKind kind);
std::optional<QuestionKind> questionKindFromName(const QString &name);
bool isNumeric(QuestionKind kind);

/// A figure that the program itself knows: "kv_bytes" with its arguments. See quantity.h.
struct Quantity
{
    QString name;
    QJsonObject arguments;
};

struct Option
{
    QString id;
    Text text;
};

struct Question
{
    QuestionKind kind = QuestionKind::text;
    Text prompt;
    Text answer; ///< "{value} % lower": what stands around the field, and the answer as a sentence has it
    QString unit; ///< of typed numbers without one, and of `number`; empty = a plain count
    std::optional<double> number; ///< the expected answer, in `unit`
    std::optional<Quantity> quantity; ///< or the figure that it is
    double tolerance_percent = 2; ///< of `number`
    QList<Option> options; ///< of choice and ordering
    QStringList right; ///< ids: one of a choice, all of an ordering
    bool judged = true; ///< predictions never are
    Text explanation; ///< shown once it is answered
};

enum class ConditionKind { read, answered, row, current_row, samples, plan, imported, event, step, all, any };

/// Fields that are unset match everything.
struct RowPattern
{
    std::optional<QString> model;
    std::optional<qint64> seq_len;
    std::optional<qint64> batch;
    std::optional<memory::CacheFormat> kv_dtype;
};

struct PlanPattern
{
    std::optional<int> rounds;
    std::optional<int> shared_tokens;
    std::optional<int> max_tokens;
};

struct Condition
{
    ConditionKind kind = ConditionKind::read;
    RowPattern row;
    QList<experiment::Arm> arms; ///< of samples
    int at_least = 1; ///< kept samples of each arm
    PlanPattern plan; ///< of plan; of the run whose samples count
    QString name; ///< of the step or the event
    QList<Condition> parts; ///< of all and any
};

struct Step
{
    QString id;
    StepKind kind = StepKind::explore;
    Text title;
    Text text;
    Text attempt; ///< something to try; may be empty
    std::optional<Question> question;
    QList<Text> hints; ///< point, ask, tell
    QStringList needs; ///< steps that come first
    Condition done;
    QString show; ///< name of the control that “Show me” points at; may be empty
    QString compare; ///< the prediction that is shown beside the result; may be empty
    bool holds_measure = false; ///< Measure waits for this prediction
    QString recorded; ///< name of a recorded run for rooms with no usable machine; may be empty
};

struct Part
{
    QString id;
    Text title;
    QList<Step> steps;
};

struct Lab
{
    QString id;
    QStringList languages;
    Text title;
    int minutes = 25; ///< of the class timer
    QList<Part> parts;

    const Step *step(const QString &step_id) const;
    const Part *partOf(const QString &step_id) const;
    const Step *nextIn(const QString &step_id) const; ///< the step after it, also across parts
};

/// Names that a lab may use; the window has to know each of them.
QStringList targetNames(); ///< controls for “Show me”
QStringList eventNames(); ///< what the window reports: presentation_opened, …
QStringList recordedNames(); ///< runs that come with the program

} // namespace kvlab::lab
