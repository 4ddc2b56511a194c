"""Reads the training data: statements with their readings, pairs of statements and stories, each with its author."""

import json
import random
from pathlib import Path

RELATIONS = ["repetition", "update", "different"]
# In the order of the head's outputs.
AREAS = "self people home work alert health medicine carers help abilities food habits manner plans worries codes".split()
ABOUT = ["self", "other", "nobody"]
# What a statement's author did not say of it.
UNKNOWN = {"fact": None, "lasting": None, "alone": None, "about": None, "area": None}
SEPARATOR = " [SEP] "
ASSISTANT_WORDS = 24
# A life has more statements than a story, and more that have nothing to do with each other.
PERSON_FACTOR = 3


def read_all(folder: Path, kind: str) -> list:
    items = []
    for path in sorted(folder.glob(f"{kind}*.json")):
        items += json.loads(path.read_text(encoding="utf-8"))
    return items


def shorten(text: str) -> str:
    words = text.split()
    return " ".join(words[-ASSISTANT_WORDS:])


def reading_text(item: dict, rng: random.Random | None = None) -> str:
    """A statement after the words before it. In training these are left out now and then: not every caller has them."""
    before = item["before"] if rng is None or rng.random() < 0.75 else None
    return item["text"] if before is None else before + SEPARATOR + item["text"]


def substance_text(turns: list) -> str:
    """What a person says, each turn after the end of what it answers. The product writes it in the same way."""
    parts = []
    before = None
    for turn in turns:
        if turn["who"] == "assistant":
            before = turn["text"]
        else:
            parts.append(turn["text"] if before is None else shorten(before) + SEPARATOR + turn["text"])
            before = None
    return "\n".join(parts)


class Data:
    """`authors`: names of folders; every item knows its author, so that authors can be held out. The trust benchmark is
    one more author, "trust"."""

    def __init__(self, root: Path, trust: Path | None, rows: dict):
        self.pairs, self.stories, self.persons = list(rows["pairs"]), [], []
        self.readings = [{**UNKNOWN, **row} for row in rows["readings"]]
        for folder in sorted(path for path in root.iterdir() if path.is_dir()):
            author = folder.name
            for item in read_all(folder, "substance"):
                self._told(author, substance_text(item["turns"]), item["keep"])
            for chat in read_all(folder, "chats"):
                for session in chat["sessions"]:
                    before = None
                    for turn in session["turns"]:
                        if "keep" in turn:
                            self._told(author, turn["text"], turn["keep"], None if before is None else shorten(before))
                        before = turn["text"]
            for item in read_all(folder, "pairs"):
                self.pairs.append({"author": author, **item})
            for story in read_all(folder, "stories"):
                self.stories.append({"author": author, **story})
            for item in read_all(folder, "areas"):
                self._placed(author, item)
            for person in read_all(folder, "persons"):
                self.persons.append({"author": author, **person})
                for said in person["statements"]:
                    self._placed(author, said)
        if trust is not None:
            self._read_trust(trust)
        self.authors = sorted({item["author"] for item in self.readings + self.pairs + self.stories})

    def _told(self, author: str, text: str, keep: bool, before: str | None = None):
        """Whether people told something worth knowing later."""
        self.readings.append({**UNKNOWN, "author": author, "text": text, "before": before, "fact": int(keep)})

    def _placed(self, author: str, item: dict):
        """Where a statement belongs that lasts; what does not last is passing."""
        lasts = item["area"] != "passing"
        told = {"fact": 1, "area": item["area"]} if lasts else {}
        self.readings.append({**UNKNOWN, "author": author, "text": item["text"], "before": None, "lasting": int(lasts), **told})

    def _read_trust(self, folder: Path):
        author = "trust"
        read = lambda part: json.loads((folder / f"{part}.json").read_text(encoding="utf-8"))
        for item in read("substance"):
            self._told(author, substance_text(item["turns"]), item["keep"])
        for item in read("pairs"):
            self.pairs.append({"author": author, **{key: item[key] for key in ("first", "second", "daysApart", "relation")}})
        for story in read("corrections"):
            questions = [{**question, "gold": question["current"], "answerable": True} for question in story["questions"]]
            self.stories.append({"author": author, "statements": story["statements"], "questions": questions})
        for story in read("unanswerable"):
            questions = [{**question, "outdated": [], "answerable": bool(question["gold"])} for question in story["questions"]]
            self.stories.append({"author": author, "statements": story["statements"], "questions": questions})


