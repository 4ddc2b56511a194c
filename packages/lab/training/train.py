"""Trains the reader: low-rank adapters on the bundled all-MiniLM-L6-v2 and one linear head per task.

python3 train.py --model FOLDER --data data --rows ROWS --out OUT                  the reader itself, on everything
python3 train.py --model FOLDER --data data --rows ROWS --out OUT --hold-out a,b   without these authors, measured on them

ROWS is what rows.mjs writes: statements as the product cuts them.
"""

import argparse
import json
import math
import random
import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from data import ABOUT, AREAS, UNKNOWN, Data, overlap, person_pairs, relation_items, reading_text, relevance_items, story_pairs

SIZE, HEADS, LAYERS = 384, 12, 6
DENSE = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense"]


class Task(NamedTuple):
    """What a head says, the size of its adapter and how it is trained, chosen with authors held out."""

    outputs: int
    rank: int
    passes: int
    rate: float


TASKS = {
    "reading": Task(outputs=3 + len(ABOUT) + len(AREAS), rank=16, passes=6, rate=1e-3),
    "relation": Task(outputs=3, rank=32, passes=6, rate=1e-3),
    "relevance": Task(outputs=1, rank=8, passes=4, rate=6e-4),
}
# Of a reading: yes or no, each with its weight, then whom it is about and in which area of life.
FLAGS = {"fact": 1.0, "lasting": 1.0, "alone": 0.5}
ABOUT_WEIGHT, AREA_WEIGHT = 0.7, 1.0
BATCH, SMOOTHING, DROPOUT = 64, 0.05, 0.1
# Of a story: pairs that no question connects, and statements that do not answer a question.
STORY_PAIRS, NEGATIVES = 18, 10
WEIGHT_MAX = 4
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = True


def read_safetensors(path: Path) -> dict:
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    table = json.loads(raw[8 : 8 + length])
    tensors = {}
    for name, entry in table.items():
        if name == "__metadata__" or entry["dtype"] != "F16":
            continue
        start, end = entry["data_offsets"]
        numbers = np.frombuffer(raw[8 + length + start : 8 + length + end], dtype=np.float16)
        tensors[name] = torch.from_numpy(numbers.astype(np.float32).reshape(entry["shape"]))
    return tensors


class TaskReader(torch.nn.Module):
    """One task: the encoder with its weights fixed, an adapter beside its dense layers, the mean of the pieces at unit
    length, and a linear head. `plain` switches the adapter off."""

    def __init__(self, tensors: dict, task: Task):
        super().__init__()
        self.base, self.plain = tensors, False
        self.a, self.b = torch.nn.ParameterDict(), torch.nn.ParameterDict()
        for layer in range(LAYERS):
            for dense in DENSE:
                outSize, inSize = self.base[f"encoder.layer.{layer}.{dense}.weight"].shape
                key = self.key(layer, dense)
                self.a[key] = torch.nn.Parameter(torch.randn(task.rank, inSize) / math.sqrt(inSize))
                self.b[key] = torch.nn.Parameter(torch.zeros(outSize, task.rank))
        self.head = torch.nn.Linear(SIZE, task.outputs)

    @staticmethod
    def key(layer: int, dense: str) -> str:
        return f"{layer}_{dense}".replace(".", "_")

    def linear(self, x, layer, dense):
        name, key = f"encoder.layer.{layer}.{dense}", self.key(layer, dense)
        if self.plain:
            return F.linear(x, self.base[f"{name}.weight"], self.base[f"{name}.bias"])
        change = F.linear(F.linear(F.dropout(x, DROPOUT, self.training), self.a[key]), self.b[key])
        return F.linear(x, self.base[f"{name}.weight"], self.base[f"{name}.bias"]) + change

    def norm(self, x, name):
        return F.layer_norm(x, (SIZE,), self.base[f"{name}.weight"], self.base[f"{name}.bias"], 1e-12)

    def vector(self, ids, mask):
        count, length = ids.shape
        x = F.embedding(ids, self.base["embeddings.word_embeddings.weight"])
        x = x + self.base["embeddings.position_embeddings.weight"][:length] + self.base["embeddings.token_type_embeddings.weight"][0]
        x = F.dropout(self.norm(x, "embeddings.LayerNorm"), DROPOUT, self.training)
        for layer in range(LAYERS):
            split = lambda part: self.linear(x, layer, f"attention.self.{part}").view(count, length, HEADS, -1).transpose(1, 2)
            attended = F.scaled_dot_product_attention(split("query"), split("key"), split("value"), attn_mask=mask[:, None, None, :])
            attended = attended.transpose(1, 2).reshape(count, length, SIZE)
            x = self.norm(x + self.linear(attended, layer, "attention.output.dense"), f"encoder.layer.{layer}.attention.output.LayerNorm")
            wide = F.gelu(self.linear(x, layer, "intermediate.dense"))
            x = self.norm(x + self.linear(wide, layer, "output.dense"), f"encoder.layer.{layer}.output.LayerNorm")
        kept = mask[:, :, None].float()
        return F.normalize((x * kept).sum(1) / kept.sum(1), dim=-1)

    def forward(self, ids, mask):
        # A vector of unit length has small components; the file has this factor in the head.
        return self.head(self.vector(ids, mask) * math.sqrt(SIZE))


