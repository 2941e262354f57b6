<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>RunTexts</name>
    <message numerus="yes">
        <source>%n sample(s) left out.</source>
        <translation>
            <numerusform>%n sample left out.</numerusform>
            <numerusform>%n samples left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) failed.</source>
        <translation>
            <numerusform>%n sample failed.</numerusform>
            <numerusform>%n samples failed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message numerus="yes">
        <source>The last of %n event(s) with text arrived %1 after t0.</source>
        <translation>
            <numerusform>The last of %n event with text arrived %1 after t0.</numerusform>
            <numerusform>The last of %n events with text arrived %1 after t0.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TtftChart</name>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>experiment</name>
    <message numerus="yes">
        <source>%n sample(s) failed and are not counted.</source>
        <translation>
            <numerusform>%n sample failed and is not counted.</numerusform>
            <numerusform>%n samples failed and are not counted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) are shown but not counted, because their times cannot be trusted.</source>
        <translation>
            <numerusform>%n sample is shown but not counted, because its time cannot be trusted.</numerusform>
            <numerusform>%n samples are shown but not counted, because their times cannot be trusted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::servers::LaunchCommand</name>
    <message numerus="yes">
        <source>llama-server divides the context among its slots: each gets %n token(s).</source>
        <translation>
            <numerusform>llama-server divides the context among its slots: each gets %n token.</numerusform>
            <numerusform>llama-server divides the context among its slots: each gets %n tokens.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BlockTexts</name>
    <message numerus="yes">
        <source>%n request(s)</source>
        <translation>
            <numerusform>%n request</numerusform>
            <numerusform>%n requests</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::HitTexts</name>
    <message numerus="yes">
        <source>%n request(s) replayed.</source>
        <translation>
            <numerusform>%n request replayed.</numerusform>
            <numerusform>%n requests replayed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) did not fit the pool.</source>
        <translation>
            <numerusform>%n request did not fit the pool.</numerusform>
            <numerusform>%n requests did not fit the pool.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) could not be used:</source>
        <translation>
            <numerusform>%n line could not be used:</numerusform>
            <numerusform>%n lines could not be used:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ImportedView</name>
    <message numerus="yes">
        <source>Full attention, %n layer(s)</source>
        <translation>
            <numerusform>Full attention, %n layer</numerusform>
            <numerusform>Full attention, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sliding window, %n layer(s)</source>
        <translation>
            <numerusform>Sliding window, %n layer</numerusform>
            <numerusform>Sliding window, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Chunked attention, %n layer(s)</source>
        <translation>
            <numerusform>Chunked attention, %n layer</numerusform>
            <numerusform>Chunked attention, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>MLA latents, %n layer(s)</source>
        <translation>
            <numerusform>MLA latents, %n layer</numerusform>
            <numerusform>MLA latents, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Indexer keys, %n layer(s)</source>
        <translation>
            <numerusform>Indexer keys, %n layer</numerusform>
            <numerusform>Indexer keys, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compressed attention, %n layer(s)</source>
        <translation>
            <numerusform>Compressed attention, %n layer</numerusform>
            <numerusform>Compressed attention, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fixed state, %n layer(s)</source>
        <translation>
            <numerusform>Fixed state, %n layer</numerusform>
            <numerusform>Fixed state, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cross attention, %n layer(s)</source>
        <translation>
            <numerusform>Cross attention, %n layer</numerusform>
            <numerusform>Cross attention, %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No cache of their own, %n layer(s)</source>
        <translation>
            <numerusform>No cache of their own, %n layer</numerusform>
            <numerusform>No cache of their own, %n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::KeepsDialog</name>
    <message numerus="yes">
        <source>%n request(s) done; how many there will be depends on the answers.</source>
        <translation>
            <numerusform>%n request done; how many there will be depends on the answers.</numerusform>
            <numerusform>%n requests done; how many there will be depends on the answers.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::LocalModelList</name>
    <message numerus="yes">
        <source>Stopped; %n model(s) found so far.</source>
        <translation>
            <numerusform>Stopped; %n model found so far.</numerusform>
            <numerusform>Stopped; %n models found so far.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) found.</source>
        <translation>
            <numerusform>%n model found.</numerusform>
            <numerusform>%n models found.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MainWindow</name>
    <message numerus="yes">
        <source> – about %n s left</source>
        <translation>
            <numerusform> – about %n s left</numerusform>
            <numerusform> – about %n s left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Finished: %n sample(s).</source>
        <translation>
            <numerusform>Finished: %n sample.</numerusform>
            <numerusform>Finished: %n samples.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>KV Cache Lab ended unexpectedly. A copy of “%1” of %2 is there: %3 rows, %n sample(s).</source>
        <translation>
            <numerusform>KV Cache Lab ended unexpectedly. A copy of “%1” of %2 is there: %3 rows, %n sample.</numerusform>
            <numerusform>KV Cache Lab ended unexpectedly. A copy of “%1” of %2 is there: %3 rows, %n samples.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MemoryTableModel</name>
    <message numerus="yes">
        <source>Duplicate %n rows</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>Duplicate %n row</numerusform>
            <numerusform>Duplicate %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n rows</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>Remove %n row</numerusform>
            <numerusform>Remove %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Paste %n row(s)</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>Paste %n row</numerusform>
            <numerusform>Paste %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n row(s) up</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>Move %n row up</numerusform>
            <numerusform>Move %n rows up</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n row(s) down</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>Move %n row down</numerusform>
            <numerusform>Move %n rows down</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::PlanDialog</name>
    <message numerus="yes">
        <source>%n sample(s) in all</source>
        <translation>
            <numerusform>%n sample in all</numerusform>
            <numerusform>%n samples in all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>own text, %n character(s)</source>
        <translation>
            <numerusform>own text, %n character</numerusform>
            <numerusform>own text, %n characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n character(s)</source>
        <comment>a file&apos;s name</comment>
        <translation>
            <numerusform>%1, %n character</numerusform>
            <numerusform>%1, %n characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n in each round</source>
        <comment>%1 samples in all</comment>
        <translation>
            <numerusform>%1, %n in each round</numerusform>
            <numerusform>%1, %n in each round</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::SamplesView</name>
    <message numerus="yes">
        <source>%n sample(s), newest first</source>
        <translation>
            <numerusform>%n sample, newest first</numerusform>
            <numerusform>%n samples, newest first</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n sample</numerusform>
            <numerusform>%n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ServerCheckDialog</name>
    <message numerus="yes">
        <source>Recognised: %1. %n figure(s).</source>
        <translation>
            <numerusform>Recognised: %1. %n figure.</numerusform>
            <numerusform>Recognised: %1. %n figures.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier start(s) passed over.</source>
        <translation>
            <numerusform>%n earlier start passed over.</numerusform>
            <numerusform>%n earlier starts passed over.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::SizeChart</name>
    <message numerus="yes">
        <source>%1 %n more row(s) are left out, because they could not be told apart.</source>
        <comment>%1 is a whole sentence</comment>
        <translation>
            <numerusform>%1 %n more row is left out, because it could not be told apart.</numerusform>
            <numerusform>%1 %n more rows are left out, because they could not be told apart.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TermsBar</name>
    <message numerus="yes">
        <source>%1, %n layer(s): %2 %</source>
        <comment>kind of cache and its share</comment>
        <translation>
            <numerusform>%1, %n layer: %2 %</numerusform>
            <numerusform>%1, %n layers: %2 %</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TiersPage</name>
    <message numerus="yes">
        <source>All %n sample(s) found exactly what was predicted, in pool, RAM or disk.</source>
        <translation>
            <numerusform>%n sample found exactly what was predicted, in pool, RAM or disk.</numerusform>
            <numerusform>All %n samples found exactly what was predicted, in pool, RAM or disk.</numerusform>
        </translation>
    </message>
</context>
</TS>
