// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a scenario as a list: number, title, what it did; done, current and coming steps look different.
// Left, Right, Home and End step from here.
#pragma once

#include <QAbstractListModel>
#include <QListView>
#include <QStyledItemDelegate>

namespace kvlab::ui {

class StepModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { SummaryRole = Qt::UserRole + 1 };
    using QAbstractListModel::QAbstractListModel;

    void setSteps(const QStringList &titles, const QStringList &summaries);
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QStringList m_titles;
    QStringList m_summaries;
};

class StepDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

class StepList : public QListView
{
    Q_OBJECT
public:
    explicit StepList(QWidget *parent = nullptr);
    void setSteps(const QStringList &titles, const QStringList &summaries);
    void setStep(int step);
    int step() const;

Q_SIGNALS:
    void stepChosen(int step);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void changeEvent(QEvent *event) override;

private:
    StepModel *m_model;
};

} // namespace kvlab::ui
