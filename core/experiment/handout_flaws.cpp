// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the handout's steps, in the order and with the numbers that the lab uses.
#include "experiment/handout.h"

#include <QCoreApplication>

namespace kvlab::experiment {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::experiment::HandoutFlaws)
};

using Place = HandoutPlace;

QList<HandoutFlaw> flawsOfPart2()
{
    return {{1, {Place::no_cache}, Texts::tr("The warm-up sends the very prompt that is then called NO CACHE."),
                Texts::tr("So NO CACHE is a hit, and a longer one than CACHED: warm up with another prompt.")},
        {2, {Place::different_prefix}, Texts::tr("The prompts compared are not equally long."),
            Texts::tr("DIFFERENT PREFIX has 2,016 tokens (Qwen2.5) and the others 1,156, so it computes 1.74 times as "
                      "much even "
                      "without any cache.")},
        {3, {Place::no_cache, Place::cached, Place::different_prefix}, Texts::tr("Each figure is one shot."),
            Texts::tr("Without repetition there is no spread, and two figures cannot be told apart from chance.")},
        {4, {Place::part2_script}, Texts::tr("The script takes choices[0] without looking whether there is one."),
            Texts::tr("It crashes on servers that send an event without choices, as many do for usage.")},
        {5, {Place::part2_script}, Texts::tr("The script stops reading at the first token."),
            Texts::tr(
                "That drops the connection, so every request opens a new one and the server is still busy with the "
                "answer before.")},
        {6, {Place::no_cache, Place::cached}, Texts::tr("Nothing proves a hit."),
            Texts::tr("Only the server knows what came from its cache: ask for usage and read cached_tokens.")}};
}

QList<HandoutFlaw> flawsOfServers()
{
    return {
        {7, {Place::part2_server}, Texts::tr("--enable-prefix-caching is on by default in vLLM's V1 engine."),
            Texts::tr("So the servers “before” and “after” are the same: --no-enable-prefix-caching makes the other.")},
        {8, {Place::part3_server}, Texts::tr("vLLM has no option --enable-lmcache."),
            Texts::tr("It ends with “unrecognized arguments”: LMCache is switched on with --kv-transfer-config.")},
        {9, {Place::part3_server}, Texts::tr("Part 3 starts a second server on port 8000."),
            Texts::tr(
                "Part 2's server, started with &, still holds that port: end it first, or choose another port.")}};
}

QList<HandoutFlaw> flawsOfPart3()
{
    return {{10, {Place::part3_first, Place::part3_second},
                Texts::tr("The time of the whole answer is printed as time to first token."),
                Texts::tr("Up to 100 tokens of decoding hide what the cache saves before the first one.")},
        {11, {Place::part3_second}, Texts::tr("The second request is answered by the prefix cache, not by LMCache."),
            Texts::tr("The GPU's own cache is looked at first: reset it, or switch it off, to see LMCache.")},
        {12, {Place::part3_first}, Texts::tr("LMCache never stores a prompt of fewer than 256 tokens."),
            Texts::tr("It works in chunks of 256: of this prompt's 400 shared tokens it keeps one chunk.")}};
}

QList<HandoutFlaw> flawsOfTheRest()
{
    return {
        {13, {Place::part1_table}, Texts::tr("DeepSeek-V3 is computed as if it kept keys and values for every head."),
            Texts::tr("It keeps one latent of 576 values per layer, so the table has 3.56 times too much.")},
        {14, {Place::part1_table}, Texts::tr("What the table calls GB is GiB."),
            Texts::tr("It divides by 1,024 three times; a GB has 1,000,000,000 bytes, 7 % fewer.")},
        {15, {Place::part1_table}, Texts::tr("One decimal prints 0.0 for the small model."),
            Texts::tr("Print more digits, or MiB.")},
        {16, {Place::warm_up, Place::no_cache, Place::cached},
            Texts::tr("The long prompt has 1,140 tokens (Qwen2.5), not about 1,500."),
            Texts::tr("Count with the model's own tokenizer instead of guessing from characters.")},
        {17, {Place::part2_script}, Texts::tr("sys.path.insert with a web address does nothing."),
            Texts::tr("Python imports nothing from there: install the package, or copy the file.")},
        {18, {Place::part2_server, Place::part3_server},
            Texts::tr("--host 0.0.0.0 without a key opens the server to the whole network."),
            Texts::tr("Use 127.0.0.1, or set --api-key.")},
        {19, {Place::warm_up, Place::no_cache, Place::cached, Place::different_prefix},
            Texts::tr("A second run of the script finds everything cached."),
            Texts::tr("Reset the cache, restart the server, or use fresh prompts before measuring again.")}};
}

} // namespace

QList<HandoutFlaw> handoutFlaws()
{
    return flawsOfPart2() + flawsOfServers() + flawsOfPart3() + flawsOfTheRest();
}

} // namespace kvlab::experiment
