"""check.py FILE...: checks life-*.json, boards-*.json and asks-*.json: names that lead nowhere, quotes that were not said."""

import json
import re
import sys
from pathlib import Path

# As in encoder.py, which needs PyTorch.
AREAS = "self people home work alert health medicine carers help abilities food habits manner plans worries codes".split()
QUESTION_KINDS = ("now", "past", "several", "time", "other", "never")
MARKS = {"’": "'", "‘": "'", "“": '"', "”": '"'}


def flat(text):
    return re.sub(r"\s+", " ", "".join(MARKS.get(c, c) for c in text.lower()))


def check_life(life):
    told = life["interactions"]
    order = [each["id"] for each in told]
    times = [each["at"] for each in told]
    said = {each["id"]: flat("\n".join(turn["text"] for turn in each["turns"] if turn["who"] != "assistant")) for each in told}
    facts = {fact["id"]: fact for fact in life["facts"]}
    if times != sorted(times):
        yield "times do not ascend"
    if len(facts) != len(life["facts"]):
        yield "two facts have one id"
    for fact in life["facts"]:
        for fault in check_fact(fact, facts, order, said):
            yield f"{fact['id']}: {fault}"
    for each in life["nonFacts"]:
        if flat(each["quote"]) not in said.get(each["in"], ""):
            yield f"not the person's words: {each['quote']}"
    for question in life["questions"]:
        for name in question["needs"] + question.get("stale", []):
            if name not in facts:
                yield f"{question['question']}: no fact {name}"
        if question["kind"] not in QUESTION_KINDS:
            yield f"{question['question']}: kind {question['kind']}"
        if (question["kind"] == "never") != (not question["needs"]):
            yield f"{question['question']}: never and needs disagree"


def check_fact(fact, facts, order, said):
    if fact["in"] not in said:
        yield f"no interaction {fact['in']}"
        return
    if flat(fact["quote"]) not in said[fact["in"]]:
        yield f"not the person's words: {fact['quote']}"
    if fact["area"] is not None and fact["area"] not in AREAS:
        yield f"no area {fact['area']}"
    for mark in fact["marks"]:
        if flat(mark) not in flat(fact["quote"]):
            yield f"mark not in quote: {mark}"
    until, ended_by = fact.get("until"), fact.get("endedBy")
    if until and until not in said:
        yield f"no interaction {until}"
    elif until and order.index(until) <= order.index(fact["in"]):
        yield "until is not later"
    if ended_by and ended_by not in facts:
        yield f"no fact {ended_by}"
    elif ended_by and facts[ended_by]["in"] != until:
        yield "endedBy is not in until"
    for key in ("lasting", "alone"):
        if not isinstance(fact[key], bool):
            yield f"{key} is neither true nor false"


def check_boards(boards):
    for board in boards:
        older = {each["id"] for each in board["older"]}
        for newer in board["newer"]:
            for key in ("ends", "repeats", "unsure"):
                for name in newer.get(key, []):
                    if name not in older:
                        yield f"{newer['text']}: {key} {name}"


def check_asks(asks):
    for each in asks:
        for question in each["questions"]:
            if not question["question"].strip() or not all(isinstance(place, int) for place in question["gold"]):
                yield str(question)


CHECKS = {"life": check_life, "boards": check_boards, "asks": check_asks}


def main():
    count = 0
    for path in map(Path, sys.argv[1:]):
        check = CHECKS.get(path.name.split("-")[0], lambda _: [])
        try:
            faults = list(check(json.loads(path.read_text(encoding="utf-8"))))
        except (ValueError, KeyError) as error:
            faults = [repr(error)]
        count += len(faults)
        for fault in faults:
            print(f"{path}: {fault}")
    print(count, "faults")
    sys.exit(count > 0)


if __name__ == "__main__":
    main()
