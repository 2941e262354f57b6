// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_reader.h"

#include "lab/lab_parts.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>

namespace kvlab::lab {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::lab::LabFile)
};

constexpr int labVersion = 1;
constexpr qsizetype maxParts = 20;
constexpr qsizetype maxSteps = 100;

class Reader
{
public:
    explicit Reader(QList<LabProblem> &problems)
        : m_problems(problems)
    {
    }

    Lab read(const QJsonObject &object)
    {
        Fields fields(object, {}, m_problems);
        Lab lab;
        if (!checkHeader(fields))
            return lab;
        lab.id = fields.id("id", Need::required);
        lab.languages = readLanguages(fields);
        m_languages = lab.languages;
        lab.title = fields.translated("title", Need::required, m_languages);
        lab.minutes = int(fields.count("minutes", Need::optional, 1, 600).value_or(25));
        const QJsonArray parts = fields.list("parts", Need::required, maxParts);
        for (qsizetype i = 0; i < parts.size(); ++i)
            lab.parts << readPart(parts.at(i), QStringLiteral("parts[%1]").arg(i));
        if (fields.has("parts") && parts.isEmpty())
            fields.complain(QStringLiteral("parts"), Texts::tr("A lab needs at least one part."));
        fields.complainAboutUnknown();
        return lab;
    }

private:
    bool checkHeader(Fields &fields)
    {
        const QString format = fields.text("format", Need::optional);
        if (format != QLatin1String("kvlab-lab")) {
            fields.complain(QStringLiteral("format"),
                Texts::tr("The file is JSON, but no lab: its member “format” must be “kvlab-lab”."));
            return false;
        }
        const auto version = fields.count("version", Need::required, 1, 1'000'000);
        if (version && *version > labVersion) {
            fields.complain(QStringLiteral("version"),
                Texts::tr("The lab was written for a newer version of KV Cache Lab (format %1; this one reads %2). "
                          "Update the program.")
                    .arg(*version)
                    .arg(labVersion));
            return false;
        }
        return version.has_value();
    }

