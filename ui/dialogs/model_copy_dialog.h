// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of a model as text that can be edited: its groups of layers and figures in JSON, and beside it what they mean.
#pragma once

#include "memory/importers/model_import.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QPlainTextEdit;

namespace kvlab::ui {

class ImportedView;

class ModelCopyDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ModelCopyDialog(const memory::ModelSpec &model, QWidget *parent = nullptr);

    /// What OK hands over; nullopt while the text cannot be used.
    const std::optional<memory::ModelSpec> &model() const { return m_model; }

    void accept() override;

private:
    void setupLayout();
    void readText();
    std::variant<memory::ModelSpec, memory::Refusal> read() const;

    QPlainTextEdit *m_text = nullptr;
    ImportedView *m_view = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    std::optional<memory::ModelSpec> m_model;
};

} // namespace kvlab::ui
