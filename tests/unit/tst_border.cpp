// SPDX-License-Identifier: GPL-3.0-or-later
// The borders between rooms: core/ sees Qt Core and Network only, rooms include each other's doors in the allowed
// direction only, and every source file names its licence. The checker is first shown texts that it must object to.
#include <QLibraryInfo>
#include <QMap>
#include <QRegularExpression>
#include <QtTest>

namespace {

/// Which rooms a room may see: its own, and these.
const QMap<QString, QStringList> &allowedRooms()
{
    static const auto list
        = [](const char *names) { return QString::fromLatin1(names).split(u' ', Qt::SkipEmptyParts); };
    static const QMap<QString, QStringList> rooms{
        {QStringLiteral("i18n"), {}},
        {QStringLiteral("memory"), {}},
        {QStringLiteral("probe"), {}},
        {QStringLiteral("servers"), list("memory probe experiment")},
        {QStringLiteral("experiment"), list("memory probe")},
        // Rules without data: everybody may ask them, they ask nobody.
        // The engine meets the probe over HTTP only, and is never linked into the measuring path.
        {QStringLiteral("prefix"), {}},
        {QStringLiteral("engine"), list("memory prefix")},
        {QStringLiteral("lab"), list("memory probe experiment")},
        {QStringLiteral("session"), list("memory prefix probe experiment servers lab")},
        {QStringLiteral("ui"), list("i18n memory prefix probe servers experiment session lab")},
        {QStringLiteral("app"), list("i18n memory prefix probe servers experiment engine session lab ui")},
    };
    return rooms;
}

/// A file of the tree, or a made-up one.
struct Source
{
    QString path; ///< below the project's folder: "core/memory/bytes.h"
    QString text;
};

bool isCore(const Source &source)
{
    return source.path.startsWith(QLatin1String("core/"));
}

/// "core/memory/x.h" → memory, "ui/measure/x.h" → ui; empty for tests, which may see everything.
QString roomOf(const QString &path)
{
    const QStringList parts = path.split(u'/');
    if (parts.size() > 2 && parts.constFirst() == QLatin1String("core"))
        return parts.at(1);
    const QString first = parts.constFirst();
    return first == QLatin1String("ui") || first == QLatin1String("app") ? first : QString();
}

/// The room that an included path belongs to ("memory/bytes.h", "../probe/probe_client.h"); empty when to none.
QString includedRoom(const QString &included)
{
    for (const QString &part : included.split(u'/').mid(0, included.count(u'/'))) {
        if (allowedRooms().contains(part))
            return part;
    }
    return {};
}

/// Qt Core and Network are known by what lies in their include folders, so no list of forbidden classes can be
/// incomplete.
bool isCoreOrNetworkHeader(const QString &included)
{
    const QString headers = QLibraryInfo::path(QLibraryInfo::HeadersPath);
    for (const QString &module : {QStringLiteral("QtCore"), QStringLiteral("QtNetwork")}) {
        const QString name = included.startsWith(module + u'/') ? included.mid(module.size() + 1) : included;
        if (QFileInfo(headers + u'/' + module + u'/' + name).isFile())
            return true;
    }
    return false;
}

QStringList includesOf(const QString &text)
{
    static const QRegularExpression include(
        QLatin1String(R"(^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])"), QRegularExpression::MultilineOption);
    QStringList includes;
    for (auto match = include.globalMatch(text); match.hasNext();)
        includes << match.next().captured(1);
    return includes;
}

QString complaintAboutInclude(const Source &source, const QString &included)
{
    static const QRegularExpression qt(QLatin1String(R"(^(Qt[A-Z]\w*(/.*)?|Q[A-Z]\w*|q[a-z]\w*\.h)$)"));
    const QString what = source.path + QStringLiteral(" includes ") + included;
    if (isCore(source) && qt.match(included).hasMatch() && !isCoreOrNetworkHeader(included))
        return what + QStringLiteral(": core/ sees Qt Core and Network only");
    const QString from = roomOf(source.path);
    const QString to = includedRoom(included);
    if (from.isEmpty() || to.isEmpty() || from == to)
        return {};
    if (!allowedRooms().value(from).contains(to))
        return what + QStringLiteral(": this room may not see that one");
    if (!included.endsWith(QLatin1String(".h")) || included.contains(QLatin1String("..")))
        return what + QStringLiteral(": only doors (room/header.h) are included from other rooms");
    return {};
}

QStringList complaintsAboutSource(const Source &source)
{
    QStringList complaints;
    if (!source.text.startsWith(QLatin1String("// SPDX-License-Identifier: GPL-3.0-or-later\n")))
        complaints << source.path + QStringLiteral(" does not begin with its licence");
    const QString room = roomOf(source.path);
    if (!room.isEmpty() && !allowedRooms().contains(room))
        complaints << source.path + QStringLiteral(" lies in a room that has no rule here");
    for (const QString &included : includesOf(source.text)) {
        if (const QString complaint = complaintAboutInclude(source, included); !complaint.isEmpty())
            complaints << complaint;
    }
    return complaints;
}

/// Link lines of core/**/CMakeLists.txt: Qt modules and other rooms.
QStringList complaintsAboutBuild(const Source &source)
{
    static const QRegularExpression module(QLatin1String(R"(Qt6?::([A-Z]\w+))"));
    static const QRegularExpression target(QLatin1String(R"(\bkvlab_([a-z0-9]+)\b)"));
    QStringList complaints;
    for (auto match = module.globalMatch(source.text); match.hasNext();) {
        const QString name = match.next().captured(1);
        if (name != QLatin1String("Core") && name != QLatin1String("Network"))
            complaints << source.path + QStringLiteral(" links Qt module ") + name;
    }
    const QString from = roomOf(source.path);
    for (auto match = target.globalMatch(source.text); match.hasNext();) {
        const QString to = match.next().captured(1);
        const bool is_room = allowedRooms().contains(to);
        if (is_room && to != from && !allowedRooms().value(from).contains(to))
            complaints << source.path + QStringLiteral(" links the room ") + to;
    }
    return complaints;
}

QStringList filesBelow(const QString &folder, const QStringList &patterns)
{
    const QDir root(QStringLiteral(KVLAB_SOURCE_DIR));
    QStringList paths;
    QDirIterator files(root.filePath(folder), patterns, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        paths << root.relativeFilePath(files.next());
    paths.sort();
    return paths;
}

Source read(const QString &path)
{
    QFile file(QDir(QStringLiteral(KVLAB_SOURCE_DIR)).filePath(path));
    if (!file.open(QIODevice::ReadOnly))
        return {path, {}};
    return {path, QString::fromUtf8(file.readAll()).remove(u'\r')};
}

const QString licence = QStringLiteral("// SPDX-License-Identifier: GPL-3.0-or-later\n");

} // namespace

class TestBorder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void badSourcesAreCaught_data();
    void badSourcesAreCaught();
    void goodSourcesPass();
    void badBuildFilesAreCaught();
    void sourcesKeepTheBorders();
    void buildFilesKeepTheBorders();
};

