"""Writes what one author wrote in the format of the trust benchmark, for `mnemosyne eval trust --data FOLDER --judge FILE`
with a judge that never read this author.

python3 as_trust.py data/a /tmp/trust-a [--count 120] [--stories 12]
"""

import argparse
import json
import random
from pathlib import Path

from data import read_all


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("author", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=120, help="exchanges and pairs, drawn at random")
    parser.add_argument("--stories", type=int, default=12)
    args = parser.parse_args()
    rng = random.Random(1)
    draw = lambda kind, count: (lambda items: rng.sample(items, min(count, len(items))))(read_all(args.author, kind))
    numbered = lambda prefix, items: [{"id": f"{prefix}{i:03}", **item} for i, item in enumerate(items, 1)]
    corrections, unanswerable = [], []
    for story in draw("stories", args.stories):
        statements, questions = story["statements"], story["questions"]
        changed = [
            {"question": q["question"], "at": q["at"], "current": q["gold"], "outdated": q["outdated"], "answer": "by the author", "about": "present"}
            for q in questions
            if q["outdated"]
        ]
        if changed:
            corrections.append({"statements": statements, "questions": changed})
        asked = [{key: q[key] for key in ("question", "at", "gold", "answerable")} for q in questions]
        unanswerable.append({"statements": statements, "questions": asked})
    parts = {
        "substance": numbered("s", [{**item, "why": "by the author"} for item in draw("substance", args.count)]),
        "pairs": numbered("p", draw("pairs", args.count)),
        "corrections": numbered("c", corrections),
        "unanswerable": numbered("u", unanswerable),
    }
    args.out.mkdir(parents=True, exist_ok=True)
    for name, items in parts.items():
        (args.out / f"{name}.json").write_text(json.dumps(items, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
