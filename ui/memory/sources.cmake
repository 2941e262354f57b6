# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(kvlab_ui PRIVATE
)
