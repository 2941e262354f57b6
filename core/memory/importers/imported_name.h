// SPDX-License-Identifier: GPL-3.0-or-later
// Names of imported models, and the message about a file that cannot be read.
#pragma once

#include "memory/memory_estimate.h"

namespace kvlab::memory {

/// "Qwen2.5 7B" → "qwen2.5-7b"; never empty.
QString importedId(const QString &name);

/// From where the file lies: the repository in a Hugging Face cache, else the folder of a config.json, else the file's
/// own name without its ending and part number.
QString importedName(const QString &path);

/// file_unreadable
Refusal unreadableFile(const QString &path, const QString &why);

} // namespace kvlab::memory
