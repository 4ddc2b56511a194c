"""Trains the encoder, all tasks in one model.

python3 train.py --base BASE.npz --vocabulary vocab.txt --rows ROWS --data data --out OUT                  on everything
python3 train.py ... --hold-out a,b                                       without these authors, measured on them
"""

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from encoder import ABOUT, AREAS, KINDS, RELATIONS, Batch, WordPieces, load_base, pack, pair_row, plain_row, window_row
from rows import Rows, full_text, statements, words_of

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TEMPERATURE, TOKEN_TEMPERATURE = 0.04, 0.05
QUESTIONS, NEGATIVES, WINDOWS_MAX, LATE, READINGS, PAIRS, RELEVANCES = 56, 2, 4, 16, 64, 96, 112
PARAPHRASE_SHARE, NO_BEFORE, NAMED = 0.2, 0.25, 0.1
SMOOTHING = 0.05
SPEAKERS = "Ana Ben Chloe Dmitri Esra Farid Grace Hugo Ines Jamal Kofi Lena Maya Nora Omar Priya Rosa Sam Tomas Uma Viktor Wren Yusuf Zoe".split()


def cross_entropy(logits, targets, weights=None):
    losses = F.cross_entropy(logits, targets, reduction="none", label_smoothing=SMOOTHING)
    return losses.mean() if weights is None else (losses * weights).sum() / weights.sum().clamp(min=1e-6)


def reading_loss(logits, labels, weights):
    """Of what is known about each statement; None is not."""
    total = 0.0
    fields = (("fact", 1.0, None), ("lasting", 1.0, None), ("alone", 0.5, None), ("about", 0.7, ABOUT), ("area", 1.0, AREAS), ("kind", 0.7, KINDS))
    start = 0
    for name, share, choices in fields:
        size = 1 if choices is None else len(choices)
        part, start = logits[:, start : start + size], start + size
        known = [i for i, each in enumerate(labels) if each.get(name) is not None]
        if not known:
            continue
        index = torch.tensor(known, device=DEVICE)
        own = weights[index]
        if choices is None:
            target = torch.tensor([float(labels[i][name]) for i in known], device=DEVICE)
            losses = F.binary_cross_entropy_with_logits(part[index, 0], target * (1 - 2 * SMOOTHING) + SMOOTHING, reduction="none")
        else:
            target = torch.tensor([choices.index(labels[i][name]) for i in known], device=DEVICE)
            losses = F.cross_entropy(part[index], target, reduction="none", label_smoothing=SMOOTHING)
        total = total + share * (losses * own).sum() / own.sum()
    return total


