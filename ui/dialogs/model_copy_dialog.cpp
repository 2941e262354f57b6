// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_copy_dialog.h"

#include "memory/model_json.h"
#include "ui/dialogs/imported_view.h"
#include "ui/widgets/appearance.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace kvlab::ui {

namespace {

/// What a copy's figures came from is not known any more once they are edited.
QJsonObject copyOf(const memory::ModelSpec &model, const QString &name)
{
    QJsonObject object = memory::modelToJson(model);
    object.insert(QStringLiteral("name"), name);
    for (const char *key : {"id", "field_sources", "source", "notes", "teaching_only"})
        object.remove(QLatin1String(key));
    return object;
}

} // namespace

ModelCopyDialog::ModelCopyDialog(const memory::ModelSpec &model, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Edit a copy of %1").arg(model.name));
    setupLayout();
    const QJsonObject copy = copyOf(model, tr("%1 (copy)", "a model's name").arg(model.name));
    m_text->setPlainText(QString::fromUtf8(QJsonDocument(copy).toJson(QJsonDocument::Indented)));
}

void ModelCopyDialog::setupLayout()
{
    m_text = new QPlainTextEdit(this);
    m_text->setObjectName(QStringLiteral("modelText"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(tr("The copy as JSON"));
    m_text->setTabChangesFocus(true);
    m_view = new ImportedView(this);
    auto *splitter = new QSplitter(this);
    splitter->addWidget(m_text);
    splitter->addWidget(m_view);
    auto *hint = new QLabel(
        tr("Each entry of “caches” is a group of layers; its kind is full, sliding, chunked, mla, indexer, compressed, "
           "state, cross or none. The model of the list stays as it is."),
        this);
    hint->setWordWrap(true);
    setKind(hint, "secondary");
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Add as a model"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    auto *column = new QVBoxLayout(this);
    column->addWidget(hint);
    column->addWidget(splitter, 1);
    column->addWidget(m_buttons);
    resize(920, 560);
    connect(m_text, &QPlainTextEdit::textChanged, this, &ModelCopyDialog::readText);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ModelCopyDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &ModelCopyDialog::reject);
}

std::variant<memory::ModelSpec, memory::Refusal> ModelCopyDialog::read() const
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(m_text->toPlainText().toUtf8(), &error);
    if (!document.isObject())
        return memory::Refusal{QStringLiteral("json_syntax"),
            tr("The text is not a JSON object (character %1: %2). Correct it there.")
                .arg(QString::number(error.offset), error.errorString())};
    QJsonObject object = document.object();
    const QString name = object.value(QLatin1String("name")).toString().trimmed();
    if (name.isEmpty())
        return memory::Refusal{QStringLiteral("field_missing"), tr("The model has no name. Write one after “name”.")};
    object.insert(QStringLiteral("id"), name.toLower());
    const auto model = memory::modelFromJson(object);
    if (const auto *problem = std::get_if<QString>(&model))
        return memory::Refusal{QStringLiteral("wrong_type"), *problem};
    if (std::get<memory::ModelSpec>(model).caches.isEmpty())
        return memory::Refusal{QStringLiteral("no_decoder_cache"),
            tr("The model has no groups of layers. Write at least one entry into “caches”.")};
    return std::get<memory::ModelSpec>(model);
}

void ModelCopyDialog::readText()
{
    const auto result = read();
    m_model.reset();
    if (const auto *model = std::get_if<memory::ModelSpec>(&result)) {
        m_model = *model;
        m_view->showResult(memory::ImportedModel{*model, {}, QStringLiteral("bf16"), std::nullopt});
    } else {
        m_view->showResult(std::get<memory::Refusal>(result));
    }
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_model.has_value());
}

void ModelCopyDialog::accept()
{
    if (m_model)
        QDialog::accept();
}

} // namespace kvlab::ui
