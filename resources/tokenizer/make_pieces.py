#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes pieces.txt, the vocabulary of the practice engine's tokenizer. README.md beside this file names the sources.

usage: make_pieces.py SOURCES > pieces.txt

SOURCES is a folder that holds the unpacked Debian packages of README.md; the Python package wordfreq must be installed.
The same inputs give the same file.
"""
import argparse
import collections
import html
import pathlib
import re
import sys

import wordfreq

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
VOCABULARY = 24576  # with the 256 single bytes

# Terms of the lab's own prompts and of its subject, in the spelling in which they are asked about.
TERMS = """
什么是 你是 是一个 专业的 你的 的方式 基础设施 诗人 专家 知识 包括 架构 编程 容器 技术 模型 推理 优化 简洁 回答 问题 指令
缓存 前缀 显存 内存 命中 延迟 吞吐 令牌 词元 序列 长度 批量 注意力 请求 服务器 提示词 键值 引擎 上下文 大语言模型
system user assistant tool Hello You
GPU CPU CUDA AI KV LLM TTFT SSE SIMD API HTTP JSON CSV RAM SSD PCI Tensor Core token tokens cache caching prefix prompt
""".split()

# Words that no class should read in a generated answer.
UNFIT = "fuck|shit|bitch|cunt|nigg|whore|slut|faggot|^dicks?$|cock|pussy|porn|rape|nazi|sex|penis|vagina|boob|damn|bastard"
UNFIT_CHINESE = "妈的|他妈|操你|傻逼|婊|屌|妓|淫|性交|强奸|色情|做爱|裸|奸|尼玛|混蛋|王八|阴茎|乳房|自慰|卖淫|杀人|自杀|尸"

HAN = "\u4e00-\u9fff"
ASCII = [chr(code) for code in range(32, 127)]


def folder_text(folder: pathlib.Path, pattern: str) -> str:
    """Prose of all HTML files below a folder: tags, scripts and entities gone."""
    parts = []
    for path in sorted(folder.rglob(pattern)):
        if path.is_symlink() or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="ignore")
        text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>", " ", text)
        text = re.sub(r"<[^>]+>", "", text)
        parts.append(html.unescape(text))
    return "\n".join(parts)


def wordnet_text(folder: pathlib.Path) -> str:
    """The definitions and example sentences of WordNet: the only long English text here that is not about computers."""
    lines = []
    for name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        for line in (folder / name).read_text(encoding="utf-8", errors="ignore").splitlines():
            if " | " in line:
                lines.append(line.split(" | ", 1)[1].strip())
    return "\n".join(lines)


def per_million(counts: collections.Counter) -> dict:
    total = sum(counts.values())
    return {unit: count / total * 1e6 for unit, count in counts.items()}


def scowl_words(folder: pathlib.Path, kinds: tuple) -> set:
    words: set = set()
    for path in sorted(folder.glob("*")):
        kind, level = path.name.rsplit(".", 1)
        if kind in kinds and int(level) <= 60:
            words.update(path.read_text(encoding="latin-1").split())
    return words


def english_words(manuals: str, manual_share: float, scowl: pathlib.Path) -> collections.Counter:
    """Words as they are spelt within a sentence (paper, Thursday), per million: everyday English and the manuals mixed."""
    common = scowl_words(scowl, ("english-words", "american-words", "british-words"))
    names = {name.lower(): name for name in sorted(scowl_words(
        scowl, ("english-upper", "english-proper-names", "american-upper", "american-proper-names")), reverse=True)}
    technical = per_million(collections.Counter(word.lower() for word in re.findall(r"[A-Za-z]+", manuals)))
    frequencies = wordfreq.get_frequency_dict("en", wordlist="large")
    words: collections.Counter = collections.Counter()
    for word in sorted(set(technical) | {w for w, f in frequencies.items() if f >= 2e-7}):
        usual = word if word in common else names.get(word, word)
        everyday = frequencies.get(word, 0.0) * 1e6 if word in common or word in names else 0.0
        if re.fullmatch(r"[A-Za-z]+", usual) and not re.search(UNFIT, word):
            words[usual] += (1 - manual_share) * everyday + manual_share * technical.get(word, 0.0)
    return words


def english_units(words: collections.Counter) -> collections.Counter:
    """Words with the space before them, and at lower counts as they stand at the start of a sentence or line."""
    units: collections.Counter = collections.Counter()
    for word, count in words.items():
        units[" " + word] += count
        units[" " + word[0].upper() + word[1:]] += 0.03 * count
        units[word] += 0.015 * count
        units[word[0].upper() + word[1:]] += 0.015 * count
    return units


def english_joins(texts: list, wanted: int) -> list:
    """The commonest pairs and triples of short words (" of the", ", and"). They make up for rare words, which a vocabulary of
    this size must cut into more pieces than one ten times as large does."""
    saved: collections.Counter = collections.Counter()
    for text in texts:
        words = re.findall(r",? [a-z]{1,7}(?![A-Za-z])|[^ ]+", text)
        part: collections.Counter = collections.Counter()
        for i, word in enumerate(words):
            if word[0] == "," and len(word) > 1:
                part[word] += 1
            if word[0] not in " ,":
                continue
            if i + 1 < len(words) and words[i + 1][0] == " ":
                part[word + words[i + 1]] += 1
                if i + 2 < len(words) and words[i + 2][0] == " ":
                    part[word + words[i + 1] + words[i + 2]] += 2
        for join, count in part.items():
            saved[join] += count / len(words) * 1e6
    return [join for join, _ in saved.most_common(wanted)]


def cut_words(run: str, words) -> list:
    """Forward longest match against a word list."""
    cut, i = [], 0
    while i < len(run):
        size = next(s for s in (4, 3, 2, 1) if s == 1 or run[i:i + s] in words)
        cut.append(run[i:i + size])
        i += size
    return cut


def chinese_words(manuals: str, manual_share: float) -> collections.Counter:
    frequencies = {word: f for word, f in wordfreq.get_frequency_dict("zh", wordlist="large").items()
                   if re.fullmatch(f"[{HAN}]+", word)}
    seen = per_million(collections.Counter(
        piece for run in re.findall(f"[{HAN}]+", manuals) for piece in cut_words(run, frequencies)))
    words: collections.Counter = collections.Counter()
    for word in sorted(set(frequencies) | set(seen)):
        if re.search(UNFIT_CHINESE, word):
            continue
        words[word] = (1 - manual_share) * frequencies.get(word, 0.0) * 1e6 + manual_share * seen.get(word, 0.0)
    return words


def chinese_joins(text: str, words: collections.Counter) -> list:
    """Neighbours that are often written together: 的 and 了 behind a word, a comma before one, numbers, short phrases."""
    counts: collections.Counter = collections.Counter()
    for run in re.findall(f"，?[{HAN}]+", text):
        comma = run[0] == "，"
        cut = cut_words(run[comma:], words)
        if comma:
            counts["，" + cut[0]] += 1
        for left, right in zip(cut, cut[1:]):
            if len(left + right) <= 3:
                counts[left + right] += 1
    seen = [join for join, _ in counts.most_common(500)]
    usual = [word for word, _ in words.most_common(700) if not set(word) & set("的了，")]
    joins = [word + "的" for word in usual if len(word) == 2][:150]
    joins += ["，" + word for word in usual[:100]]
    joins += [verb + end for verb in "看听说想走吃做买来去到有出过给拿问写见打开坐" for end in ("了", "着", "过")]
    digits = "一二三四五六七八九"
    joins += ["十" + d for d in digits] + [d + "十" for d in digits] + [d + "百" for d in digits] + ["百分之"]
    return list(dict.fromkeys(seen + joins))


def chinese_pieces(words: collections.Counter, manuals: str, room: int) -> list:
    in_words: collections.Counter = collections.Counter()
    for word, count in words.items():
        for char in word:
            in_words[char] += count
    single = [char for char, _ in in_words.most_common(2600)]
    # A word of n characters that is one piece saves n - 1 tokens.
    saved = collections.Counter({w: n * (len(w) - 1) for w, n in words.items() if 2 <= len(w) <= 4})
    many = [word for word, _ in saved.most_common(30000)]
    return list(dict.fromkeys(single + chinese_joins(manuals, collections.Counter({w: words[w] for w in many + single})) + many))[:room]


class Matcher:
    """Greedy longest match, as the tokenizer itself does it."""

    def __init__(self, pieces):
        self.pieces = set(pieces)
        self.longest = max(map(len, self.pieces))

    def cut(self, text: str):
        i = 0
        while i < len(text):
            for size in range(min(self.longest, len(text) - i), 0, -1):
                if size == 1 or text[i:i + size] in self.pieces:
                    yield text[i:i + size]
                    i += size
                    break


def continuations(units: collections.Counter, known: list, wanted: int) -> list:
    """Pieces that shorten the words which are not pieces themselves: repeated merging of the best neighbouring pairs."""
    taken = set(known)
    found: list = []
    tail = [([unit], count) for unit, count in units.items() if unit not in taken and count >= 0.2]
    while len(found) < wanted:
        matcher = Matcher(taken.union(ASCII))
        tail = [(list(matcher.cut("".join(cut))), count) for cut, count in tail]
        pairs: collections.Counter = collections.Counter()
        for cut, count in tail:
            for left, right in zip(cut, cut[1:]):
                pairs[left + right] += count
        best = [piece for piece, _ in pairs.most_common(400) if piece not in taken][:50]
        found += best
        taken.update(best)
    return found[:wanted]


def characters() -> list:
    """Single characters beyond ASCII and Han that ordinary text holds."""
    ranges = [(0xA1, 0xFF), (0x3B1, 0x3C9), (0x2010, 0x2027), (0x2030, 0x203B), (0x2190, 0x2193),
              (0x2460, 0x2473), (0x2500, 0x2503), (0x25A0, 0x25A1), (0x25CB, 0x25CF), (0x2605, 0x2606), (0x3001, 0x3011),
              (0x3041, 0x3096), (0x30A1, 0x30FC), (0xFF01, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40), (0xFF5B, 0xFF5E)]
    single = [chr(code) for low, high in ranges for code in range(low, high + 1)]
    single += list("€£¥™≈≠≤≥×÷∞√∑∫∈∂")
    return [char for char in single if char.isprintable() and not char.isspace()]


def punctuation(text: str, wanted: int) -> list:
    counts: collections.Counter = collections.Counter()
    for run in re.findall(r" ?[^\sA-Za-z0-9" + HAN + r"]+", text):
        if 2 <= len(run) <= 4 and all(ord(char) < 0x2600 or 0x3000 <= ord(char) < 0xFFFF for char in run):
            counts[run] += 1
    return [piece for piece, _ in counts.most_common(wanted)]


def fixed_pieces() -> list:
    spaces = [" " * n for n in range(2, 17)] + ["\n" * n for n in range(2, 5)] + ["\t" * n for n in range(2, 5)]
    spaces += ["\r\n", "\r\n\r\n"] + ["\n" + " " * n for n in (2, 4, 8)]
    ends = [a + b for a in ".,:;!?{}()[]\"'>" for b in ("\n", "\n\n")] + [a + "\n" for a in "。，：；！？”」）"]
    contractions = [a + b for a in "'’" for b in ("s", "t", "re", "ve", "m", "ll", "d")]
    letters = [" " + char for char in ASCII if char != " " and not char.isdigit()]
    return spaces + ends + contractions + letters


def han_halves() -> list:
    """The first two of the three bytes of Han characters: a rare one is two tokens then, not three."""
    return sorted({chr(code).encode("utf-8")[:2] for code in range(0x4E00, 0xA000)})


def escape(piece: str) -> str:
    return piece.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t").replace(" ", "\\s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("--chinese-share", type=float, default=0.5)
    parser.add_argument("--joins", type=int, default=800)
    parser.add_argument("--continuations", type=int, default=1500)
    args = parser.parse_args()

    docs = args.sources
    python = [folder_text(docs / "python3.11-doc/usr/share/doc/python3.11/html" / part, "*.html")
              for part in ("tutorial", "howto", "library")]
    english = "\n".join([folder_text(docs / "debian-handbook", "en-US/*.html")] + python)
    chinese = folder_text(docs / "debian-handbook", "zh-CN/*.html") + folder_text(
        docs / "debian-reference-zh-cn", "*.zh-cn.html")

    pieces = fixed_pieces() + characters() + TERMS + [" " + term for term in TERMS if term.isascii()]
    pieces = list(dict.fromkeys(pieces + punctuation(english + chinese, 250)))
    halves = han_halves()
    room = VOCABULARY - 256 - len(SPECIAL) - len(halves) - len(pieces)

    han = chinese_pieces(chinese_words(chinese, 0.06), chinese, 20000)
    pieces += [piece for piece in han if piece not in set(pieces)][:int(room * args.chinese_share)]

    wordnet = wordnet_text(docs / "wordnet-base/usr/share/wordnet")
    pieces += [join for join in english_joins([wordnet, english], args.joins) if join not in set(pieces)]
    units = english_units(english_words(english, 0.12, docs / "scowl/usr/share/dict/scowl"))
    room = VOCABULARY - 256 - len(SPECIAL) - len(halves) - len(pieces)
    taken = set(pieces)
    chosen = [u for u, _ in units.most_common() if u not in taken and len(u.strip()) > 1][:room - args.continuations]
    chosen += continuations(units, pieces + chosen, args.continuations)
    pieces += chosen
    print(f"{len(pieces)} pieces, {len(chosen)} of them English", file=sys.stderr)

    for piece in SPECIAL:
        print(piece)
    for half in halves:
        print("".join(f"\\x{byte:02x}" for byte in half))
    for piece in pieces:
        print(escape(piece))


if __name__ == "__main__":
    main()