class Trainer:
    def __init__(self, args, rows, authors):
        self.pieces = WordPieces(args.vocabulary)
        self.random = random.Random(args.seed)
        torch.manual_seed(args.seed)
        self.model = load_base(args.base).to(DEVICE)
        self.model.words.weight.requires_grad_(False)
        self.tasks = set(args.tasks.split(","))
        people = [person for person in rows.people if person["author"] in authors]
        self.questions = [(person, q) for person in people for q in person["questions"] if q["gold"]]
        self.unanswerable = [(person, q) for person in people for q in person["questions"] if not q["gold"]]
        self.paraphrases = [
            (person, {"question": each["text"], "gold": [each["place"]], "outdated": []}) for person in people for each in person.get("paraphrases", [])
        ]
        self.windows = [one for one in rows.windows if one["author"] in authors]
        self.pairs = [one for one in rows.pairs if one["author"] in authors]
        print(len(self.questions), "questions", len(self.unanswerable), "unanswerable", len(self.paraphrases), "paraphrases", len(self.windows), "windows", len(self.pairs), "pairs", flush=True)
        self.pools, self.bags = {}, {}
        self.args = args

    def draw(self, name, items, count):
        """Every item once before any again."""
        drawn = []
        while len(drawn) < count:
            pool = self.pools.get(name)
            if not pool:
                pool = self.pools[name] = self.random.sample(items, len(items))
            drawn.append(pool.pop())
        return drawn

    def bag(self, one):
        if id(one) not in self.bags:
            self.bags[id(one)] = words_of(" ".join(one["texts"]))
        return self.bags[id(one)]

    def row(self, one, speaker=None):
        """A window as it is read, now and then without the words before it, or with a name."""
        before = one["before"] if one["isAnswer"] or self.random.random() >= NO_BEFORE else None
        texts = one["texts"] if speaker is None else [f"{speaker}: {text}" for text in one["texts"]]
        return window_row(self.pieces, before, one["isAnswer"], texts)

    def forward(self, *lists):
        """Several lists of texts in one pass; for each its batch and states."""
        rows = [row for rows in lists for row in rows]
        batch = Batch(rows, DEVICE)
        # Short ones apart from long ones, so that little is computed for nothing.
        order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]))
        cut = 2 * len(order) // 3
        states = torch.zeros(*batch.ids.shape, self.model.norm.weight.shape[0], device=DEVICE)
        for some in (order[:cut], order[cut:]):
            if some:
                length = len(rows[some[-1]][0])
                index = torch.tensor(some, device=DEVICE)
                with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
                    found = self.model.states(batch.ids[index, :length], batch.mask[index, :length])
                states = states.index_add(0, index, F.pad(found.float(), (0, 0, 0, states.shape[1] - length)))
        parts, start = [], 0
        for own in lists:
            end = start + len(own)
            parts.append((batch.part(start, end), states[start:end]))
            start = end
        return parts

    def draw_questions(self):
        """Questions, the windows that answer them and others of the same people."""
        asked = self.draw("questions", self.questions, round(QUESTIONS * (1 - PARAPHRASE_SHARE)))
        asked += self.draw("paraphrases", self.paraphrases, QUESTIONS - len(asked))
        chosen, keys, wanted, homes = [], {}, [], []

        def take(person, i, first=None):
            """The windows of an interaction, `first` among them."""
            windows = person["interactions"][i]
            order = ([] if first is None else [first]) + [w for w in range(len(windows)) if w != first]
            for w in order[:WINDOWS_MAX]:
                if (id(person), i, w) not in keys:
                    keys[id(person), i, w] = len(chosen)
                    chosen.append((person, i, w))

        for person, q in asked:
            i, w, s = self.random.choice(q["gold"])
            take(person, i, w)
            wanted.append((keys.get((id(person), i, w)), s))
            homes.append((id(person), i))
            others = self.random.sample(range(len(person["interactions"])), min(40, len(person["interactions"])))
            if self.random.random() < 0.5:
                bag = words_of(q["question"])
                others.sort(key=lambda n: -max(len(bag & self.bag(one)) for one in person["interactions"][n]) if person["interactions"][n] else 0)
            for n in others[:NEGATIVES]:
                take(person, n)
        speakers = {}
        for person, _ in asked:
            speakers.setdefault(id(person), self.random.choice(SPEAKERS) if self.random.random() < NAMED else None)
        rows = []
        for person, i, w in chosen:
            one = person["interactions"][i][w]
            rows.append(self.row(one, speakers[id(person)] if one["who"] != "assistant" else None))
        return asked, chosen, keys, (wanted, homes), rows, [plain_row(self.pieces, q["question"]) for _, q in asked]

    def retrieval(self, drawn, windows, questions):
        asked, chosen, keys, (wanted, homes) = drawn[:4]
        (batch, states), (qbatch, qstates) = windows, questions
        vectors = self.model.vectors(states, batch.pool)
        # People's statements are looked for; an assistant's count for the whole interaction only.
        is_said = torch.tensor([person["interactions"][i][w]["who"] != "assistant" for person, i, w in chosen]).to(DEVICE)
        flat = (batch.valid & is_said[:, None]).nonzero()
        index = {(b, s): n for n, (b, s) in enumerate(flat.tolist())}
        candidates = vectors[flat[:, 0], flat[:, 1]]
        qvectors = self.model.vectors(qstates, qbatch.pool)[:, 0]
        right = [index[each] for each in wanted]
        targets = torch.tensor(right, device=DEVICE)
        hidden = np.zeros((len(asked), len(index)), bool)
        texts = [full_text(chosen[b][0], (chosen[b][1], chosen[b][2], s)) for b, s in index]
        alike = {}
        for c, text in enumerate(texts):
            alike.setdefault(text, []).append(c)
        for n, (person, q) in enumerate(asked):
            for i, w, s in q["gold"] + q["outdated"]:
                c = index.get((keys.get((id(person), i, w)), s))
                if c is not None:
                    hidden[n, c] = True
            hidden[n, alike[texts[right[n]]]] = True
            hidden[n, right[n]] = False
        hidden = torch.from_numpy(hidden).to(DEVICE)
        scores = qvectors @ candidates.T / TEMPERATURE
        loss = F.cross_entropy(scores.masked_fill(hidden, -1e4), targets)
        # The whole interaction, too: a memory is the mean of what was said in it.
        groups = {}
        of = torch.tensor([groups.setdefault((id(person), i), len(groups)) for person, i, _ in chosen], device=DEVICE)
        sums = torch.zeros(len(groups), vectors.shape[2], device=DEVICE).index_add(0, of, (vectors * batch.valid[:, :, None]).sum(1))
        means = F.normalize(sums, dim=-1)
        whole_hidden = np.zeros((len(asked), len(groups)), bool)
        for n, (person, q) in enumerate(asked):
            for i, _, _ in q["gold"] + q["outdated"]:
                group = groups.get((id(person), i))
                if group is not None and (id(person), i) != homes[n]:
                    whole_hidden[n, group] = True
        whole_hidden = torch.from_numpy(whole_hidden).to(DEVICE)
        homes = torch.tensor([groups[home] for home in homes], device=DEVICE)
        whole = F.cross_entropy((qvectors @ means.T / TEMPERATURE).masked_fill(whole_hidden, -1e4), homes)
        # Late interaction: every piece of the question looks for its best counterpart.
        some = sorted({b for b, _ in wanted[:LATE]} | set(self.random.sample(range(len(chosen)), min(len(chosen), 2 * LATE))))
        tokens, qtokens = self.model.token_vectors(states[some]), self.model.token_vectors(qstates[:LATE])
        valid = (batch.valid & is_said[:, None])[some]
        lookup = torch.full(valid.shape, -1, dtype=torch.long, device=DEVICE)
        columns = valid.nonzero()
        lookup[columns[:, 0], columns[:, 1]] = torch.arange(len(columns), device=DEVICE)
        own = batch.owner[some]
        place = lookup.gather(1, own.clamp(min=0, max=valid.shape[1] - 1)).masked_fill(own < 0, -1)
        at, qat = (place >= 0).nonzero(), (qbatch.owner[:LATE] >= 0).nonzero()
        similarity = qtokens[qat[:, 0], qat[:, 1]] @ tokens[at[:, 0], at[:, 1]].T
        best = torch.full((len(qat), len(columns)), -1.0, device=DEVICE)
        best = best.scatter_reduce(1, place[at[:, 0], at[:, 1]][None, :].expand(len(qat), -1), similarity, "amax", include_self=True)
        counts = torch.zeros(LATE, device=DEVICE).index_add(0, qat[:, 0], torch.ones(len(qat), device=DEVICE))
        late = torch.zeros(LATE, len(columns), device=DEVICE).index_add(0, qat[:, 0], best) / counts[:, None]
        cells = [(some[b], s) for b, s in columns.tolist()]
        late_hidden = hidden[:LATE][:, torch.tensor([index[cell] for cell in cells], device=DEVICE)]
        late_targets = torch.tensor([cells.index(each) for each in wanted[:LATE]], device=DEVICE)
        late_loss = F.cross_entropy((late / TOKEN_TEMPERATURE).masked_fill(late_hidden, -1e4), late_targets)
        with torch.no_grad():
            owners = np.array([id(chosen[b][0]) for b, _ in index])
            same = torch.from_numpy(np.array([id(person) for person, _ in asked])[:, None] == owners[None, :]).to(DEVICE)
            hard = scores.masked_fill(hidden | ~same, -1e4)
            hard[torch.arange(len(asked)), targets] = -1e4
            hardest = [part.tolist() for part in hard.topk(min(3, hard.shape[1]), 1)]
        relevances = []
        for n, (person, q) in enumerate(asked[: round(QUESTIONS * (1 - PARAPHRASE_SHARE))]):
            relevances.append((q["question"], texts[right[n]], 1.0))
            negatives = [texts[c] for c, value in zip(hardest[1][n], hardest[0][n]) if value > -1e3]
            for text in negatives[:2]:
                relevances.append((q["question"], text, 0.0))
        hits = (scores.masked_fill(hidden, -1e4).argmax(1) == targets).float().mean()
        return loss + 0.5 * whole + 0.5 * late_loss, relevances, hits

    def reading(self, windows, part):
        batch, states = part
        logits = self.model.readings(states, batch.pool)
        flat, labels, weights = [], [], []
        for b, one in enumerate(windows):
            for s, known in enumerate(one["labels"]):
                if known is not None:
                    flat.append((b, s))
                    labels.append(known)
                    weights.append(one["weight"])
        at = torch.tensor(flat, device=DEVICE)
        return reading_loss(logits[at[:, 0], at[:, 1]], labels, torch.tensor(weights, device=DEVICE))

    def relation(self, pairs, part):
        batch, states = part
        logits = self.model.pairs(states, batch.pool)[:, : len(RELATIONS)]
        targets = torch.tensor([one["relation"] for one in pairs], device=DEVICE)
        return cross_entropy(logits, targets, torch.tensor([one["weight"] for one in pairs], device=DEVICE))

    def draw_relevances(self, items):
        """Those of the step before, whose hardest wrong answers are known, and questions without an answer."""
        for person, q in self.draw("unanswerable", self.unanswerable, 16) if self.unanswerable else []:
            places = list(statements(person))
            bag = words_of(q["question"])
            places = self.random.sample(places, min(40, len(places)))
            places.sort(key=lambda place: -len(bag & words_of(full_text(person, place))))
            items += [(q["question"], full_text(person, place), 0.0) for place in places[:2]]
        return self.random.sample(items, min(RELEVANCES, len(items)))

    def relevance(self, items, part):
        batch, states = part
        logits = self.model.pairs(states, batch.pool)[:, len(RELATIONS)]
        target = torch.tensor([answer for _, _, answer in items], device=DEVICE)
        return F.binary_cross_entropy_with_logits(logits, target * (1 - 2 * SMOOTHING) + SMOOTHING)

    def run(self):
        heads = ("read_features", "reading", "pair_features", "pair", "tokens")
        named = [(name, p) for name, p in self.model.named_parameters() if p.requires_grad]
        is_head = lambda name: name.split(".")[0] in heads
        optimizer = torch.optim.AdamW(
            [
                {"params": [p for name, p in named if not is_head(name)], "lr": self.args.rate},
                {"params": [p for name, p in named if is_head(name)], "lr": 10 * self.args.rate},
            ],
            weight_decay=0.01,
        )
        steps = self.args.steps
        anchors = [(p, p.detach().clone()) for name, p in named if not is_head(name)]
        rates = [group["lr"] for group in optimizer.param_groups]
        began, sums = time.time(), [0.0] * 5
        self.model.train()
        relevances = []
        for step in range(steps):
            losses, loss = [0.0] * 5, 0.0
            done = max(step / steps, (time.time() - began) / self.args.seconds)
            if done >= 1:
                break
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * min(1, (step + 1) / 100) * max(0.02, 1 - done)
            drawn = self.draw_questions() if "retrieval" in self.tasks else ([], [], {}, [], [], [])
            told = self.draw("windows", self.windows, READINGS) if "reading" in self.tasks else []
            pairs = self.draw("pairs", self.pairs, PAIRS) if "relation" in self.tasks else []
            items = self.draw_relevances(relevances) if "relevance" in self.tasks else []
            windows, readings = self.forward(drawn[4], [self.row(one) for one in told])
            short = [[pair_row(self.pieces, one["first"], one["second"]) for one in pairs], [pair_row(self.pieces, a, b) for a, b, _ in items]]
            questions, related, answers = self.forward(drawn[5], *short)
            if drawn[0]:
                part, relevances, hits = self.retrieval(drawn, windows, questions)
                loss, losses[0], losses[4] = part, part.detach(), hits
            if told:
                part = self.reading(told, readings)
                loss, losses[1] = loss + part, part.detach()
            if pairs:
                part = self.relation(pairs, related)
                loss, losses[2] = loss + part, part.detach()
            if items:
                part = self.relevance(items, answers)
                loss, losses[3] = loss + 0.5 * part, part.detach()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            if self.args.anchor:
                with torch.no_grad():
                    for p, first in anchors:
                        p.lerp_(first, min(0.1, self.args.anchor * optimizer.param_groups[0]["lr"]))
            sums = [total + each for total, each in zip(sums, losses)]
            if step + 1 in (20, 50):
                print(step + 1, f"{time.time() - began:.0f} s", flush=True)
            if (step + 1) % 100 == 0:
                print(step + 1, "retrieval %.3f reading %.3f relation %.3f relevance %.3f hits %.3f" % tuple(float(total) / 100 for total in sums), f"{time.time() - began:.0f} s", flush=True)
                sums = [0.0] * 5
        return self.model.eval()