class Pieces:
    def __init__(self, path: Path, countMax: int):
        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(countMax)
        self.known = {}

    def encode(self, text):
        if text not in self.known:
            self.known[text] = self.tokenizer.encode(text).ids
        return self.known[text]

    def batch(self, texts):
        encoded = [self.encode(text) for text in texts]
        length = max(map(len, encoded))
        ids = torch.zeros(len(encoded), length, dtype=torch.long)
        mask = torch.zeros(len(encoded), length, dtype=torch.bool)
        for i, one in enumerate(encoded):
            ids[i, : len(one)] = torch.tensor(one)
            mask[i, : len(one)] = True
        return ids.to(DEVICE), mask.to(DEVICE)


def reading_loss(logits, labels, weights):
    """Of what is known about each statement; None is not."""
    total = 0
    for i, (name, share) in enumerate(FLAGS.items()):
        known = [n for n, label in enumerate(labels) if label[name] is not None]
        if known:
            targets = torch.tensor([float(labels[n][name]) for n in known], device=DEVICE) * (1 - SMOOTHING) + SMOOTHING / 2
            total = total + share * (F.binary_cross_entropy_with_logits(logits[known, i], targets, reduction="none") * weights[known]).sum()
    start = len(FLAGS)
    for name, values, share in (("about", ABOUT, ABOUT_WEIGHT), ("area", AREAS, AREA_WEIGHT)):
        known = [n for n, label in enumerate(labels) if label[name] is not None]
        if known:
            targets = torch.tensor([values.index(labels[n][name]) for n in known], device=DEVICE)
            losses = F.cross_entropy(logits[known, start : start + len(values)], targets, reduction="none", label_smoothing=SMOOTHING)
            total = total + share * (losses * weights[known]).sum()
        start += len(values)
    return total / weights.sum()


def loss_of(reader, pieces, batch):
    texts, labels, weights = zip(*batch)
    if isinstance(labels[0], dict):
        return reading_loss(reader(*pieces.batch(texts)), labels, torch.tensor(weights, device=DEVICE))
    logits = reader(*pieces.batch(texts))
    weights = torch.tensor(weights, device=DEVICE)
    if logits.shape[1] > 1:
        losses = F.cross_entropy(logits, torch.tensor(labels, device=DEVICE), reduction="none", label_smoothing=SMOOTHING)
    else:
        targets = torch.tensor(labels, device=DEVICE) * (1 - SMOOTHING) + SMOOTHING / 2
        losses = F.binary_cross_entropy_with_logits(logits[:, 0], targets, reduction="none")
    return (losses * weights).sum() / weights.sum()


def train(task: Task, items: list, tensors: dict, pieces: Pieces, seed: int) -> TaskReader:
    torch.manual_seed(seed)
    rng = random.Random(seed)
    reader = TaskReader(tensors, task).to(DEVICE)
    optimizer = torch.optim.AdamW(reader.parameters(), lr=task.rate, weight_decay=0.01)
    stepCount = math.ceil(len(items) / BATCH) * task.passes
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, task.rate, total_steps=stepCount + 1, pct_start=0.06)
    reader.train()
    for _ in range(task.passes):
        shuffled = rng.sample(items, len(items))
        for start in range(0, len(shuffled), BATCH):
            loss = loss_of(reader, pieces, shuffled[start : start + BATCH])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    return reader.eval()


def quantize(reader: TaskReader) -> dict:
    """One byte per number and one scale per rank; the reader goes on with what the bytes say."""
    tensors = {}
    with torch.no_grad():
        for name, dictionary in (("a", reader.a), ("b", reader.b)):
            for key, parameter in dictionary.items():
                # One scale per rank: rows of a, columns of b.
                rows = parameter if name == "a" else parameter.T
                scale = rows.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
                whole = torch.round(rows / scale)
                parameter.copy_(whole * scale if name == "a" else (whole * scale).T)
                tensors[f"{key}.{name}"] = (whole.to(torch.int8).cpu().numpy(), scale[:, 0].cpu().numpy())
    return tensors


