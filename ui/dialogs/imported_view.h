// SPDX-License-Identifier: GPL-3.0-or-later
// What was understood of a model's file: its groups of layers, each value with the field it came from, what a token
// costs, and what to be careful about; or the sentence that refuses it.
#pragma once

#include "memory/importers/model_import.h"

#include <QStackedWidget>

class QFormLayout;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace kvlab::ui {

class ImportedView : public QStackedWidget
{
    Q_OBJECT
public:
    explicit ImportedView(QWidget *parent = nullptr);

    /// What is to be done, before there is a result.
    void showNothing();
    void showReading(const QString &name);
    void showResult(const memory::ImportResult &result);
    /// The refusal that is shown; empty when none is.
    QString refusal() const;

protected:
    void changeEvent(QEvent *event) override;
    /// Watches the width of the tree.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setupMessage();
    void setupModel();
    void showMessage(const QString &text, bool is_refusal);
    void fillFigures(const memory::ImportedModel &imported);
    void fillGroups(const memory::ModelSpec &model);
    void fitColumns();
    void fitWarnings();
    void addValues(QTreeWidgetItem *item, const memory::CacheSpec &cache, const QMap<QString, QString> &sources);
    void fillWarnings(const memory::ImportedModel &imported);

    QLabel *m_message = nullptr;
    QLabel *m_messageIcon = nullptr;
    QLabel *m_name = nullptr;
    QWidget *m_figures = nullptr;
    QFormLayout *m_figuresLayout = nullptr;
    QTreeWidget *m_groups = nullptr;
    QLabel *m_warnings = nullptr;
    QLabel *m_warningIcon = nullptr;
    QWidget *m_warningArea = nullptr;
    std::optional<memory::ImportResult> m_result;
};

} // namespace kvlab::ui