void TestBorder::badSourcesAreCaught_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *path, const char *line) {
        QTest::newRow(line) << QString::fromLatin1(path) << QString::fromLatin1(line);
    };
    row("core/memory/x.cpp", "#include <QWidget>");
    row("core/memory/x.cpp", "#include <QColor>");
    row("core/memory/x.h", "#include <QtGui/QPainter>");
    row("core/session/x.cpp", "  #  include <QtWidgets>");
    row("core/session/x.cpp", "#include <QtCharts/QChart>");
    row("core/session/x.cpp", "#include <QSvgRenderer>");
    row("core/session/x.cpp", "#include <qapplication.h>");
    row("core/session/x.cpp", "#include \"ui/main_window.h\"");
    row("core/memory/x.cpp", "#include \"probe/probe_sample.h\"");
    row("core/probe/x.cpp", "#include \"memory/bytes.h\"");
    row("core/probe/x.cpp", "#include \"../memory/bytes.h\"");
    row("core/memory/x.cpp", "#include \"session/csv.h\"");
    row("core/experiment/x.cpp", "#include \"session/session.h\"");
    row("core/experiment/x.cpp", "#include \"engine/engine.h\"");
    row("core/engine/x.cpp", "#include \"probe/probe_client.h\"");
    row("core/prefix/x.cpp", "#include \"engine/engine.h\"");
    row("core/prefix/x.cpp", "#include \"memory/bytes.h\"");
    row("core/probe/x.cpp", "#include \"prefix/block_pool.h\"");
    row("core/engine/x.cpp", "#include \"experiment/summary.h\"");
    row("core/servers/x.cpp", "#include \"session/session.h\"");
    row("core/experiment/x.cpp", "#include \"servers/server_watch.h\"");
    row("core/session/x.cpp", "#include \"engine/engine.h\"");
    row("core/session/x.cpp", "#include \"memory/bytes.cpp\"");
    row("core/session/x.cpp", "#include \"../memory/bytes.h\"");
    row("ui/measure/x.cpp", "#include \"engine/engine_server.h\"");
    row("core/newroom/x.cpp", "int new_room;");
}

