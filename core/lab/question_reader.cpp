// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_parts.h"
#include "lab/quantity.h"

#include "memory/gpu_list.h"
#include "memory/model_list.h"

#include <QCoreApplication>

namespace kvlab::lab {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::lab::LabFile)
};

constexpr double largest = 1e15;

QStringList namesOfQuantities()
{
    QStringList names;
    for (const QuantityKind &kind : quantityKinds())
        names << kind.name;
    return names;
}

QStringList namesOfFormats()
{
    QStringList names;
    for (const memory::CacheFormat format : memory::allCacheFormats())
        names << memory::cacheFormatName(format);
    return names;
}

QStringList namesOfArms()
{
    QStringList names;
    for (const experiment::Arm arm : experiment::allArms())
        names << experiment::armName(arm);
    return names;
}

void checkModel(Fields &fields, const char *name)
{
    const QString model = fields.text(name, Need::required);
    if (!model.isEmpty() && !memory::findModel(model))
        fields.complain(fields.pathOf(QString::fromLatin1(name)),
            Texts::tr("There is no built-in model “%1”. kvlab models lists them.").arg(model));
}

void checkDevice(Fields &fields, const char *name)
{
    const QString device = fields.text(name, Need::required);
    if (!device.isEmpty() && memory::findGpus(device).size() != 1)
        fields.complain(fields.pathOf(QString::fromLatin1(name)),
            Texts::tr("“%1” is not exactly one built-in device. kvlab gpus lists them.").arg(device));
}

void checkArgument(Fields &fields, const Argument &argument)
{
    const QByteArray name = argument.name.toLatin1();
    switch (argument.kind) {
    case ArgumentKind::model:
        checkModel(fields, name.constData());
        break;
    case ArgumentKind::device:
        checkDevice(fields, name.constData());
        break;
    case ArgumentKind::count:
        fields.count(name.constData(), Need::required, 1, memory::maxSeqLen);
        break;
    case ArgumentKind::number:
        fields.number(name.constData(), Need::required, 1e-6, largest);
        break;
    case ArgumentKind::cache_format:
        fields.oneOf(name.constData(), Need::required, namesOfFormats());
        break;
    case ArgumentKind::arm:
        fields.oneOf(name.constData(), Need::required, namesOfArms());
        break;
    }
}

/// Bytes may be asked for in any unit of bytes, but not in milliseconds. A plain count goes with everything countable.
bool unitFits(const QString &unit, Dimension dimension)
{
    const auto asked = unitFromText(unit);
    if (!asked)
        return false;
    const bool counts
        = dimension == Dimension::tokens || dimension == Dimension::count || dimension == Dimension::times;
    return asked->dimension == dimension || (asked->dimension == Dimension::count && counts);
}

std::optional<Quantity> readQuantity(
    const QJsonValue &value, const QString &path, const QString &unit, QList<LabProblem> &problems)
{
    Fields fields(value, path, problems);
    const QString name = fields.oneOf("quantity", Need::required, namesOfQuantities());
    const QuantityKind *kind = quantityKind(name);
    if (!kind)
        return std::nullopt;
    for (const Argument &argument : kind->arguments)
        checkArgument(fields, argument);
    fields.complainAboutUnknown();
    if (!unitFits(unit, kind->dimension))
        fields.complain(
            path, Texts::tr("“%1” is not measured in “%2”. Give the question the right unit.").arg(name, unit));
    QJsonObject arguments = value.toObject();
    arguments.remove(QStringLiteral("quantity"));
    return Quantity{name, arguments};
}

void readNumeric(Fields &fields, Question &question, const QStringList &languages, QList<LabProblem> &problems)
{
    question.answer = fields.translated("answer", Need::optional, languages, {QStringLiteral("value")});
    for (auto it = question.answer.by_language.cbegin(); it != question.answer.by_language.cend(); ++it) {
        if (it->count(QLatin1String("{value}")) != 1)
            fields.complain(fields.pathOf(QStringLiteral("answer.%1").arg(it.key())),
                Texts::tr("This text must have “{value}” once, where the number stands."));
    }
    question.unit = fields.oneOf("unit", Need::optional, unitNames());
    if (question.kind == QuestionKind::number) {
        const auto tolerance = fields.number("tolerance_percent", Need::optional, 0, 100);
        question.tolerance_percent = tolerance.value_or(question.tolerance_percent);
    }
    const QJsonValue expected = fields.value("expected");
    if (expected.isObject())
        question.quantity = readQuantity(expected, fields.pathOf(QStringLiteral("expected")), question.unit, problems);
    else if (question.judged || !expected.isUndefined())
        question.number = fields.number("expected", Need::required, -largest, largest);
}

void readOptions(Fields &fields, Question &question, const QStringList &languages, QList<LabProblem> &problems)
{
    const QJsonArray entries = fields.list("options", Need::required, 12);
    QStringList ids;
    for (qsizetype i = 0; i < entries.size(); ++i) {
        Fields option(
            entries.at(i), QStringLiteral("%1[%2]").arg(fields.pathOf(QStringLiteral("options"))).arg(i), problems);
        question.options << Option{
            option.id("id", Need::required), option.translated("text", Need::required, languages)};
        const QString &id = question.options.constLast().id;
        if (ids.contains(id) && !id.isEmpty())
            option.complain(option.pathOf(QStringLiteral("id")), Texts::tr("The id “%1” is used twice here.").arg(id));
        ids << id;
        option.complainAboutUnknown();
    }
    if (fields.has("options") && entries.size() < 2)
        fields.complain(fields.pathOf(QStringLiteral("options")), Texts::tr("There must be at least two options."));
    const bool choice = question.kind == QuestionKind::choice;
    const Need need = question.judged || !choice ? Need::required : Need::optional;
    question.right = choice ? QStringList{fields.oneOf("expected", need, ids)} : fields.texts("expected", need, 12);
    QStringList sorted = question.right;
    sorted.sort();
    ids.sort();
    if (!choice && fields.has("expected") && sorted != ids)
        fields.complain(
            fields.pathOf(QStringLiteral("expected")), Texts::tr("The right order must name each option once."));
}

} // namespace

Question readQuestion(const QJsonValue &value, const QString &path, bool prediction, const QStringList &languages,
    QList<LabProblem> &problems)
{
    Fields fields(value, path, problems);
    QStringList kinds;
    for (int kind = 0; kind <= int(QuestionKind::text); ++kind)
        kinds << questionKindName(QuestionKind(kind));
    Question question;
    const auto kind = questionKindFromName(fields.oneOf("kind", Need::required, kinds));
    question.prompt = fields.translated("prompt", Need::required, languages);
    question.explanation = fields.translated("explanation", Need::optional, languages);
    // Without its kind, what else the question needs is not known.
    if (!kind)
        return question;
    question.kind = *kind;
    question.judged = fields.flag("judged", true) && !prediction && *kind != QuestionKind::text;
    if (isNumeric(*kind))
        readNumeric(fields, question, languages, problems);
    else if (*kind != QuestionKind::text)
        readOptions(fields, question, languages, problems);
    fields.complainAboutUnknown();
    return question;
}

} // namespace kvlab::lab
