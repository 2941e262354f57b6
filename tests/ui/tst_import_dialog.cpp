// SPDX-License-Identifier: GPL-3.0-or-later
// The import dialog: what it shows of files, pasted text, dropped files and found models, and what it hands over.
// With KVLAB_PICTURES=DIR it leaves pictures there.
#include "i18n/language.h"
#include "memory/importers/local_models.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/dialogs/imported_view.h"
#include "ui/dialogs/local_model_list.h"
#include "ui/widgets/appearance.h"

#include <QDialogButtonBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

const QString inputFolder = QStringLiteral(KVLAB_TEST_DATA "/config-inputs/");
constexpr int waitMs = 20'000;

QPushButton *okButton(const ImportDialog &dialog)
{
    return dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
}

template <typename Widget> Widget *child(const QWidget &parent, const char *name)
{
    return parent.findChild<Widget *>(QString::fromLatin1(name));
}

QString textOf(const QWidget &dialog, const char *label)
{
    return child<QLabel>(dialog, label)->text();
}

/// With KVLAB_PICTURES=DIR.
void keepPicture(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("KVLAB_PICTURES");
    if (!folder.isEmpty() && !widget.grab().save(folder + u'/' + name + QStringLiteral(".png")))
        qFatal("the picture cannot be written");
}

/// "kv_heads|8|text_config.num_key_value_heads" of every value, and the titles of the groups.
QStringList treeTexts(const QTreeWidget &tree)
{
    QStringList texts;
    for (int i = 0; i < tree.topLevelItemCount(); ++i) {
        const QTreeWidgetItem *group = tree.topLevelItem(i);
        texts << group->text(0);
        for (int k = 0; k < group->childCount(); ++k)
            texts << group->child(k)->text(0) + u'|' + group->child(k)->text(1) + u'|' + group->child(k)->text(2);
    }
    return texts;
}

} // namespace

class TestImportDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void showsWhatAFileHolds();
    void refusesInASentence();
    void readsPastedText();
    void takesDrops();
    void newestFileCounts();
    void listsLocalModels();
    void searchCanBeStopped();
    void everythingByKeyboard();
    void nothingIsCutOff_data();
    void nothingIsCutOff();
};

void TestImportDialog::init()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestImportDialog::showsWhatAFileHolds()
{
    ImportDialog dialog(inputFolder + QStringLiteral("sharing_k_eq_v.json"));
    dialog.show();
    QVERIFY(!okButton(dialog)->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(okButton(dialog)->isEnabled(), waitMs);
    auto *tree = child<QTreeWidget>(dialog, "importedGroups");
    const QStringList shown = treeTexts(*tree);
    for (const char *text :
        {"Sliding window, 50 layers", "kv_heads|16|text_config.num_key_value_heads",
            "window|1,024|text_config.sliding_window", "layers|50|text_config.layer_types", "Full attention, 10 layers",
            "kv_heads|4|text_config.num_global_key_value_heads", "head_dim|512|text_config.global_head_dim"})
        QVERIFY2(shown.contains(QString::fromUtf8(text)), qPrintable(shown.join(u'\n')));
    QStringList figures;
    for (const QLabel *label : dialog.findChildren<QLabel *>())
        figures << label->text();
    // 50 × 2 × 16 × 256 × 2 B + 10 × 2 × 4 × 512 × 2 B
    QVERIFY2(figures.contains(QStringLiteral("901,120 B in 16 bits")), qPrintable(figures.join(u'\n')));
    QVERIFY(figures.contains(QStringLiteral("81,920 B in 16 bits")));
    QVERIFY(figures.contains(QStringLiteral("262,144 tokens, from “text_config.max_position_embeddings”")));
    QVERIFY(textOf(dialog, "importedName").contains(QStringLiteral("gemma4")));
    QVERIFY(!child<QLabel>(dialog, "importWarnings")->isVisible());

    okButton(dialog)->click();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(dialog.model()->model.caches.size(), 2);

    ImportDialog warned(inputFolder + QStringLiteral("syntax_duplicate_key.json"));
    warned.show();
    QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>(warned, "importWarnings")->isVisible(), waitMs);
    QVERIFY(textOf(warned, "importWarnings").contains(QStringLiteral("num_hidden_layers")));
    QVERIFY(okButton(warned)->isEnabled());
}