    QStringList readLanguages(Fields &fields)
    {
        const QStringList languages = fields.texts("languages", Need::required, 20);
        QStringList good;
        for (qsizetype i = 0; i < languages.size(); ++i) {
            const QString &language = languages.at(i);
            const bool letters = std::all_of(language.cbegin(), language.cend(),
                [](QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_'; });
            if (letters && language.size() >= 2 && language.size() <= 12 && !good.contains(language))
                good << language;
            else
                fields.complain(QStringLiteral("languages[%1]").arg(i),
                    Texts::tr("“%1” is no language code such as en or zh, or it is named twice.").arg(language));
        }
        if (fields.has("languages") && languages.isEmpty())
            fields.complain(QStringLiteral("languages"), Texts::tr("Name at least one language."));
        return good;
    }

    Part readPart(const QJsonValue &value, const QString &path)
    {
        Fields fields(value, path, m_problems);
        Part part;
        part.id = fields.id("id", Need::required);
        part.title = fields.translated("title", Need::required, m_languages);
        const QJsonArray steps = fields.list("steps", Need::required, maxSteps);
        for (qsizetype i = 0; i < steps.size(); ++i) {
            const QString previous = part.steps.isEmpty() ? QString() : part.steps.constLast().id;
            part.steps << readStep(steps.at(i), QStringLiteral("%1.steps[%2]").arg(path).arg(i), previous);
        }
        if (fields.has("steps") && steps.isEmpty())
            fields.complain(fields.pathOf(QStringLiteral("steps")), Texts::tr("A part needs at least one step."));
        fields.complainAboutUnknown();
        return part;
    }

    Step readStep(const QJsonValue &value, const QString &path, const QString &previous)
    {
        Fields fields(value, path, m_problems);
        QStringList kinds;
        for (int kind = 0; kind <= int(StepKind::apply); ++kind)
            kinds << stepKindName(StepKind(kind));
        Step step;
        step.id = fields.id("id", Need::required);
        step.kind = stepKindFromName(fields.oneOf("kind", Need::required, kinds)).value_or(StepKind::explore);
        step.title = fields.translated("title", Need::required, m_languages);
        step.text = fields.translated("text", Need::required, m_languages);
        step.attempt = fields.translated("try", Need::optional, m_languages);
        step.show = fields.oneOf("show", Need::optional, targetNames());
        step.recorded = fields.oneOf("recorded", Need::optional, recordedNames());
        step.compare = fields.text("compare", Need::optional);
        readQuestionOf(fields, step);
        readHints(fields, step);
        // A step waits for the one before it unless it says otherwise.
        if (fields.has("needs"))
            step.needs = fields.texts("needs", Need::optional, maxSteps);
        else if (!previous.isEmpty())
            step.needs = {previous};
        fields.value("needs");
        step.done.kind = step.question ? ConditionKind::answered : ConditionKind::read;
        if (fields.has("done"))
            step.done = readCondition(fields.value("done"), fields.pathOf(QStringLiteral("done")), m_problems);
        fields.value("done");
        fields.complainAboutUnknown();
        return step;
    }

    void readQuestionOf(Fields &fields, Step &step)
    {
        const bool prediction = step.kind == StepKind::predict;
        if (fields.has("question"))
            step.question = readQuestion(fields.value("question"), fields.pathOf(QStringLiteral("question")),
                prediction, m_languages, m_problems);
        else if (prediction)
            fields.complain(
                fields.pathOf(QStringLiteral("question")), Texts::tr("A step of kind “predict” needs a question."));
        fields.value("question");
        step.holds_measure = fields.flag("holds_measure", false);
        if (step.holds_measure && !prediction)
            fields.complain(
                fields.pathOf(QStringLiteral("holds_measure")), Texts::tr("Only a prediction can hold Measure back."));
    }

    void readHints(Fields &fields, Step &step)
    {
        const QJsonArray hints = fields.list("hints", Need::optional, 3);
        for (qsizetype i = 0; i < hints.size(); ++i) {
            // Each hint is a text of its own, so the member is wrapped to be read like the others.
            const QString path = QStringLiteral("%1[%2]").arg(fields.pathOf(QStringLiteral("hints"))).arg(i);
            QList<LabProblem> found;
            Fields hint(QJsonObject{{QStringLiteral("hint"), hints.at(i)}}, {}, found);
            step.hints << hint.translated("hint", Need::required, m_languages);
            for (LabProblem problem : found) {
                problem.path.replace(0, 4, path);
                m_problems << problem;
            }
        }
    }

    QList<LabProblem> &m_problems;
    QStringList m_languages;
};

LabProblem notJson(const QByteArray &json, const QJsonParseError &error)
{
    const QByteArray before = json.left(error.offset);
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = before.size() - (before.lastIndexOf('\n') + 1) + 1;
    return {{},
        Texts::tr("The file cannot be read as JSON: %1, line %2, column %3. Correct it there.")
            .arg(error.errorString())
            .arg(line)
            .arg(column)};
}

} // namespace

QString problemLine(const LabProblem &problem)
{
    return problem.path.isEmpty() ? problem.message : QStringLiteral("%1: %2").arg(problem.path, problem.message);
}

std::variant<Lab, QList<LabProblem>> readLab(const QByteArray &json)
{
    if (json.size() > maxLabBytes)
        return QList<LabProblem>{
            {{}, Texts::tr("The file is larger than 4 MiB, which no lab is. Choose another file.")}};
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        return QList<LabProblem>{notJson(json, error)};
    QList<LabProblem> problems;
    Lab lab = Reader(problems).read(document.object());
    if (problems.isEmpty() || !lab.parts.isEmpty())
        checkReferences(lab, problems);
    if (!problems.isEmpty())
        return problems;
    return lab;
}

const Lab &builtInLab()
{
    static const Lab lab = [] {
        QFile file(QStringLiteral(":/kvlab/labs/kv-cache.json"));
        const auto read = file.open(QIODevice::ReadOnly) ? readLab(file.readAll()) : QList<LabProblem>();
        Q_ASSERT_X(std::holds_alternative<Lab>(read), "lab", "the built-in lab has a problem");
        return std::holds_alternative<Lab>(read) ? std::get<Lab>(read) : Lab();
    }();
    return lab;
}

} // namespace kvlab::lab