@torch.no_grad()
def predict(reader, pieces, texts, size=256):
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    out = [None] * len(texts)
    for start in range(0, len(order), size):
        some = order[start : start + size]
        logits = reader(*pieces.batch([texts[i] for i in some])).float()
        if logits.shape[1] == TASKS["reading"].outputs:
            parts = logits.split([len(FLAGS), len(ABOUT), len(AREAS)], dim=1)
            probabilities = torch.cat([parts[0].sigmoid(), parts[1].softmax(-1), parts[2].softmax(-1)], dim=1)
        else:
            probabilities = logits.softmax(-1) if logits.shape[1] > 1 else logits.sigmoid()
        for i, row in zip(some, probabilities.cpu().tolist()):
            out[i] = [round(value, 5) for value in row]
    return out


@torch.no_grad()
def cosines(reader, pieces, question, texts):
    reader.plain = True
    vectors = reader.vector(*pieces.batch([question, *texts]))
    reader.plain = False
    vectors = F.normalize(vectors, dim=-1)
    return [round(value, 4) for value in (vectors[1:] @ vectors[0]).tolist()]


def question_weights(stories: list, closest) -> list:
    """The authors were asked for answerable questions in other words than the answer's and for unanswerable ones in the
    same words, so in this data closeness speaks against an answer. These weights take that out: each question counts
    by how unlikely its kind is at its closeness (inverse propensity)."""
    features, labels = [], []
    for story in stories:
        texts = [statement["text"] for statement in story["statements"]]
        for question in story["questions"]:
            asked = question["question"]
            features.append([1.0, max(closest(asked, texts)), max(overlap(asked, text) for text in texts)])
            labels.append(float(question["answerable"]))
    x, y = np.array(features), np.array(labels)
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        w -= np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(len(w)), x.T @ (p - y) + 1e-3 * w)
    p = 1 / (1 + np.exp(-x @ w))
    weights = np.where(y == 1, y.mean() / p, (1 - y.mean()) / (1 - p)).clip(1 / WEIGHT_MAX, WEIGHT_MAX)
    return (weights / weights.mean()).tolist()


def make_items(data: Data, authors: set, clinc: list, rng: random.Random, closest) -> dict:
    mine = lambda list_: [item for item in list_ if item["author"] in authors]
    pairs, stories = mine(data.pairs), mine(data.stories)
    readings = [(reading_text(item, rng), item, item.get("weight", 1.0)) for item in mine(data.readings)]
    readings += [(text, {**UNKNOWN, "fact": 0, "lasting": 0, "about": "nobody"}, 1.0) for text in clinc]
    return {
        "reading": readings,
        "relation": relation_items(pairs, stories, mine(data.persons), rng, STORY_PAIRS),
        "relevance": relevance_items(stories, question_weights(stories, closest), rng, NEGATIVES),
    }


def write_readers(path: Path, readers: dict, quantized: dict, base: Path | None):
    """A table in JSON after its length, then the bytes: the format of the bundled weights. Tasks that were not trained
    are those of `base`."""
    table, blocks, offset = {}, [], 0

    def put(name, raw, kind, shape):
        nonlocal offset
        table[name] = {"dtype": kind, "shape": shape, "data_offsets": [offset, offset + len(raw)]}
        blocks.append(raw)
        offset += len(raw)

    def add(name, array, kind):
        put(name, np.ascontiguousarray(array).tobytes(), kind, list(array.shape))

    for task in TASKS:
        if task not in readers:
            for name, raw, kind, shape in read_task(base, task):
                put(name, raw, kind, shape)
            continue
        reader = readers[task]
        add(f"{task}.weight", (reader.head.weight.detach() * math.sqrt(SIZE)).cpu().numpy(), "F32")
        add(f"{task}.bias", reader.head.bias.detach().cpu().numpy(), "F32")
        scales = [(layer, dense, part) for layer in range(LAYERS) for dense in DENSE for part in ("a", "b")]
        for layer, dense, part in scales:
            whole, scale = quantized[task][f"{TaskReader.key(layer, dense)}.{part}"]
            add(f"{task}.encoder.layer.{layer}.{dense}.{part}.scale", scale, "F32")
        for layer, dense, part in scales:
            whole, scale = quantized[task][f"{TaskReader.key(layer, dense)}.{part}"]
            add(f"{task}.encoder.layer.{layer}.{dense}.{part}", whole, "I8")
    text = json.dumps(table, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blocks))


