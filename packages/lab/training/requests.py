"""Requests to an assistant that tell nothing, from CLINC150 (Larson et al. 2019, CC BY 3.0), which is not in this
repository: every ninth of some intents for training.

python3 requests.py train.json requests.json
"""

import json
import sys
from pathlib import Path

INTENTS = (
    "weather timer calculator greeting thank_you tell_joke definition play_music are_you_a_bot translate "
    "change_volume recipe yes repeat exchange_rate directions meaning_of_life smart_home"
).split()
EVERY = 9


def main():
    source, target = map(Path, sys.argv[1:])
    byIntent = {}
    for text, intent in json.loads(source.read_text(encoding="utf-8"))["train"]:
        byIntent.setdefault(intent, []).append(text)
    chosen = [text for intent in INTENTS for text in byIntent[intent][::EVERY]]
    target.write_text(json.dumps({"train": chosen}), encoding="utf-8")


if __name__ == "__main__":
    main()
