// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_fields.h"

#include "lab/placeholders.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cmath>

namespace kvlab::lab {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::lab::LabFile)
};

constexpr qsizetype maxText = 4000;

QString sortedList(QStringList names)
{
    names.sort();
    return names.join(QStringLiteral(", "));
}

} // namespace

Fields::Fields(const QJsonValue &value, const QString &path, QList<LabProblem> &problems)
    : m_object(value.toObject())
    , m_path(path)
    , m_problems(problems)
    , m_isObject(value.isObject())
{
    if (!m_isObject)
        complain(path, Texts::tr("This must be an object: members in { }."));
}

QString Fields::pathOf(const QString &name) const
{
    return m_path.isEmpty() ? name : m_path + u'.' + name;
}

void Fields::complain(const QString &path, const QString &message)
{
    m_problems << LabProblem{path, message};
}

bool Fields::has(const char *name) const
{
    return m_object.contains(QLatin1String(name));
}

std::optional<QJsonValue> Fields::member(const char *name, Need need, QJsonValue::Type type, const QString &wanted)
{
    const QString key = QString::fromLatin1(name);
    m_known.insert(key);
    const QJsonValue found = m_object.value(key);
    if (found.isUndefined()) {
        // What is no object at all has been complained about already.
        if (need == Need::required && m_isObject)
            complain(m_path, Texts::tr("The member “%1” is missing. %2").arg(key, wanted));
        return std::nullopt;
    }
    if (found.type() != type) {
        complain(pathOf(key), wanted);
        return std::nullopt;
    }
    return found;
}

QString Fields::text(const char *name, Need need)
{
    const QString wanted = Texts::tr("This must be a text in quotation marks.");
    const auto found = member(name, need, QJsonValue::String, wanted);
    return found ? found->toString() : QString();
}

QString Fields::id(const char *name, Need need)
{
    static const QRegularExpression good(QStringLiteral("^[a-z0-9][a-z0-9-]{0,63}$"));
    const QString found = text(name, need);
    if (!found.isEmpty() && !good.match(found).hasMatch()) {
        complain(pathOf(QString::fromLatin1(name)),
            Texts::tr("“%1” is no id. Use 1 to 64 lower-case letters, digits and hyphens.").arg(found));
        return {};
    }
    if (found.isEmpty() && has(name) && m_object.value(QLatin1String(name)).isString())
        complain(pathOf(QString::fromLatin1(name)), Texts::tr("This text is empty. Write something, or leave it out."));
    return found;
}

QString Fields::oneOf(const char *name, Need need, const QStringList &choices)
{
    const QString found = text(name, need);
    if (!has(name) || !m_object.value(QLatin1String(name)).isString() || choices.contains(found))
        return found;
    complain(pathOf(QString::fromLatin1(name)),
        Texts::tr("“%1” is not known here. Choose one of: %2.").arg(found, sortedList(choices)));
    return {};
}

std::optional<double> Fields::number(const char *name, Need need, double low, double high)
{
    const QString wanted = Texts::tr("This must be a number from %1 to %2.").arg(low).arg(high);
    const auto found = member(name, need, QJsonValue::Double, wanted);
    if (!found)
        return std::nullopt;
    const double value = found->toDouble();
    if (value >= low && value <= high)
        return value;
    complain(pathOf(QString::fromLatin1(name)), wanted);
    return std::nullopt;
}

std::optional<qint64> Fields::count(const char *name, Need need, qint64 low, qint64 high)
{
    const QString wanted = Texts::tr("This must be a whole number from %1 to %2.").arg(low).arg(high);
    const auto found = member(name, need, QJsonValue::Double, wanted);
    if (!found)
        return std::nullopt;
    const double value = found->toDouble();
    if (value == std::floor(value) && value >= double(low) && value <= double(high))
        return qint64(value);
    complain(pathOf(QString::fromLatin1(name)), wanted);
    return std::nullopt;
}

bool Fields::flag(const char *name, bool otherwise)
{
    const auto found = member(name, Need::optional, QJsonValue::Bool, Texts::tr("This must be true or false."));
    return found ? found->toBool() : otherwise;
}

QJsonArray Fields::list(const char *name, Need need, qsizetype longest)
{
    const QString wanted = Texts::tr("This must be a list of at most %1 entries: [ ].").arg(longest);
    const auto found = member(name, need, QJsonValue::Array, wanted);
    if (!found)
        return {};
    if (found->toArray().size() <= longest)
        return found->toArray();
    complain(pathOf(QString::fromLatin1(name)), wanted);
    return {};
}

QStringList Fields::texts(const char *name, Need need, qsizetype longest)
{
    QStringList all;
    const QJsonArray entries = list(name, need, longest);
    for (qsizetype i = 0; i < entries.size(); ++i) {
        if (entries.at(i).isString())
            all << entries.at(i).toString();
        else
            complain(QStringLiteral("%1[%2]").arg(pathOf(QString::fromLatin1(name))).arg(i),
                Texts::tr("This must be a text in quotation marks."));
    }
    return all;
}

QJsonValue Fields::value(const char *name)
{
    const QString key = QString::fromLatin1(name);
    m_known.insert(key);
    return m_object.value(key);
}

Text Fields::translated(const char *name, Need need, const QStringList &languages, const QStringList &braces)
{
    const QString wanted
        = Texts::tr("This must be an object with a text in each language: %1.").arg(sortedList(languages));
    const auto found = member(name, need, QJsonValue::Object, wanted);
    if (!found)
        return {};
    Fields texts(*found, pathOf(QString::fromLatin1(name)), m_problems);
    Text result;
    for (const QString &language : languages) {
        const QByteArray key = language.toLatin1();
        const QString text = texts.text(key.constData(), Need::required);
        if (texts.value(key.constData()).isString() && (text.trimmed().isEmpty() || text.size() > maxText))
            complain(texts.pathOf(language), Texts::tr("This text must have 1 to %1 characters.").arg(maxText));
        for (const QString &placeholder : placeholdersIn(text)) {
            if (!isPlaceholder(placeholder) && !braces.contains(placeholder))
                complain(texts.pathOf(language),
                    Texts::tr("“{%1}” is no figure that can be filled in. Known are: %2.")
                        .arg(placeholder, sortedList(placeholderNames() + braces)));
        }
        result.by_language.insert(language, text);
    }
    texts.complainAboutUnknown();
    return result;
}

void Fields::complainAboutUnknown()
{
    for (auto it = m_object.constBegin(); it != m_object.constEnd(); ++it) {
        if (!m_known.contains(it.key()))
            complain(pathOf(it.key()),
                Texts::tr("“%1” is no member known here. Known are: %2.")
                    .arg(it.key(), sortedList(QStringList(m_known.begin(), m_known.end()))));
    }
}

} // namespace kvlab::lab
