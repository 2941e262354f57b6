// SPDX-License-Identifier: GPL-3.0-or-later
// The members of one JSON object, each asked for with its type; what does not fit becomes a problem with its path.
#pragma once

#include "lab/lab_reader.h"

#include <QJsonArray>
#include <QSet>

namespace kvlab::lab {

enum class Need { required, optional };

class Fields
{
public:
    Fields(const QJsonValue &value, const QString &path, QList<LabProblem> &problems);

    bool has(const char *name) const;
    QString pathOf(const QString &name) const;
    void complain(const QString &path, const QString &message);

    QString text(const char *name, Need need);
    QString id(const char *name, Need need); ///< lower-case letters, digits, hyphens
    QString oneOf(const char *name, Need need, const QStringList &choices);
    std::optional<double> number(const char *name, Need need, double low, double high);
    std::optional<qint64> count(const char *name, Need need, qint64 low, qint64 high);
    bool flag(const char *name, bool otherwise);
    QJsonArray list(const char *name, Need need, qsizetype longest);
    QStringList texts(const char *name, Need need, qsizetype longest);
    QJsonValue value(const char *name); ///< any type, undefined when absent
    /// A text in each of the languages; only `braces` and known placeholders may stand in braces.
    Text translated(const char *name, Need need, const QStringList &languages, const QStringList &braces = {});

    /// Names the members that nobody asked for: a slip of the pen would be silent otherwise.
    void complainAboutUnknown();

private:
    /// The member when it is there and of the type; complains otherwise.
    std::optional<QJsonValue> member(const char *name, Need need, QJsonValue::Type type, const QString &wanted);

    QJsonObject m_object;
    QString m_path;
    QList<LabProblem> &m_problems;
    QSet<QString> m_known;
    bool m_isObject = true;
};

} // namespace kvlab::lab