def auc(scores, labels):
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    positive = np.asarray(labels) == 1
    if positive.all() or not positive.any():
        return float("nan")
    return float((ranks[positive].sum() - positive.sum() * (positive.sum() + 1) / 2) / (positive.sum() * (~positive).sum()))


@torch.no_grad()
def run_rows(model, pieces, rows, head, size=128):
    results = [None] * len(rows)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        batch = Batch([rows[i] for i in part], DEVICE)
        out = head(model, model.states(batch.ids, batch.mask), batch.pool)
        for n, i in enumerate(part):
            results[i] = out[n].float().cpu().numpy()
    return results


def measure(model, pieces, rows, held):
    """What the heads say of authors that were held out, author by author."""
    figures = {}
    # Ends come first: relations of pairs.
    for author in sorted(held) + ["all"]:
        own = [one for one in rows.pairs if one["author"] == author or (author == "all" and one["author"] in held)]
        found = {}
        if own:
            logits = np.array(run_rows(model, pieces, [pair_row(pieces, one["first"], one["second"]) for one in own], lambda m, x, p: m.pairs(x, p)))
            ends = logits[:, 1] - np.logaddexp(logits[:, 0], logits[:, 2])
            is_end = np.array([one["relation"] == 1 for one in own])
            found["ends"] = {"n": len(own), "ends": int(is_end.sum()), "auc": auc(ends, is_end)}
            for at in (0.5, 0.7, 0.9):
                said = 1 / (1 + np.exp(-ends)) >= at
                found["ends"][f"precision/recall {at}"] = (round(float(is_end[said].mean()), 3) if said.any() else None, round(float(said[is_end].mean()), 3) if is_end.any() else None)
        windows = [one for one in rows.windows if one["author"] == author or (author == "all" and one["author"] in held)]
        if windows:
            out = run_rows(model, pieces, [window_row(pieces, one["before"], one["isAnswer"], one["texts"]) for one in windows], lambda m, x, p: m.readings(x, p))
            logits = [(each[s], known) for each, one in zip(out, windows) for s, known in enumerate(one["labels"]) if known is not None]
            for n, name in enumerate(("fact", "lasting", "alone")):
                known = [(each[n], label[name]) for each, label in logits if label.get(name) is not None]
                if known:
                    found[name] = round(auc(*map(np.array, zip(*known))), 3)
            for name, start, choices in (("about", 3, ABOUT), ("area", 6, AREAS), ("kind", 22, KINDS)):
                known = [(each[start : start + len(choices)].argmax(), choices.index(label[name])) for each, label in logits if label.get(name) is not None]
                if known:
                    found[name] = round(float(np.mean([a == b for a, b in known])), 3)
        people = [person for person in rows.people if person["author"] == author or (author == "all" and person["author"] in held)]
        found["retrieval"] = retrieval_figures(model, pieces, people)
        figures[author] = found
        print(author, json.dumps(found), flush=True)
    return figures


