// SPDX-License-Identifier: GPL-3.0-or-later
// The plan as a user edits it: what comes out is what was chosen, and what cannot be measured is said before OK.
#include "i18n/language.h"
#include "ui/dialogs/plan_dialog.h"
#include "ui/widgets/appearance.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

using namespace kvlab;
using namespace kvlab::ui;
using experiment::Arm;

class TestPlanDialog : public QObject
{
    Q_OBJECT

private:
    static bool mayAccept(const PlanDialog &dialog)
    {
        return dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->isEnabled();
    }

private Q_SLOTS:
    void initTestCase()
    {
        i18n::installLanguage(QStringLiteral("en"));
        applyAppearance(Theme::light, 1.0);
    }

    void unchangedPlanComesBack()
    {
        experiment::ExperimentPlan plan;
        plan.document = QStringLiteral("A document of my own.");
        plan.question = QStringLiteral("What does it say?");
        plan.extra_body = {{QStringLiteral("temperature"), 0}};
        plan.endpoint = experiment::Endpoint::completions;
        plan.cold = experiment::ColdMethod::nonce;
        plan.seed = 77;
        const PlanDialog dialog(plan, QStringLiteral("small"));
        const experiment::ExperimentPlan same = dialog.plan();
        QCOMPARE(same.arms, plan.arms);
        QCOMPARE(same.document, plan.document);
        QCOMPARE(same.question, plan.question);
        QCOMPARE(same.extra_body, plan.extra_body);
        QCOMPARE(same.endpoint, plan.endpoint);
        QCOMPARE(same.cold, plan.cold);
        QCOMPARE(same.seed, plan.seed);
        QCOMPARE(dialog.engineSize(), QStringLiteral("small"));
        QVERIFY(mayAccept(dialog));
    }

    void armsAreChosen()
    {
        PlanDialog dialog({}, QStringLiteral("auto"));
        QTest::mouseClick(dialog.findChild<QCheckBox *>(QStringLiteral("partial")), Qt::LeftButton, {}, {8, 8});
        QCOMPARE(dialog.plan().arms, experiment::allArms());
        bool counted = false;
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            counted = counted || label->text() == QStringLiteral("40 samples in all, 4 in each round");
        QVERIFY(counted);
        for (const char *arm : {"cold", "warm", "partial", "different"})
            dialog.findChild<QCheckBox *>(QLatin1String(arm))->setChecked(false);
        QVERIFY(!mayAccept(dialog));
        QVERIFY(
            dialog.findChild<QLabel *>(QStringLiteral("problem"))->text().contains(QStringLiteral("No arm is chosen")));
        dialog.findChild<QCheckBox *>(QStringLiteral("warm"))->setChecked(true);
        QVERIFY(mayAccept(dialog));
        QCOMPARE(dialog.plan().arms, QList<Arm>{Arm::warm});
    }

    void extraFieldsMustBeAnObject()
    {
        PlanDialog dialog({}, QStringLiteral("auto"));
        auto *extra = dialog.findChild<QLineEdit *>(QStringLiteral("extra_body"));
        for (const char *wrong : {"7", "[1]", "{", "temperature: 0"}) {
            extra->setText(QLatin1String(wrong));
            QVERIFY2(!mayAccept(dialog), wrong);
        }
        extra->setText(QStringLiteral("{\"top_p\": 1, \"stream_options\": null}"));
        QVERIFY(mayAccept(dialog));
        QCOMPARE(dialog.plan().extra_body.value(QStringLiteral("top_p")).toInt(), 1);
        QVERIFY(dialog.plan().extra_body.value(QStringLiteral("stream_options")).isNull());
    }

    void everyFieldHasALabel()
    {
        for (const QString &language : i18n::availableLanguages()) {
            i18n::installLanguage(language);
            PlanDialog dialog({}, QStringLiteral("auto"));
            dialog.show();
            for (QWidget *field : dialog.findChildren<QWidget *>()) {
                const bool input = qobject_cast<QSpinBox *>(field) || qobject_cast<QComboBox *>(field);
                if (!input || !field->isVisible())
                    continue;
                bool labelled = false;
                for (const QLabel *label : dialog.findChildren<QLabel *>())
                    labelled = labelled || label->buddy() == field;
                QVERIFY2(labelled, qPrintable(field->objectName()));
            }
        }
        i18n::installLanguage(QStringLiteral("en"));
    }
};

QTEST_MAIN(TestPlanDialog)
#include "tst_plan_dialog.moc"
