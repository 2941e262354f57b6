// SPDX-License-Identifier: GPL-3.0-or-later
#include "offscreen_demo.h"

#include "i18n/language.h"
#include "ui/main_window.h"
#include "ui/measure/measure_panel.h"
#include "ui/widgets/appearance.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

namespace kvlab::app {

namespace {

using experiment::RunResult;
using ui::MainWindow;
using ui::Theme;

constexpr int runLimitMs = 15 * 60 * 1000;

class Demo
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::app::Demo)
public:
    explicit Demo(const QString &folder)
        : m_folder(folder)
    {
    }

    int run()
    {
        if (!QDir().mkpath(m_folder.path()))
            return say(5, tr("The folder %1 could not be made. Name one that may be written.").arg(m_folder.path()));
        look(QStringLiteral("en"), Theme::light);
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        settle();
        picture(&window, QStringLiteral("window-before-en-light-1280x720"));
        const std::optional<RunResult> result = measure(window);
        if (!result || result->samples.isEmpty())
            return say(4,
                m_failure.isEmpty() ? tr("Nothing was measured. Try again, or run kvlab probe to see why.")
                                    : m_failure);
        pictures(window);
        window.exportSamples(m_folder.filePath(QStringLiteral("samples.csv")));
        window.exportSamples(m_folder.filePath(QStringLiteral("samples.json")));
        window.exportTable(m_folder.filePath(QStringLiteral("kv-memory.csv")));
        window.exportChart(m_folder.filePath(QStringLiteral("ttft.png")));
        if (!m_written)
            return say(5,
                tr("Not all pictures could be written to %1. Free some space there, or name another folder.")
                    .arg(m_folder.path()));
        return conclude(*result);
    }

private:
    static int say(int code, const QString &text)
    {
        QTextStream(code == 0 ? stdout : stderr) << text << Qt::endl;
        return code;
    }

    static void settle()
    {
        // Deferred deletes and queued layouts of a language or theme switch.
        for (int i = 0; i < 5; ++i) {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QApplication::processEvents(QEventLoop::AllEvents, 50);
        }
    }

    static void look(const QString &language, Theme theme)
    {
        i18n::installLanguage(language);
        ui::applyAppearance(theme, 1.0);
        settle();
    }

    void picture(QWidget *widget, const QString &name)
    {
        m_written = widget->grab().save(m_folder.filePath(name + QStringLiteral(".png"))) && m_written;
    }

    std::optional<RunResult> measure(MainWindow &window)
    {
        QEventLoop loop;
        std::optional<RunResult> result;
        bool during = false;
        QObject::connect(window.controller(), &ui::MeasureController::ended, &loop, [&](const RunResult &run) {
            result = run;
            m_failure = run.message;
            loop.quit();
        });
        QObject::connect(window.controller(), &ui::MeasureController::engineFailed, &loop, [&](const QString &message) {
            m_failure = message;
            loop.quit();
        });
        QObject::connect(window.controller(), &ui::MeasureController::sampleFinished, &window,
            [&](const experiment::MeasuredSample &sample) {
                QTextStream(stdout) << "sample " << sample.number << ' ' << experiment::armName(sample.arm) << ' '
                                    << sample.probe.ttftMs().value_or(-1) << " ms" << Qt::endl;
                // A picture taken while a request runs would slow that request down: in between only.
                if (sample.number == 17 && !during) {
                    during = true;
                    settle();
                    picture(&window, QStringLiteral("window-during-en-light-1280x720"));
                }
            });
        QTimer::singleShot(runLimitMs, &loop, &QEventLoop::quit);
        window.findChild<QPushButton *>(QStringLiteral("measureButton"))->click();
        loop.exec();
        settle();
        return result;
    }

    void pictures(MainWindow &window)
    {
        struct View
        {
            const char *language;
            Theme theme;
            const char *themeName;
            QSize size;
        };
        const View views[] = {{"en", Theme::light, "light", {1280, 720}}, {"en", Theme::dark, "dark", {1920, 1080}},
            {"zh", Theme::light, "light", {1280, 720}}, {"zh", Theme::dark, "dark", {1920, 1080}},
            {"en", Theme::light, "light", {1024, 768}}};
        for (const View &view : views) {
            look(QLatin1String(view.language), view.theme);
            window.resize(view.size);
            settle();
            picture(&window,
                QStringLiteral("window-after-%1-%2-%3x%4")
                    .arg(QLatin1String(view.language), QLatin1String(view.themeName))
                    .arg(view.size.width())
                    .arg(view.size.height()));
        }
        for (const char *language : {"en", "zh"}) {
            look(QLatin1String(language), Theme::light);
            QWidget *presentation = window.togglePresentation();
            presentation->showNormal();
            presentation->resize(1024, 768);
            settle();
            picture(presentation, QStringLiteral("presentation-%1-light-1024x768").arg(QLatin1String(language)));
            window.togglePresentation();
            settle();
        }
        look(QStringLiteral("en"), Theme::light);
    }

    int conclude(const RunResult &result)
    {
        const experiment::Summary &summary = result.summary;
        QTextStream out(stdout);
        for (auto arm = summary.arms.constBegin(); arm != summary.arms.constEnd(); ++arm) {
            out << experiment::armName(arm.key()) << ": n " << arm->kept << ", median "
                << QString::number(arm->median_ms.value_or(0), 'f', 1) << " ms, confirmed " << arm->confirmed
                << Qt::endl;
        }
        if (summary.ratio_median)
            out << "ratio " << QString::number(*summary.ratio_median, 'f', 1) << Qt::endl;
        out << summary.explanation << Qt::endl << "written to " << m_folder.path() << Qt::endl;
        return summary.verdict == experiment::Verdict::confirmed ? 0 : 1;
    }

    QDir m_folder;
    QString m_failure;
    bool m_written = true;
};

} // namespace

int runOffscreenDemo(const QString &folder)
{
    // The user's own settings are neither read nor changed.
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    return Demo(folder).run();
}

} // namespace kvlab::app
