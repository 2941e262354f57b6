// SPDX-License-Identifier: GPL-3.0-or-later
// An editable list: typing shows the entries whose text contains what is typed.
#pragma once

#include "ui/planner/field_edge.h"

#include <QComboBox>

namespace kvlab::ui {

class SearchBox : public Edged<QComboBox>
{
    Q_OBJECT
public:
    explicit SearchBox(QWidget *parent = nullptr);

Q_SIGNALS:
    void committed(); ///< an entry was chosen, or typing ended
};

} // namespace kvlab::ui
