// SPDX-License-Identifier: GPL-3.0-or-later
// The models that are on this computer, looked for in a thread of its own that can be stopped.
#pragma once

#include "memory/importers/local_models.h"

#include <QWidget>

#include <atomic>
#include <memory>

class QLabel;
class QPushButton;
class QThread;
class QTreeWidget;

namespace kvlab::ui {

class LocalModelList : public QWidget
{
    Q_OBJECT
public:
    explicit LocalModelList(QWidget *parent = nullptr);
    ~LocalModelList() override;

    /// Looks again; an earlier search is stopped, and what it finds does not count any more.
    void search(const memory::LocalModelPlaces &places);
    /// Ends the search soon; what was found so far is shown then.
    void stop();
    bool isSearching() const { return m_search != nullptr; }

Q_SIGNALS:
    void chosen(const QString &path);
    void searched();

protected:
    /// The first time that it is seen it begins to look in the usual places.
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    /// What a search shares with its thread.
    struct Search
    {
        std::atomic_bool is_stopped = false;
        QList<memory::LocalModel> found; ///< to be read once the thread has ended
    };

    void setupLayout();
    void retranslate();
    void showFound(const Search &search);

    QTreeWidget *m_list = nullptr;
    QLabel *m_state = nullptr;
    QPushButton *m_button = nullptr; ///< Stop while it looks, Look again afterwards
    memory::LocalModelPlaces m_places;
    std::shared_ptr<Search> m_search; ///< none while nothing is looked for
    QList<QThread *> m_threads; ///< the current one, and stopped ones that have not ended yet
    bool m_was_stopped = false;
    bool m_has_searched = false;
};

} // namespace kvlab::ui
