// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_parts.h"

#include <QCoreApplication>

namespace kvlab::lab {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::lab::LabFile)
};

/// Steps by id with their place in the file.
class References
{
public:
    References(const Lab &lab, QList<LabProblem> &problems)
        : m_lab(lab)
        , m_problems(problems)
    {
    }

    void check()
    {
        collect();
        for (qsizetype p = 0; p < m_lab.parts.size(); ++p) {
            const Part &part = m_lab.parts.at(p);
            for (qsizetype s = 0; s < part.steps.size(); ++s)
                checkStep(part.steps.at(s), QStringLiteral("parts[%1].steps[%2]").arg(p).arg(s));
        }
        findCycle();
    }

private:
    void noteId(QMap<QString, QString> &places, const QString &id, const QString &path)
    {
        if (id.isEmpty())
            return;
        if (places.contains(id))
            m_problems << LabProblem{
                path, Texts::tr("The id “%1” is used twice; it stands first at %2.").arg(id, places.value(id))};
        else
            places.insert(id, path);
    }

    void collect()
    {
        QMap<QString, QString> parts;
        for (qsizetype p = 0; p < m_lab.parts.size(); ++p) {
            const Part &part = m_lab.parts.at(p);
            const QString path = QStringLiteral("parts[%1]").arg(p);
            noteId(parts, part.id, path + QStringLiteral(".id"));
            for (qsizetype s = 0; s < part.steps.size(); ++s)
                noteId(m_places, part.steps.at(s).id, QStringLiteral("%1.steps[%2].id").arg(path).arg(s));
        }
    }

    void checkName(const QString &id, const QString &path)
    {
        if (!id.isEmpty() && !m_places.contains(id))
            m_problems << LabProblem{path, Texts::tr("There is no step “%1” in this lab.").arg(id)};
    }

    void checkStep(const Step &step, const QString &path)
    {
        QStringList waits_for = step.needs;
        for (const QString &needed : step.needs)
            checkName(needed, path + QStringLiteral(".needs"));
        for (const QString &named : stepsIn(step.done)) {
            checkName(named, path + QStringLiteral(".done"));
            waits_for << named;
        }
        if (!step.id.isEmpty())
            m_waits.insert(step.id, waits_for);
        checkName(step.compare, path + QStringLiteral(".compare"));
        const Step *compared = m_lab.step(step.compare);
        if (compared
            && (compared->kind != StepKind::predict || !compared->question
                || (!compared->question->number && !compared->question->quantity)))
            m_problems << LabProblem{path + QStringLiteral(".compare"),
                Texts::tr("“%1” is no prediction of a number with its expected answer, so there is nothing to compare.")
                    .arg(step.compare)};
        if (asks(step.done) && !step.question)
            m_problems << LabProblem{
                path + QStringLiteral(".done"), Texts::tr("The step waits for an answer, but it asks no question.")};
    }

    static QStringList stepsIn(const Condition &condition)
    {
        QStringList names;
        if (condition.kind == ConditionKind::step)
            names << condition.name;
        for (const Condition &part : condition.parts)
            names << stepsIn(part);
        return names;
    }

    static bool asks(const Condition &condition)
    {
        bool found = condition.kind == ConditionKind::answered;
        for (const Condition &part : condition.parts)
            found = found || asks(part);
        return found;
    }

    /// Steps that wait for each other never open. One cycle is named; the next shows when it is gone.
    void findCycle()
    {
        QSet<QString> finished;
        for (auto it = m_waits.cbegin(); it != m_waits.cend(); ++it) {
            QStringList way;
            if (walk(it.key(), way, finished))
                return;
        }
    }

    bool walk(const QString &id, QStringList &way, QSet<QString> &finished)
    {
        if (finished.contains(id))
            return false;
        const qsizetype before = way.indexOf(id);
        way << id;
        if (before >= 0) {
            m_problems << LabProblem{m_places.value(id),
                Texts::tr("These steps wait for each other, so none of them can begin: %1.")
                    .arg(way.mid(before).join(QStringLiteral(" → ")))};
            return true;
        }
        for (const QString &needed : m_waits.value(id)) {
            if (walk(needed, way, finished))
                return true;
        }
        way.removeLast();
        finished.insert(id);
        return false;
    }

    const Lab &m_lab;
    QList<LabProblem> &m_problems;
    QMap<QString, QString> m_places;
    QMap<QString, QStringList> m_waits;
};

} // namespace

void checkReferences(const Lab &lab, QList<LabProblem> &problems)
{
    References(lab, problems).check();
}

} // namespace kvlab::lab
