// SPDX-License-Identifier: GPL-3.0-or-later
#include "i18n/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace kvlab::i18n {

namespace {

QString &current()
{
    static QString language = QStringLiteral("en");
    return language;
}

QLocale localeOf(const QString &language)
{
    return language == QLatin1String("zh") ? QLocale(QLocale::Chinese, QLocale::China)
                                           : QLocale(QLocale::English, QLocale::UnitedStates);
}

void replaceTranslator(QTranslator &translator, const QLocale &locale, const QString &name, const QString &folder)
{
    QCoreApplication::removeTranslator(&translator);
    if (translator.load(locale, name, QStringLiteral("_"), folder))
        QCoreApplication::installTranslator(&translator);
}

} // namespace

QStringList availableLanguages()
{
    return {QStringLiteral("en"), QStringLiteral("zh")};
}

QString systemLanguage()
{
    return QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh") : QStringLiteral("en");
}

void installLanguage(const QString &language)
{
    static QTranslator ours;
    static QTranslator qt;
    const QLocale locale = localeOf(language);
    current() = language;
    QLocale::setDefault(locale);
    replaceTranslator(qt, locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    replaceTranslator(ours, locale, QStringLiteral("kvlab"), QStringLiteral(":/kvlab/i18n"));
}

QString currentLanguage()
{
    return current();
}

} // namespace kvlab::i18n
