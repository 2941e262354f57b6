// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/recorded_run.h"

#include "session/samples_export.h"

#include <QFile>
#include <QJsonDocument>

#include <variant>

namespace kvlab::ui {

std::optional<experiment::RunResult> recordedRun(const QString &name)
{
    QFile file(QStringLiteral(":/kvlab/recorded/%1.json").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const auto run = session::runFromJson(QJsonDocument::fromJson(file.readAll()).object());
    const auto *result = std::get_if<experiment::RunResult>(&run);
    if (!result || result->samples.isEmpty())
        return std::nullopt;
    return *result;
}

} // namespace kvlab::ui