def read_task(path: Path, task: str) -> list:
    """What a file of a reader holds about one task, as it stands there."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    table = json.loads(raw[8 : 8 + length])
    own = [(name, entry) for name, entry in table.items() if name.startswith(f"{task}.")]
    cut = lambda entry: raw[8 + length + entry["data_offsets"][0] : 8 + length + entry["data_offsets"][1]]
    return [(name, cut(entry), entry["dtype"], entry["shape"]) for name, entry in own]


def measure(readers: dict, pieces, data: Data, authors: set, extra: list) -> dict:
    """Predictions for what these authors wrote and for texts that are only measured, by the readers that were trained."""
    ask = lambda task, texts: predict(readers[task], pieces, texts) if task in readers else []
    mine = lambda list_: [item for item in list_ if item["author"] in authors]
    out = {"reading": [], "relation": [], "relevance": [], "links": [], "extra": []}
    items = mine(data.readings) if "reading" in readers else []
    for item, p in zip(items, ask("reading", [reading_text(item) for item in items])):
        out["reading"].append({**item, "p": p})
    items = mine(data.pairs)
    for item, p in zip(items, ask("relation", [f"{item['first']} [SEP] {item['second']}" for item in items])):
        out["relation"].append({**item, "p": p})
    told = [(story, *story_pairs(story)) for story in mine(data.stories)] + [(person, *person_pairs(person)) for person in mine(data.persons)]
    for number, (one, updates, others) in enumerate(told):
        texts = [statement["text"] for statement in one["statements"]]
        pairs = updates + others
        ps = ask("relation", [f"{texts[a]} [SEP] {texts[b]}" for a, b in pairs])
        for i, ((a, b), p) in enumerate(zip(pairs, ps)):
            out["links"].append({"author": one["author"], "told": number, "a": texts[a], "b": texts[b], "update": i < len(updates), "p": p})
        for question in one.get("questions", []) if "relevance" in readers else []:
            ps = predict(readers["relevance"], pieces, [f"{question['question']} [SEP] {text}" for text in texts])
            out["relevance"].append({"author": one["author"], **question, "p": [p for (p,) in ps], "cosines": cosines(readers["relevance"], pieces, question["question"], texts)})
    for name, texts in extra if "reading" in readers else []:
        out["extra"].append({"name": name, "p": ask("reading", texts), "texts": texts})
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="folder of the bundled weights")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True, help="statements and pairs that rows.mjs has cut")
    parser.add_argument("--trust", type=Path, help="folder of the trust benchmark, as one more author")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--requests", type=Path, help='JSON: {"train": [requests without substance], NAME: [texts to measure]}')
    parser.add_argument("--hold-out", default="", help="authors to measure instead of training on them")
    parser.add_argument("--leave", default="", help="authors neither trained nor measured on")
    parser.add_argument("--only", default=",".join(TASKS), help="tasks to train; the others are taken from --base")
    parser.add_argument("--base", type=Path, help="file of a reader")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    data = Data(args.data, args.trust, json.loads(args.rows.read_text(encoding="utf-8")))
    held = set(filter(None, args.hold_out.split(",")))
    authors = set(data.authors) - held - set(args.leave.split(","))
    requests = json.loads(args.requests.read_text(encoding="utf-8")) if args.requests else {}
    tensors = {name: tensor.to(DEVICE) for name, tensor in read_safetensors(args.model / "model.fp16.safetensors").items()}
    pieces = Pieces(args.model / "tokenizer.json", 192)
    plain = TaskReader(tensors, TASKS["relevance"]).to(DEVICE).eval()
    closest = lambda question, texts: cosines(plain, pieces, question, texts)
    items = make_items(data, authors, requests.pop("train", []), random.Random(args.seed), closest)
    print({task: len(list_) for task, list_ in items.items()}, "by", sorted(authors), flush=True)
    readers = {name: train(TASKS[name], items[name], tensors, pieces, args.seed) for name in args.only.split(",")}
    quantized = {name: quantize(reader) for name, reader in readers.items()}
    write_readers(args.out / "reader.safetensors", readers, quantized, args.base)
    if held:
        measured = measure(readers, pieces, data, held, list(requests.items()))
        (args.out / "predictions.json").write_text(json.dumps(measured, ensure_ascii=False))


if __name__ == "__main__":
    main()