void TestImportDialog::refusesInASentence()
{
    ImportDialog dialog;
    dialog.show();
    QVERIFY(!okButton(dialog)->isEnabled());
    for (const char *file : {"head_dim_missing_indivisible.json", "no such file.json", "encoding_empty.json"}) {
        dialog.readFile(inputFolder + QLatin1String(file));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<ImportedView *>()->refusal().isEmpty(), waitMs);
        const QString message = textOf(dialog, "importMessage");
        QVERIFY2(message.endsWith(u'.') && message.size() > 40, qPrintable(message));
        QVERIFY(child<QLabel>(dialog, "importMessage")->isVisible());
        QVERIFY(!okButton(dialog)->isEnabled());
        QVERIFY(!dialog.model());
        dialog.accept();
        QVERIFY(dialog.isVisible());
    }
}

void TestImportDialog::readsPastedText()
{
    ImportDialog dialog;
    dialog.show();
    dialog.findChild<QTabWidget *>()->setCurrentIndex(1);
    auto *text = child<QPlainTextEdit>(dialog, "json");
    text->setPlainText(QStringLiteral("{\"num_hidden_layers\": 4,"));
    QVERIFY(textOf(dialog, "importMessage").contains(QStringLiteral("line 1")));
    text->setPlainText(QStringLiteral("{\"model_type\":\"llama\",\"num_hidden_layers\":4,\"num_attention_heads\":8,"
                                      "\"hidden_size\":512,\"num_key_value_heads\":2,\"dtype\":\"bfloat16\"}"));
    QVERIFY(okButton(dialog)->isEnabled());
    QVERIFY(!dialog.model()->model.name.isEmpty());
    const QStringList shown = treeTexts(*child<QTreeWidget>(dialog, "importedGroups"));
    QVERIFY(shown.contains(QStringLiteral("head_dim|64|hidden_size ÷ num_attention_heads")));
    text->clear();
    QVERIFY(!okButton(dialog)->isEnabled());
    QVERIFY(dialog.findChild<ImportedView *>()->refusal().isEmpty());
}

void TestImportDialog::takesDrops()
{
    ImportDialog dialog;
    dialog.show();
    const auto drop = [&dialog](QMimeData *data) {
        const QPoint middle = dialog.rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&dialog, &enter);
        if (!enter.isAccepted())
            return false;
        QDropEvent event(middle, Qt::CopyAction, data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&dialog, &event);
        return event.isAccepted();
    };
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(inputFolder + QStringLiteral("head_dim_null.json"))});
    QVERIFY(drop(&file));
    QTRY_VERIFY_WITH_TIMEOUT(okButton(dialog)->isEnabled(), waitMs);
    QCOMPARE(dialog.model()->model.name, QStringLiteral("head_dim_null"));
    QMimeData text;
    text.setText(QStringLiteral("[]"));
    QVERIFY(drop(&text));
    QVERIFY(textOf(dialog, "importMessage").contains(QStringLiteral("object")));
    QMimeData picture;
    picture.setData(QStringLiteral("image/png"), "png");
    QVERIFY(!drop(&picture));
}

void TestImportDialog::newestFileCounts()
{
    ImportDialog dialog;
    for (int i = 0; i < 20; ++i) {
        dialog.readFile(inputFolder + QStringLiteral("head_dim_null.json"));
        dialog.readFile(inputFolder + QStringLiteral("head_dim_absent.json"));
    }
    QTRY_VERIFY_WITH_TIMEOUT(dialog.model(), waitMs);
    QTest::qWait(200);
    QCOMPARE(dialog.model()->model.name, QStringLiteral("head_dim_absent"));
    dialog.readFile(inputFolder + QStringLiteral("head_dim_null.json")); // and closed while it reads
}

void TestImportDialog::listsLocalModels()
{
    const QTemporaryDir root;
    const QString folder = root.filePath(QStringLiteral("me/tiny"));
    QDir().mkpath(folder);
    QVERIFY(QFile::copy(inputFolder + QStringLiteral("head_dim_null.json"), folder + QStringLiteral("/config.json")));

    ImportDialog dialog;
    auto *list = dialog.findChild<LocalModelList *>();
    QSignalSpy searched(list, &LocalModelList::searched);
    list->search({{}, {root.path()}, {}});
    dialog.show();
    dialog.findChild<QTabWidget *>()->setCurrentIndex(2);
    QTRY_COMPARE_WITH_TIMEOUT(searched.size(), 1, waitMs);
    auto *models = child<QTreeWidget>(dialog, "localModels");
    QCOMPARE(models->topLevelItemCount(), 1);
    QCOMPARE(models->topLevelItem(0)->text(0), QStringLiteral("me/tiny"));
    QCOMPARE(models->topLevelItem(0)->text(1), QStringLiteral("LM Studio"));
    models->setCurrentItem(models->topLevelItem(0));
    QTRY_VERIFY_WITH_TIMEOUT(okButton(dialog)->isEnabled(), waitMs);
    QCOMPARE(dialog.model()->model.name, QStringLiteral("tiny"));
    keepPicture(dialog, QStringLiteral("import local models"));
}

