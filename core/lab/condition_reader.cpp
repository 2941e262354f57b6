// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_parts.h"

#include "memory/model_list.h"

#include <QCoreApplication>

namespace kvlab::lab {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::lab::LabFile)
};

// Conditions within conditions; deeper ones are nobody's.
constexpr int maxDepth = 8;

QString pathIn(const QString &path, const char *name)
{
    return path + u'.' + QString::fromLatin1(name);
}

RowPattern readRow(const QJsonValue &value, const QString &path, QList<LabProblem> &problems)
{
    Fields fields(value, path, problems);
    RowPattern row;
    if (fields.has("model")) {
        row.model = fields.text("model", Need::optional);
        if (!row.model->isEmpty() && !memory::findModel(*row.model))
            fields.complain(fields.pathOf(QStringLiteral("model")),
                Texts::tr("There is no built-in model “%1”. kvlab models lists them.").arg(*row.model));
    } else {
        fields.value("model");
    }
    row.seq_len = fields.count("seq_len", Need::optional, 1, memory::maxSeqLen);
    row.batch = fields.count("batch", Need::optional, 1, memory::maxBatch);
    QStringList formats;
    for (const memory::CacheFormat format : memory::allCacheFormats())
        formats << memory::cacheFormatName(format);
    row.kv_dtype = memory::cacheFormatFromName(fields.oneOf("kv_dtype", Need::optional, formats));
    fields.complainAboutUnknown();
    return row;
}

std::optional<int> smallCount(Fields &fields, const char *name, int largest)
{
    const auto count = fields.count(name, Need::optional, 1, largest);
    return count ? std::optional(int(*count)) : std::nullopt;
}

PlanPattern readPlan(const QJsonValue &value, const QString &path, QList<LabProblem> &problems)
{
    Fields fields(value, path, problems);
    const PlanPattern plan{smallCount(fields, "rounds", 1000), smallCount(fields, "shared_tokens", 100'000),
        smallCount(fields, "max_tokens", 4096)};
    fields.complainAboutUnknown();
    return plan;
}

void readSamples(const QJsonValue &value, const QString &path, Condition &condition, QList<LabProblem> &problems)
{
    Fields fields(value, path, problems);
    const QStringList names = fields.texts("arms", Need::required, 8);
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (const auto arm = experiment::armFromName(names.at(i)))
            condition.arms << *arm;
        else
            fields.complain(QStringLiteral("%1[%2]").arg(fields.pathOf(QStringLiteral("arms"))).arg(i),
                Texts::tr("“%1” is no arm. Arms are cold, warm, partial and different.").arg(names.at(i)));
    }
    if (fields.has("arms") && names.isEmpty())
        fields.complain(fields.pathOf(QStringLiteral("arms")), Texts::tr("Name at least one arm."));
    condition.at_least = smallCount(fields, "at_least", 1000).value_or(1);
    if (fields.has("plan"))
        condition.plan = readPlan(fields.value("plan"), pathIn(path, "plan"), problems);
    fields.value("plan");
    fields.complainAboutUnknown();
}

Condition readNested(const QJsonValue &value, const QString &path, int depth, QList<LabProblem> &problems);

void readList(Fields &fields, const char *name, Condition &condition, int depth, QList<LabProblem> &problems)
{
    const QJsonArray entries = fields.list(name, Need::required, 20);
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const QString path = QStringLiteral("%1[%2]").arg(fields.pathOf(QString::fromLatin1(name))).arg(i);
        condition.parts << readNested(entries.at(i), path, depth + 1, problems);
    }
    if (fields.has(name) && entries.isEmpty())
        fields.complain(fields.pathOf(QString::fromLatin1(name)), Texts::tr("Name at least one condition."));
}

Condition readOne(Fields &fields, const QString &name, const QString &path, int depth, QList<LabProblem> &problems)
{
    Condition condition;
    if (name == QLatin1String("row") || name == QLatin1String("current_row")) {
        const bool current = name == QLatin1String("current_row");
        condition.kind = current ? ConditionKind::current_row : ConditionKind::row;
        condition.row = readRow(fields.value(current ? "current_row" : "row"), path + u'.' + name, problems);
    } else if (name == QLatin1String("samples")) {
        condition.kind = ConditionKind::samples;
        readSamples(fields.value("samples"), pathIn(path, "samples"), condition, problems);
    } else if (name == QLatin1String("plan")) {
        condition.kind = ConditionKind::plan;
        condition.plan = readPlan(fields.value("plan"), pathIn(path, "plan"), problems);
    } else if (name == QLatin1String("event")) {
        condition.kind = ConditionKind::event;
        condition.name = fields.oneOf("event", Need::required, eventNames());
    } else if (name == QLatin1String("step")) {
        condition.kind = ConditionKind::step;
        condition.name = fields.text("step", Need::required);
    } else if (name == QLatin1String("all") || name == QLatin1String("any")) {
        const bool all = name == QLatin1String("all");
        condition.kind = all ? ConditionKind::all : ConditionKind::any;
        readList(fields, all ? "all" : "any", condition, depth, problems);
    }
    return condition;
}

Condition readNested(const QJsonValue &value, const QString &path, int depth, QList<LabProblem> &problems)
{
    static const QStringList words{QStringLiteral("read"), QStringLiteral("answered"), QStringLiteral("imported")};
    static const QStringList members{QStringLiteral("row"), QStringLiteral("current_row"), QStringLiteral("samples"),
        QStringLiteral("plan"), QStringLiteral("event"), QStringLiteral("step"), QStringLiteral("all"),
        QStringLiteral("any")};
    if (value.isString() && words.contains(value.toString())) {
        const qsizetype word = words.indexOf(value.toString());
        Condition condition;
        condition.kind = word == 0 ? ConditionKind::read
            : word == 1            ? ConditionKind::answered
                                   : ConditionKind::imported;
        return condition;
    }
    const QString name = value.toObject().size() == 1 ? value.toObject().constBegin().key() : QString();
    if (!members.contains(name) || depth > maxDepth) {
        problems << LabProblem{path,
            Texts::tr("This is no condition. Write one of “%1”, or an object with exactly one of the members %2, at "
                      "most %3 within each other.")
                .arg(words.join(QStringLiteral("”, “")), members.join(QStringLiteral(", ")))
                .arg(maxDepth)};
        return {};
    }
    Fields fields(value, path, problems);
    return readOne(fields, name, path, depth, problems);
}

} // namespace

Condition readCondition(const QJsonValue &value, const QString &path, QList<LabProblem> &problems)
{
    return readNested(value, path, 1, problems);
}

} // namespace kvlab::lab
