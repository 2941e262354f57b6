// SPDX-License-Identifier: GPL-3.0-or-later
// The interface language: translations for the program and for Qt's own texts, and the locale that numbers and dates
// follow on screen. Another language is one more resources/i18n/kvlab_XX.ts.
#pragma once

#include <QString>
#include <QStringList>

namespace kvlab::i18n {

/// Languages there are: "en", "zh".
QStringList availableLanguages();

/// The system's language if there is a translation for it, else "en".
QString systemLanguage();

/// Installs `language` ("en", "zh") for the whole program and sets QLocale's default; running widgets get
/// LanguageChange.
void installLanguage(const QString &language);
QString currentLanguage();

} // namespace kvlab::i18n
