// SPDX-License-Identifier: GPL-3.0-or-later
#include "i18n/language.h"
#include "offscreen_demo.h"
#include "session/autosave.h"
#include "ui/main_window.h"
#include "ui/widgets/appearance.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSettings>

namespace {

/// Context of this file's texts.
struct Program
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::app::Program)
};

void restoreAppearance(const QCommandLineParser &parser, const QCommandLineOption &language)
{
    const QSettings settings;
    QString chosen = parser.value(language);
    if (!kvlab::i18n::availableLanguages().contains(chosen))
        chosen = settings.value(QStringLiteral("language"), kvlab::i18n::systemLanguage()).toString();
    kvlab::i18n::installLanguage(chosen);
    kvlab::ui::applyAppearance(kvlab::ui::Theme(qBound(0, settings.value(QStringLiteral("theme"), 0).toInt(), 2)),
        qBound(0.8, settings.value(QStringLiteral("zoom"), 1.0).toDouble(), 2.0));
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("kvcachelab"));
    QCoreApplication::setApplicationName(QStringLiteral("kvcachelab"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KVLAB_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("kvcachelab"));
    QIcon programIcon(QStringLiteral(":/kvlab/icons/kvcachelab-512.png"));
    programIcon.addFile(QStringLiteral(":/kvlab/icons/kvcachelab-32.png"));
    QGuiApplication::setWindowIcon(programIcon);

    QCommandLineParser parser;
    parser.setApplicationDescription(Program::tr("A laboratory for the KV cache of large language models."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption language(
        QStringLiteral("lang"), Program::tr("Language of the window: en or zh."), QStringLiteral("en|zh"));
    const QCommandLineOption demo(QStringLiteral("offscreen-demo"),
        Program::tr("Measure once without a screen, leave pictures and CSV in DIR, and end."), QStringLiteral("DIR"));
    parser.addOptions({language, demo});
    parser.addPositionalArgument(
        QStringLiteral("session"), Program::tr("A .kvlab file to open."), QStringLiteral("[session]"));
    parser.process(application);

    if (parser.isSet(demo))
        return kvlab::app::runOffscreenDemo(parser.value(demo));

    restoreAppearance(parser, language);
    kvlab::ui::MainWindow window;
    window.keepCopiesIn(kvlab::session::Autosave::defaultFolder());
    if (!parser.positionalArguments().isEmpty())
        window.openFile(parser.positionalArguments().constFirst());
    window.show();
    return QApplication::exec();
}