void TestBorder::badSourcesAreCaught()
{
    QFETCH(QString, path);
    QFETCH(QString, line);
    QCOMPARE(complaintsAboutSource({path, licence + line + u'\n'}).size(), 1);
    // The same without a licence has one fault more.
    QCOMPARE(complaintsAboutSource({path, line + u'\n'}).size(), 2);
}

void TestBorder::goodSourcesPass()
{
    const QString includes
        = QStringLiteral("#include \"memory/bytes.h\"\n#include <QString>\n#include <QtCore/QObject>\n"
                         "#include <QTcpSocket>\n#include <qglobal.h>\n#include <vector>\n"
                         "// #include <QWidget>\n#include <boost/multiprecision/cpp_int.hpp>\n");
    QCOMPARE(complaintsAboutSource({QStringLiteral("core/session/x.cpp"), licence + includes}), QStringList());
    QCOMPARE(complaintsAboutSource({QStringLiteral("ui/memory/x.cpp"),
                 licence + includes + QStringLiteral("#include <QWidget>\n#include \"memory/x.h\"\n")}),
        QStringList());
    QCOMPARE(
        complaintsAboutSource({QStringLiteral("tests/unit/x.cpp"), licence + QStringLiteral("#include <QtTest>\n")}),
        QStringList());
}

void TestBorder::badBuildFilesAreCaught()
{
    const auto complaints = [](const char *path, const char *text) {
        return complaintsAboutBuild({QString::fromLatin1(path), QString::fromLatin1(text)}).size();
    };
    QCOMPARE(complaints("core/CMakeLists.txt", "target_link_libraries(x PUBLIC Qt6::Core Qt6::Gui)"), 1);
    QCOMPARE(complaints("core/session/CMakeLists.txt", "LINK Qt6::Widgets Qt::Svg kvlab_memory)"), 2);
    QCOMPARE(complaints("core/memory/CMakeLists.txt", "LINK kvlab_probe)"), 1);
    QCOMPARE(complaints("core/experiment/CMakeLists.txt", "LINK kvlab_engine kvlab_session kvlab_ui)"), 3);
    QCOMPARE(
        complaints("core/session/CMakeLists.txt", "kvlab_core_room(session LINK kvlab_memory kvlab_config Qt6::Core)"),
        0);
}

void TestBorder::sourcesKeepTheBorders()
{
    QStringList complaints;
    int files = 0;
    for (const QString &folder :
        {QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app"), QStringLiteral("tests")}) {
        for (const QString &path : filesBelow(folder, {QStringLiteral("*.cpp"), QStringLiteral("*.h")})) {
            complaints << complaintsAboutSource(read(path));
            ++files;
        }
    }
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join(u'\n')));
    QVERIFY(files > 50);
}

void TestBorder::buildFilesKeepTheBorders()
{
    const QStringList paths
        = filesBelow(QStringLiteral("core"), {QStringLiteral("CMakeLists.txt"), QStringLiteral("*.cmake")});
    QVERIFY(paths.size() > 6);
    QStringList complaints;
    for (const QString &path : paths)
        complaints << complaintsAboutBuild(read(path));
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join(u'\n')));
}

QTEST_GUILESS_MAIN(TestBorder)
#include "tst_border.moc"