def retrieval_figures(model, pieces, people):
    """hit@1 and hit@5 of statements, and of interactions by the best statement and the mean."""
    hits = []
    vectors_of = lambda m, x, p: m.vectors(x, p)
    for person in people:
        asked = [q for q in person["questions"] if q.get("gold") or q.get("goldInteractions")]
        if not asked:
            continue
        windows = [(i, one) for i, part in enumerate(person["interactions"]) for one in part]
        found = run_rows(model, pieces, [window_row(pieces, one["before"], one["isAnswer"], one["texts"]) for _, one in windows], vectors_of, 64)
        places, vectors, assistant = [], [], []
        counts = {}
        for (i, one), each in zip(windows, found):
            w = counts.get(i, -1) + 1
            counts[i] = w
            for s in range(len(one["texts"])):
                places.append((i, w, s))
                vectors.append(each[s])
                assistant.append(one["who"] == "assistant")
        vectors, owner = np.array(vectors), np.array([p[0] for p in places])
        asked_vectors = np.array(run_rows(model, pieces, [plain_row(pieces, q["question"]) for q in asked], vectors_of))[:, 0]
        count = len(person["interactions"])
        means = np.zeros((count, vectors.shape[1]))
        np.add.at(means, owner, vectors)
        means /= np.maximum(1e-9, np.linalg.norm(means, axis=1, keepdims=True))
        said = ~np.array(assistant)
        for q, vector in zip(asked, asked_vectors):
            scores = vectors @ vector
            best = np.full(count, -1.0)
            np.maximum.at(best, owner, scores)
            whole = best + means @ vector
            gold = {p[0] for p in q["gold"]} if q.get("gold") else set(q["goldInteractions"])
            if "after" in q:
                whole[q["after"] :] = -9
            order = np.argsort(-whole)
            ideal = sum(1 / np.log2(i + 2) for i in range(min(3, len(gold))))
            ndcg = sum(1 / np.log2(i + 2) for i in range(3) if order[i : i + 1].size and int(order[i]) in gold) / ideal
            hit3 = any(int(i) in gold for i in order[:3])
            first = None
            if q.get("gold"):
                ranked = [places[i] for i in np.argsort(-np.where(said, scores, -9))[:5]]
                wanted = {tuple(p) for p in q["gold"]}
                first = (ranked[0] in wanted, any(p in wanted for p in ranked))
            hits.append((hit3, ndcg, *(first or (np.nan, np.nan))))
    return dict(zip(("hit3", "ndcg3", "statement@1", "statement@5"), np.round(np.nanmean(np.array(hits, float), 0), 3).tolist()), n=len(hits)) if hits else None


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "vocabulary", "rows", "data", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--trust", type=Path, help="folder of the trust benchmark, as one more author")
    parser.add_argument("--hold-out", default="", help="authors to measure instead of training on them")
    parser.add_argument("--measure", type=Path, help="further people, as rows.mjs writes them, to measure only")
    parser.add_argument("--tasks", default="retrieval,reading,relation,relevance")
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop then, whatever is left")
    parser.add_argument("--anchor", type=float, default=0, help="pull to the first weights, as a share of the rate")
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = Rows(args.rows, args.data, args.trust)
    held = set(filter(None, args.hold_out.split(",")))
    trainer = Trainer(args, rows, set(rows.authors) - held)
    outside = json.loads(args.measure.read_text()) if args.measure else []
    if outside and args.steps:
        print("before", retrieval_figures(trainer.model.eval(), trainer.pieces, outside), flush=True)
    model = trainer.run()
    np.savez_compressed(args.out, **pack(model))
    figures = measure(model, trainer.pieces, rows, held) if held else {}
    for author in sorted({person["author"] for person in outside}):
        figures[author] = retrieval_figures(model, trainer.pieces, [person for person in outside if person["author"] == author])
        print(author, figures[author], flush=True)
    Path(f"{args.out}.json").write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
