// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_state.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace kvlab::lab {

namespace {

// A lab has some tens of steps; more is no state of a lab.
constexpr qsizetype maxSteps = 10'000;

QJsonObject stepToJson(const StepState &step)
{
    QJsonObject object;
    if (step.opened_at.isValid())
        object.insert(QStringLiteral("opened_at"), step.opened_at.toUTC().toString(Qt::ISODateWithMs));
    if (step.completed_at.isValid())
        object.insert(QStringLiteral("completed_at"), step.completed_at.toUTC().toString(Qt::ISODateWithMs));
    if (step.skipped)
        object.insert(QStringLiteral("skipped"), true);
    if (step.read)
        object.insert(QStringLiteral("read"), true);
    if (step.hints > 0)
        object.insert(QStringLiteral("hints"), step.hints);
    if (step.tries > 0)
        object.insert(QStringLiteral("tries"), step.tries);
    if (step.answer) {
        QJsonObject answer{{QStringLiteral("text"), step.answer->text},
            {QStringLiteral("verdict"), answerVerdictName(step.answer->verdict)}};
        if (step.answer->value)
            answer.insert(QStringLiteral("value"), *step.answer->value);
        object.insert(QStringLiteral("answer"), answer);
    }
    if (step.uses_recording)
        object.insert(QStringLiteral("uses_recording"), true);
    if (step.result)
        object.insert(QStringLiteral("result"), *step.result);
    if (step.result_recorded)
        object.insert(QStringLiteral("result_recorded"), true);
    return object;
}

/// False when the member is there and of another type.
bool readTime(const QJsonObject &object, const char *name, QDateTime &time)
{
    const QJsonValue value = object.value(QLatin1String(name));
    if (value.isUndefined())
        return true;
    time = QDateTime::fromString(value.toString(), Qt::ISODateWithMs);
    return time.isValid();
}

bool readFlag(const QJsonObject &object, const char *name, bool &flag)
{
    const QJsonValue value = object.value(QLatin1String(name));
    flag = value.toBool();
    return value.isUndefined() || value.isBool();
}

bool readCount(const QJsonObject &object, const char *name, int &count)
{
    const QJsonValue value = object.value(QLatin1String(name));
    count = value.toInt(value.isUndefined() ? 0 : -1);
    return count >= 0;
}

bool readNumber(const QJsonObject &object, const char *name, std::optional<double> &number)
{
    const QJsonValue value = object.value(QLatin1String(name));
    if (value.isDouble())
        number = value.toDouble();
    return value.isUndefined() || value.isDouble();
}

bool readAnswer(const QJsonObject &object, std::optional<Answer> &answer)
{
    const QJsonValue value = object.value(QLatin1String("answer"));
    if (value.isUndefined())
        return true;
    const QJsonObject fields = value.toObject();
    const auto verdict = answerVerdictFromName(fields.value(QLatin1String("verdict")).toString());
    if (!fields.value(QLatin1String("text")).isString() || !verdict)
        return false;
    answer = Answer{fields.value(QLatin1String("text")).toString(), {}, *verdict};
    return readNumber(fields, "value", answer->value);
}

/// The name of the first member that cannot be read, or empty.
QString readStep(const QJsonObject &object, StepState &step)
{
    if (!readTime(object, "opened_at", step.opened_at))
        return QStringLiteral("opened_at");
    if (!readTime(object, "completed_at", step.completed_at))
        return QStringLiteral("completed_at");
    if (!readFlag(object, "skipped", step.skipped))
        return QStringLiteral("skipped");
    if (!readFlag(object, "read", step.read))
        return QStringLiteral("read");
    if (!readCount(object, "hints", step.hints))
        return QStringLiteral("hints");
    if (!readCount(object, "tries", step.tries))
        return QStringLiteral("tries");
    if (!readAnswer(object, step.answer))
        return QStringLiteral("answer");
    if (!readFlag(object, "uses_recording", step.uses_recording))
        return QStringLiteral("uses_recording");
    if (!readNumber(object, "result", step.result))
        return QStringLiteral("result");
    if (!readFlag(object, "result_recorded", step.result_recorded))
        return QStringLiteral("result_recorded");
    return {};
}

QString unreadable(const QString &field)
{
    return QCoreApplication::translate(
        "lab", "The field “%1” is not as this program writes it. Correct it in the file, or open another session.")
        .arg(field);
}

} // namespace

QJsonObject labStateToJson(const LabState &state)
{
    QJsonObject steps;
    for (auto it = state.steps.cbegin(); it != state.steps.cend(); ++it)
        steps.insert(it.key(), stepToJson(it.value()));
    return {{QStringLiteral("id"), state.lab_id}, {QStringLiteral("current"), state.current},
        {QStringLiteral("steps"), steps}, {QStringLiteral("events"), QJsonArray::fromStringList(state.events)}};
}

std::variant<LabState, QString> labStateFromJson(const QJsonObject &object)
{
    LabState state;
    for (const auto &[name, text] : {std::pair{"id", &state.lab_id}, std::pair{"current", &state.current}}) {
        const QJsonValue value = object.value(QLatin1String(name));
        if (!value.isUndefined() && !value.isString())
            return unreadable(QString::fromLatin1(name));
        *text = value.toString();
    }
    const QJsonValue steps = object.value(QLatin1String("steps"));
    const QJsonObject members = steps.toObject();
    if ((!steps.isUndefined() && !steps.isObject()) || members.size() > maxSteps)
        return unreadable(QStringLiteral("steps"));
    for (auto it = members.constBegin(); it != members.constEnd(); ++it) {
        const QString path = QStringLiteral("steps.%1").arg(it.key());
        if (!it.value().isObject())
            return unreadable(path);
        StepState step;
        if (const QString field = readStep(it.value().toObject(), step); !field.isEmpty())
            return unreadable(path + u'.' + field);
        state.steps.insert(it.key(), step);
    }
    const QJsonValue events = object.value(QLatin1String("events"));
    if (!events.isUndefined() && !events.isArray())
        return unreadable(QStringLiteral("events"));
    for (const QJsonValue &event : events.toArray()) {
        if (eventNames().contains(event.toString()) && !state.events.contains(event.toString()))
            state.events << event.toString();
    }
    return state;
}

} // namespace kvlab::lab
