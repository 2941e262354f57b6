// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "i18n/language.h"
#include "options.h"

#include <QCoreApplication>

#include <array>

namespace {

using namespace kvlab::cli;

struct Command
{
    const char *name;
    const char *summary;
    int (*run)(const QStringList &);
};

constexpr std::array commands{
    Command{"calc", QT_TRANSLATE_NOOP("kvlab", "KV-cache bytes of models, sequence lengths and batches"), runCalc},
    Command{"plan", QT_TRANSLATE_NOOP("kvlab", "what fits a device: largest batch, longest length"), runPlan},
    Command{"check", QT_TRANSLATE_NOOP("kvlab", "our figures beside those of a server's log"), runCheck},
    Command{"models", QT_TRANSLATE_NOOP("kvlab", "the built-in models"), runModels},
    Command{"gpus", QT_TRANSLATE_NOOP("kvlab", "the built-in devices"), runGpus},
    Command{"probe", QT_TRANSLATE_NOOP("kvlab", "time to first token: cold, warm and different prefix"), runProbe},
    Command{"decode", QT_TRANSLATE_NOOP("kvlab", "what the probe makes of a recorded answer"), runDecode},
    Command{"summarize", QT_TRANSLATE_NOOP("kvlab", "statistics and verdicts for recorded samples"), runSummarize},
    Command{"verify", QT_TRANSLATE_NOOP("kvlab", "recomputes a saved run from its raw events"), runVerify},
    Command{"calibrate", QT_TRANSLATE_NOOP("kvlab", "the probe's own error against a known delay"), runCalibrate},
    Command{"trace", QT_TRANSLATE_NOOP("kvlab", "prefix-cache scenarios through every design's rules"), runTrace},
    Command{"tiers", QT_TRANSLATE_NOOP("kvlab", "recomputed, or found in pool, RAM, disk, after a restart"), runTiers},
    Command{"lab", QT_TRANSLATE_NOOP("kvlab", "checks a guided lab that you wrote"), runLab},
    Command{"serve",
        QT_TRANSLATE_NOOP("kvlab", "the practice engine: its text is gibberish, its times and hits are real"),
        runServe},
};

QString overview()
{
    QString text = QCoreApplication::translate("kvlab", "Usage: kvlab [--lang en|zh] COMMAND [OPTIONS]\n\nCommands:\n");
    for (const Command &command : commands) {
        text += QStringLiteral("  %1  %2\n")
                    .arg(QLatin1String(command.name), -9)
                    .arg(QCoreApplication::translate("kvlab", command.summary));
    }
    text += QCoreApplication::translate("kvlab", "\nkvlab COMMAND --help tells more, with an example.\n");
    return text;
}

/// Takes --lang out of the arguments and installs it; the system's language otherwise.
std::optional<QString> takeLanguage(QStringList &arguments)
{
    QString language = kvlab::i18n::systemLanguage();
    if (arguments.value(1) == QLatin1String("--lang")) {
        language = arguments.value(2);
        if (!kvlab::i18n::availableLanguages().contains(language))
            return QCoreApplication::translate("kvlab", "--lang takes en or zh, not “%1”.").arg(language);
        arguments.remove(1, 2);
    }
    kvlab::i18n::installLanguage(language);
    return std::nullopt;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("kvlab"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KVLAB_VERSION));
    QStringList arguments = QCoreApplication::arguments();
    if (const auto error = takeLanguage(arguments))
        return fail(exitUsage, *error);

    const QString name = arguments.value(1);
    if (name.isEmpty() || name == QLatin1String("--help") || name == QLatin1String("-h")) {
        (name.isEmpty() ? standardError() : standardOutput()) << overview() << Qt::flush;
        return name.isEmpty() ? exitUsage : exitDone;
    }
    if (name == QLatin1String("--version")) {
        standardOutput() << "kvlab " << QCoreApplication::applicationVersion() << Qt::endl;
        return exitDone;
    }
    for (const Command &command : commands) {
        if (name == QLatin1String(command.name)) {
            arguments.removeAt(1);
            return command.run(arguments);
        }
    }
    return fail(exitUsage,
        QCoreApplication::translate("kvlab", "There is no command “%1”. kvlab --help lists them.").arg(name));
}