void TestImportDialog::searchCanBeStopped()
{
    const QTemporaryDir root;
    for (int i = 0; i < 300; ++i)
        QDir().mkpath(root.filePath(QStringLiteral("%1/a/b").arg(i)));
    LocalModelList list;
    QSignalSpy searched(&list, &LocalModelList::searched);
    auto *button = child<QPushButton>(list, "searchButton");
    list.search({{}, {root.path()}, {}});
    QVERIFY(list.isSearching());
    QCOMPARE(button->text(), QStringLiteral("Stop"));
    button->click();
    QTRY_COMPARE_WITH_TIMEOUT(searched.size(), 1, waitMs);
    QVERIFY(!list.isSearching());
    QCOMPARE(button->text(), QStringLiteral("Look again"));
    button->click();
    list.search({{}, {root.path()}, {}}); // the first does not count any more
    QTRY_VERIFY_WITH_TIMEOUT(!list.isSearching(), waitMs);
    QTest::qWait(200);
    QCOMPARE(searched.size(), 2);
    list.search({{}, {root.path()}, {}}); // and closed while it looks
}

void TestImportDialog::everythingByKeyboard()
{
    ImportDialog dialog;
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *path = child<QLineEdit>(dialog, "path");
    path->setFocus();
    QTest::keyClicks(path, inputFolder + QStringLiteral("head_dim_null.json"));
    QTest::keyClick(path, Qt::Key_Return);
    QVERIFY(dialog.isVisible()); // reads the file, does not close
    QTRY_VERIFY_WITH_TIMEOUT(okButton(dialog)->isEnabled(), waitMs);
    okButton(dialog)->setFocus();
    QTest::keyClick(okButton(dialog), Qt::Key_Return);
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
}

// Looks
// -----------------------------------------------------------------------------------------------------------------

void TestImportDialog::nothingIsCutOff_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<Theme>("theme");
    QTest::addColumn<double>("zoom");
    QTest::addColumn<QString>("file");
    for (const char *language : {"en", "zh"}) {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            for (const char *file : {"sharing_last_layers.json", "hybrid_one_based_lists.json",
                     "cross_encoder_decoder.json", "nested_class_defaults.json", "head_dim_missing_indivisible.json"})
                QTest::addRow("%s %s %s", language, theme == Theme::dark ? "dark" : "light", file)
                    << QString::fromLatin1(language) << theme << 1.0 << QString::fromLatin1(file);
        }
    }
    QTest::newRow("zh large nested_class_defaults.json")
        << QStringLiteral("zh") << Theme::light << 1.6 << QStringLiteral("nested_class_defaults.json");
}

void TestImportDialog::nothingIsCutOff()
{
    QFETCH(QString, language);
    QFETCH(Theme, theme);
    QFETCH(double, zoom);
    QFETCH(QString, file);
    i18n::installLanguage(language);
    applyAppearance(theme, zoom);
    ImportDialog dialog(inputFolder + file);
    dialog.show();
    auto *view = dialog.findChild<ImportedView *>();
    QTRY_VERIFY_WITH_TIMEOUT(dialog.model() || !view->refusal().isEmpty(), waitMs);
    QCoreApplication::sendPostedEvents();
    for (const QLabel *label : view->currentWidget()->findChildren<QLabel *>()) {
        if (label->isVisible() && label->wordWrap() && label->objectName() != QLatin1String("importWarnings"))
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }
    // Every column can be read to its end, by scrolling if need be.
    const QTreeView *tree = child<QTreeWidget>(dialog, "importedGroups");
    for (int column = 0; column < tree->model()->columnCount() && dialog.model(); ++column)
        QVERIFY(tree->columnWidth(column) >= static_cast<const QAbstractItemView *>(tree)->sizeHintForColumn(column));
    keepPicture(dialog, QStringLiteral("import ") + QString::fromUtf8(QTest::currentDataTag()).section(u'.', 0, -2));
}

QTEST_MAIN(TestImportDialog)
#include "tst_import_dialog.moc"
