// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for an OpenAI-compatible server: address, model, key. The key is kept in memory for this run only.
#pragma once

#include "experiment/experiment_plan.h"

#include <QDialog>

#include <variant>

class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace kvlab::ui {

/// The address as typed ("localhost:8000", "https://host/v1") as a URL, or a sentence: what is wrong and what to type.
std::variant<QUrl, QString> readServerAddress(const QString &typed);
/// A sentence when the key cannot be sent in a header; never contains the key.
std::optional<QString> apiKeyProblem(const QString &typed);

class ServerDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ServerDialog(QWidget *parent = nullptr);

    /// Fills the fields with an earlier entry.
    void setTarget(const experiment::ServerTarget &target);
    /// What was entered; to be read after accepted().
    experiment::ServerTarget target() const;

    /// Closes only when address and key can be used; otherwise it says why, beside the field.
    void accept() override;

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupFields();
    void setupLayout();
    void retranslate();
    /// Shows or clears the sentence under a field.
    void validate();

    QFormLayout *m_form = nullptr;
    QLineEdit *m_address = nullptr;
    QLabel *m_addressProblem = nullptr;
    QLineEdit *m_model = nullptr;
    QLineEdit *m_key = nullptr;
    QLabel *m_keyNote = nullptr;
    QLabel *m_keyProblem = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    bool m_tried = false; ///< problems are shown from the first attempt on, not while the address is still being typed
};

} // namespace kvlab::ui
