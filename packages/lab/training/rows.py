"""What `rows.mjs` cut, and the older data beside it, as items for each task; each knows its author."""

import json
import random
from pathlib import Path

from encoder import RELATIONS

KNOWN = ("fact", "lasting", "alone", "about", "area", "kind")
NAMES = {"repetition": "repeats", "update": "ends", "different": "other"}
BEFORE_WORDS = 24


def read_all(folder, kind):
    items = []
    for path in sorted(folder.glob(f"{kind}*.json")):
        items += json.loads(path.read_text(encoding="utf-8"))
    return items


def label(**known):
    return {**dict.fromkeys(KNOWN), **known}


def window(text, known, before=None):
    return {"before": before, "isAnswer": False, "texts": [text], "labels": [known], "who": "user"}


def full_text(person, place):
    """A statement with the question that it answers."""
    i, w, s = place
    one = person["interactions"][i][w]
    return f"{one['before']} {one['texts'][s]}" if one["isAnswer"] and s == 0 else one["texts"][s]


def statements(person):
    for i, windows in enumerate(person["interactions"]):
        for w, one in enumerate(windows):
            for s in range(len(one["texts"])):
                yield i, w, s


def words_of(text):
    return {word.strip(".,!?;:()'\"") for word in text.lower().split()}


class Rows:
    def __init__(self, cut, data, trust, seed=1):
        self.random = random.Random(seed)
        self.people = json.loads(Path(cut).read_text(encoding="utf-8"))
        self.windows, self.pairs = [], []
        for person in self.people:
            for i, windows in enumerate(person["interactions"]):
                for one in windows:
                    one["author"], one["interaction"] = person["author"], i
                    if any(known is not None for known in one["labels"]):
                        self.windows.append({**one, "weight": 1.0})
            self.pairs += self.pairs_of(person)
        folders = sorted(path for path in Path(data).iterdir() if path.is_dir())
        for folder in folders + ([Path(trust)] if trust else []):
            self.read_older("trust" if trust and folder == Path(trust) else folder.name, folder)
        self.authors = sorted({one["author"] for one in self.windows + self.pairs + self.people})

    def read_older(self, author, folder):
        told = lambda text, keep, before=None: self.windows.append({**window(text, label(fact=int(keep)), before), "author": author, "weight": 0.5})
        for item in read_all(folder, "substance"):
            before = None
            for turn in item["turns"]:
                # Of a longer exchange it is not said which turn tells something.
                if turn["who"] != "assistant" and (len([t for t in item["turns"] if t["who"] != "assistant"]) == 1 or not item["keep"]):
                    told(turn["text"], item["keep"], before)
                before = " ".join(turn["text"].split()[-BEFORE_WORDS:])
        for chat in read_all(folder, "chats"):
            for session in chat["sessions"]:
                before = None
                for turn in session["turns"]:
                    if "keep" in turn:
                        told(turn["text"], turn["keep"], before)
                    before = " ".join(turn["text"].split()[-BEFORE_WORDS:])
        for item in read_all(folder, "areas"):
            lasts = item["area"] != "passing"
            known = label(fact=1, area=item["area"], lasting=1) if lasts else label(lasting=0)
            self.windows.append({**window(item["text"], known), "author": author, "weight": 0.5})
        for item in read_all(folder, "pairs"):
            self.pair(author, item["first"], item["second"], NAMES[item["relation"]], 1.0)
        for item in read_all(folder, "changes"):
            self.pair(author, item["older"], item["newer"], item["relation"], 1.0)
        for board in read_all(folder, "boards"):
            older = {one["id"]: one["text"] for one in board["older"]}
            for newer in board["newer"]:
                for name, text in older.items():
                    if name in newer.get("unsure", []):
                        continue
                    relation = "ends" if name in newer["ends"] else "repeats" if name in newer.get("repeats", []) else "other"
                    self.pair(author, text, newer["text"], relation, 1.0 if relation != "other" else 0.35)

    def pair(self, author, first, second, relation, weight):
        self.pairs.append({"author": author, "first": first, "second": second, "relation": RELATIONS.index(relation), "weight": weight})

    def pairs_of(self, person):
        """Pairs of what one person told: every end, and others that are alike or drawn."""
        author, found = person["author"], []
        text = lambda place: full_text(person, place)
        add = lambda first, second, relation, weight: found.append({"author": author, "first": first, "second": second, "relation": RELATIONS.index(relation), "weight": weight})
        ends = {(tuple(a), tuple(b)) for a, b in person["ends"]}
        for older, newer in sorted(ends):
            add(text(older), text(newer), "ends", 1.0)
        for paraphrase in person.get("paraphrases", []):
            if self.random.random() < 0.3:
                first, second = text(paraphrase["place"]), paraphrase["text"]
                add(*((first, second) if self.random.random() < 0.5 else (second, first)), "repeats", 0.5)
        places = [p for p in statements(person) if person["interactions"][p[0]][p[1]]["who"] != "assistant"]
        told = [p for p in places if self.is_fact(person, p)]
        if person["others"] is None and person["ends"]:
            told = places
        if len(told) < 2 or (person["others"] is None and not person["ends"]):
            # Facts of one talk seldom end each other.
            for a, b in zip(told, told[1:]):
                if self.random.random() < 0.3:
                    add(text(a), text(b), "other", 0.4)
            return found
        ended_by, unknown = {}, {}
        for a, b in ends:
            ended_by.setdefault(a, set()).add(b)
        for place, interaction in person.get("unknown", []):
            unknown.setdefault(tuple(place), set()).add(interaction)

        def chain(a):
            later, open_ = set(), [a]
            while open_:
                for b in ended_by.get(open_.pop(), ()):
                    if b not in later:
                        later.add(b)
                        open_.append(b)
            return later

        # Every fact with the later ones most alike, and some drawn.
        bags = {p: words_of(text(p)) for p in told}
        for a in told:
            skip = chain(a)
            later = [b for b in told if b[0] > a[0] and b not in skip and b[0] not in unknown.get(a, ())]
            later.sort(key=lambda b: -len(bags[a] & bags[b]) / (4 + len(bags[a] | bags[b])))
            chosen = later[:3] + self.random.sample(later[3:], min(2, len(later[3:])))
            for b in chosen:
                add(text(a), text(b), "other", 0.5)
        return found

    @staticmethod
    def is_fact(person, place):
        known = person["interactions"][place[0]][place[1]]["labels"][place[2]]
        return known is not None and known.get("fact") == 1
