// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/server_dialog.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/text_color.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

namespace kvlab::ui {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(ServerDialog)
};

QLabel *problemLabel(const QString &name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->hide();
    return label;
}

void showProblem(QLabel *label, const QString &text)
{
    setTextColor(label, tokens().bad);
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace

std::variant<QUrl, QString> readServerAddress(const QString &typed)
{
    QString text = typed.trimmed();
    if (text.isEmpty())
        return Text::tr("The address is empty. Type where the server listens, for example http://localhost:8000.");
    if (!text.contains(u"://"))
        text.prepend(u"http://");
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty())
        return Text::tr("“%1” is not an address. Type it like http://localhost:8000 or https://host.example/v1.")
            .arg(typed.trimmed());
    if (url.scheme() != u"http" && url.scheme() != u"https")
        return Text::tr("“%1” is no kind of address that can be measured. Begin it with http:// or https://.")
            .arg(url.scheme());
    if (!url.userInfo().isEmpty())
        return Text::tr("The address holds a name or a password. Leave them out; a key belongs into the field below.");
    if (url.hasQuery() || url.hasFragment())
        return Text::tr("The address goes on after “?” or “#”. Type only where the server listens, up to /v1 at most.");
    return url;
}

std::optional<QString> apiKeyProblem(const QString &typed)
{
    const QString key = typed.trimmed();
    const bool sendable
        = std::all_of(key.begin(), key.end(), [](QChar c) { return c.unicode() > 0x20 && c.unicode() < 0x7f; });
    if (sendable)
        return std::nullopt;
    return Text::tr(
        "The key holds a space or a character that keys do not have. Copy it again, without anything around it.");
}

ServerDialog::ServerDialog(QWidget *parent)
    : QDialog(parent)
{
    setupFields();
    setupLayout();
    retranslate();
    m_address->setFocus();
}

void ServerDialog::setupFields()
{
    m_address = new QLineEdit(this);
    m_address->setObjectName(QStringLiteral("address"));
    m_address->setInputMethodHints(Qt::ImhUrlCharactersOnly | Qt::ImhNoPredictiveText);
    m_addressProblem = problemLabel(QStringLiteral("addressProblem"), this);
    m_model = new QLineEdit(this);
    m_model->setObjectName(QStringLiteral("model"));
    m_key = new QLineEdit(this);
    m_key->setObjectName(QStringLiteral("key"));
    m_key->setEchoMode(QLineEdit::Password);
    m_key->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText);
    m_keyNote = new QLabel(this);
    m_keyNote->setWordWrap(true);
    setKind(m_keyNote, "secondary");
    m_keyProblem = problemLabel(QStringLiteral("keyProblem"), this);
    connect(m_address, &QLineEdit::textEdited, this, &ServerDialog::validate);
    connect(m_key, &QLineEdit::textEdited, this, &ServerDialog::validate);
}

void ServerDialog::setupLayout()
{
    m_form = new QFormLayout(this);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(QStringLiteral("."), m_address);
    m_form->addRow(QString(), m_addressProblem);
    m_form->addRow(QStringLiteral("."), m_model);
    m_form->addRow(QStringLiteral("."), m_key);
    m_form->addRow(QString(), m_keyNote);
    m_form->addRow(QString(), m_keyProblem);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_form->addRow(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ServerDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &ServerDialog::reject);
    setMinimumWidth(QFontMetrics(bodyFont()).averageCharWidth() * 72);
}

void ServerDialog::retranslate()
{
    setWindowTitle(tr("Enter a server"));
    const auto label = [this](QWidget *field, const QString &text) {
        auto *buddy = qobject_cast<QLabel *>(m_form->labelForField(field));
        buddy->setText(text);
        // Chinese puts the key in brackets behind the word: 地址(&A).
        static const QRegularExpression key(QStringLiteral("\\(&\\w\\)|&"));
        field->setAccessibleName(QString(text).remove(key));
    };
    label(m_address, tr("&Address"));
    label(m_model, tr("&Model"));
    label(m_key, tr("API &key"));
    m_address->setPlaceholderText(QStringLiteral("http://localhost:8000"));
    //: in the empty field of the model: the first one that the server lists is taken
    m_model->setPlaceholderText(tr("the first one that the server offers"));
    //: in the empty field of the key
    m_key->setPlaceholderText(tr("none"));
    m_keyNote->setText(tr("Kept in memory for this run only, never saved or exported."));
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Use this server"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    validate();
}

void ServerDialog::setTarget(const experiment::ServerTarget &target)
{
    m_address->setText(target.base_url.toString());
    m_model->setText(target.model);
    m_key->setText(QString::fromLatin1(target.api_key));
    validate();
}

experiment::ServerTarget ServerDialog::target() const
{
    experiment::ServerTarget target;
    const auto address = readServerAddress(m_address->text());
    if (const QUrl *url = std::get_if<QUrl>(&address))
        target.base_url = *url;
    target.model = m_model->text().trimmed();
    target.api_key = m_key->text().trimmed().toLatin1();
    target.label = target.base_url.toString();
    return target;
}

void ServerDialog::validate()
{
    if (!m_tried)
        return;
    const auto address = readServerAddress(m_address->text());
    const QString *problem = std::get_if<QString>(&address);
    showProblem(m_addressProblem, problem ? *problem : QString());
    showProblem(m_keyProblem, apiKeyProblem(m_key->text()).value_or(QString()));
    // A form does not grow with a sentence that needs two lines.
    m_form->activate();
    resize(width(), std::max(height(), m_form->totalHeightForWidth(width())));
}

void ServerDialog::accept()
{
    m_tried = true;
    validate();
    if (!m_addressProblem->isHidden()) {
        m_address->setFocus();
        m_address->selectAll();
        return;
    }
    if (!m_keyProblem->isHidden()) {
        m_key->setFocus();
        return;
    }
    QDialog::accept();
}

void ServerDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
