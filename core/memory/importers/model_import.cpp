// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/model_import.h"

#include "memory/importers/gguf_header.h"
#include "memory/importers/gguf_import.h"
#include "memory/importers/imported_name.h"

#include <QCoreApplication>
#include <QFile>

namespace kvlab::memory {

Refusal unreadableFile(const QString &path, const QString &why)
{
    return {QStringLiteral("file_unreadable"),
        QCoreApplication::translate("import", "“%1” cannot be read: %2. Check that the file is there and may be read.")
            .arg(path, why)};
}

ImportResult importModelFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadableFile(path, file.errorString());
    if (looksLikeGguf(file))
        return importGguf(path);
    // One byte more than is allowed is enough to know that it is too large.
    const QByteArray json = file.read(maxConfigBytes + 1);
    return importConfigJson(json, importedName(path));
}

} // namespace kvlab::memory