def relation_items(pairs: list, stories: list, persons: list, rng: random.Random, others: int) -> list:
    """Pairs as they are, and pairs of statements of a story or a life: what a question names as outdated, or what is said
    to have ended, is an update."""
    items = []
    for pair in pairs:
        first, second, relation = pair["first"], pair["second"], pair["relation"]
        items.append((first + SEPARATOR + second, RELATIONS.index(relation), pair.get("weight", 1.0)))
        # Pairs as the product draws them, in its own shares, teach how seldom one ends another.
        if pair.get("drawn"):
            continue
        if relation != "update" and rng.random() < 0.5:
            items.append((second + SEPARATOR + first, RELATIONS.index(relation), 0.5))
        if rng.random() < 0.1:
            items.append((first + SEPARATOR + first, 0, 0.5))
    for story in stories:
        texts = [statement["text"] for statement in story["statements"]]
        items += told_relations(texts, *story_pairs(story), rng, others)
    for person in persons:
        texts = [statement["text"] for statement in person["statements"]]
        items += told_relations(texts, *person_pairs(person), rng, PERSON_FACTOR * others)
    return items


def story_pairs(story: dict):
    """Which statements of a story made others outdated, and which pairs no question connects; indices, older first."""
    texts = [statement["text"] for statement in story["statements"]]
    updates, related = set(), set()
    for question in story["questions"]:
        gold, outdated = question["gold"], question["outdated"]
        for old in outdated:
            for new in gold:
                if old < new:
                    updates.add((old, new))
        group = gold + outdated
        related |= {(a, b) for a in group for b in group}
    others = [(a, b) for b in range(len(texts)) for a in range(b) if (a, b) not in related]
    return sorted(updates), others


def person_pairs(person: dict):
    """Likewise for what somebody told over months: the one that ended a statement, and all that did not. What came of
    a chain of changes is left out."""
    said = person["statements"]
    updates = [(i, one["endedBy"]) for i, one in enumerate(said) if one["endedBy"] is not None]
    ended = dict(updates)
    related = set(updates)
    for i in ended:
        later = i
        while later in ended:
            later = ended[later]
            related.add((i, later))
    lasting = [i for i, one in enumerate(said) if one["area"] != "passing"]
    others = [(a, b) for b in range(len(said)) for a in lasting if a < b and (a, b) not in related]
    return updates, others


def told_relations(texts: list, updates: list, others: list, rng: random.Random, count: int) -> list:
    others.sort(key=lambda pair: -overlap(texts[pair[0]], texts[pair[1]]))
    half = count // 2
    chosen = others[:half] + rng.sample(others[half:], min(half, max(0, len(others) - half)))
    joined = lambda pair: texts[pair[0]] + SEPARATOR + texts[pair[1]]
    return [(joined(pair), 1, 0.7) for pair in updates] + [(joined(pair), 2, 0.5) for pair in chosen]


def overlap(a: str, b: str) -> float:
    x, y = set(a.lower().split()), set(b.lower().split())
    return len(x & y) / max(1, len(x | y))


def relevance_items(stories: list, weights: list, rng: random.Random, negatives: int) -> list:
    """Every question with what answers it and with others of its story; what was true before is left out."""
    items = []
    rest = iter(weights)
    for story in stories:
        texts = [statement["text"] for statement in story["statements"]]
        for question in story["questions"]:
            weight = next(rest)
            asked, gold = question["question"], question["gold"]
            others = [i for i in range(len(texts)) if i not in gold and i not in question["outdated"]]
            others.sort(key=lambda i: -overlap(asked, texts[i]))
            half = negatives // 2
            chosen = others[:half] + rng.sample(others[half:], min(half, max(0, len(others) - half)))
            items += [(asked + SEPARATOR + texts[i], 1.0, 3.0 * weight) for i in gold]
            items += [(asked + SEPARATOR + texts[i], 0.0, weight) for i in chosen]
    return items
