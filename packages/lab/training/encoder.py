"""The encoder: a small BERT, the vectors of statements in their window, what it reads of them, and what one text is to
another. `WordPieces` and `Windows` mirror the product's `word-pieces.ts` and `windows.ts`."""

import math
import re
import unicodedata

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SIZE, HEADS = 384, 12
PARTS = {
    "query": "attention/self/query",
    "key": "attention/self/key",
    "value": "attention/self/value",
    "output": "attention/output/dense",
    "wide": "intermediate/dense",
    "narrow": "output/dense",
}
AREAS = "self people home work alert health medicine carers help abilities food habits manner plans worries codes".split()
ABOUT = ["self", "other", "nobody"]
KINDS = "fact question request smalltalk maybe joke fiction task general remember forget".split()
READINGS = 3 + len(ABOUT) + len(AREAS) + len(KINDS)
RELATIONS = ["repeats", "ends", "other"]
FEATURES, TOKEN_SIZE = 256, 64
PIECES_MAX, TEXT_MAX, BEFORE_MAX = 256, 160, 40


def attend(query, key, value, mask, rate):
    # Debian's PyTorch has no function for it.
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(query, key, value, mask, rate)
    shares = (query @ key.transpose(2, 3)) / math.sqrt(SIZE // HEADS)
    return F.dropout(shares.masked_fill(~mask, -1e4).softmax(-1), rate) @ value


class Layer(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        for part in ("query", "key", "value", "output"):
            setattr(self, part, nn.Linear(SIZE, SIZE))
        self.wide, self.narrow = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)
        self.norm1, self.norm2 = nn.LayerNorm(SIZE, 1e-12), nn.LayerNorm(SIZE, 1e-12)
        self.dropout = dropout

    def forward(self, x, mask):
        count, length, _ = x.shape
        split = lambda part: part(x).view(count, length, HEADS, -1).transpose(1, 2)
        rate = self.dropout if self.training else 0.0
        attended = attend(split(self.query), split(self.key), split(self.value), mask, rate)
        attended = attended.transpose(1, 2).reshape(count, length, SIZE)
        x = self.norm1(x + F.dropout(self.output(attended), rate))
        return self.norm2(x + F.dropout(self.narrow(F.gelu(self.wide(x))), rate))


class Encoder(nn.Module):
    def __init__(self, layers, dropout=0.1):
        super().__init__()
        self.words, self.positions = nn.Embedding(30522, SIZE), nn.Embedding(PIECES_MAX, SIZE)
        self.norm = nn.LayerNorm(SIZE, 1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.read_features, self.reading = nn.Linear(SIZE, FEATURES), nn.Linear(FEATURES, READINGS)
        self.pair_features, self.pair = nn.Linear(SIZE, FEATURES), nn.Linear(FEATURES, len(RELATIONS) + 1)
        self.tokens = nn.Linear(SIZE, TOKEN_SIZE, bias=False)

    def states(self, ids, mask):
        x = self.norm(self.words(ids) + self.positions.weight[: ids.shape[1]])
        allowed = mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, allowed)
        return x

    def vectors(self, states, pool):
        return F.normalize(torch.bmm(pool, states.float()), dim=-1)

    def readings(self, states, pool):
        return self.reading(torch.bmm(pool, F.gelu(self.read_features(states)).float()))

    def pairs(self, states, pool):
        return self.pair(torch.bmm(pool, F.gelu(self.pair_features(states)).float())).squeeze(1)

    def token_vectors(self, states):
        return F.normalize(self.tokens(states).float(), dim=-1)


def load_base(path, dropout=0.1):
    packed = np.load(path)
    layers = 1 + max(int(name.split(".")[1]) for name in packed.files if name.startswith("layers."))
    model = Encoder(layers, dropout)
    state = {}
    for name in packed.files:
        if name.endswith(".scale"):
            continue
        tensor = torch.tensor(packed[name].astype(np.float32))
        if f"{name}.scale" in packed.files:
            tensor = tensor * torch.tensor(packed[f"{name}.scale"])
        state["words.weight" if name == "words" else "positions.weight" if name == "positions" else name] = tensor
    missing, unknown = model.load_state_dict(state, strict=False)
    assert not unknown and all(name.split("_")[0].split(".")[0] in ("read", "reading", "pair", "tokens") for name in missing), (missing, unknown)
    return model


def pack(model):
    """Matrices in one byte a number, with a scale for each row."""
    packed = {}
    for name, tensor in model.state_dict().items():
        tensor = tensor.detach().float().cpu().numpy()
        name = {"words.weight": "words", "positions.weight": "positions"}.get(name, name)
        if tensor.ndim == 2:
            scale = np.maximum(np.abs(tensor).max(1, keepdims=True) / 127, 1e-12)
            packed[name] = np.round(tensor / scale).astype(np.int8)
            packed[f"{name}.scale"] = scale.astype(np.float32)
        else:
            packed[name] = tensor
    return packed


class WordPieces:
    """BERT's uncased word pieces."""

    MARK = re.compile(r"[!-/:-@\[-`{-~]")

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            self.vocabulary = {line.rstrip("\n"): i for i, line in enumerate(lines)}
        self.start, self.end = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        self.known, self.texts = {}, {}

    def encode(self, text):
        if text not in self.texts:
            self.texts[text] = [piece for word in self.words(text) for piece in self.pieces(word)]
        return self.texts[text]

    def words(self, text):
        text = "".join(" " if c in "\t\n\r" else c for c in text if c in "\t\n\r" or unicodedata.category(c) not in ("Cc", "Cf", "Co"))
        text = "".join(c.lower() for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
        words, word = [], ""
        for c in text:
            is_mark = bool(self.MARK.match(c)) or unicodedata.category(c).startswith("P")
            if c.isspace() or is_mark:
                if word:
                    words.append(word)
                word = ""
                if is_mark:
                    words.append(c)
            else:
                word += c
        return words + ([word] if word else [])

    def pieces(self, word):
        if word not in self.known:
            ids, start = [], 0
            while start < len(word):
                end = len(word)
                while end > start and ("##" if start else "") + word[start:end] not in self.vocabulary:
                    end -= 1
                if end == start:
                    ids = [self.vocabulary["[UNK]"]]
                    break
                ids.append(self.vocabulary[("##" if start else "") + word[start:end]])
                start = end
            self.known[word] = ids if len(word) <= 100 else [self.vocabulary["[UNK]"]]
        return self.known[word]


class Batch:
    """Texts as one tensor: `pool` has a row for each statement, equal shares of its pieces."""

    def __init__(self, rows, device):
        # Of a row: ids, and for each statement the positions of its pieces.
        count, length, places = len(rows), max(len(ids) for ids, _ in rows), max(len(spans) for _, spans in rows)
        ids, mask = np.zeros((count, length), np.int64), np.zeros((count, length), bool)
        pool = np.zeros((count, places, length), np.float32)
        valid, owner = np.zeros((count, places), bool), np.full((count, length), -1, np.int64)
        for b, (own, spans) in enumerate(rows):
            ids[b, : len(own)], mask[b, : len(own)] = own, True
            for s, positions in enumerate(spans):
                pool[b, s, positions], valid[b, s] = 1 / max(1, len(positions)), len(positions) > 0
                owner[b, positions] = s
        self.ids, self.mask, self.pool, self.valid, self.owner = (torch.from_numpy(a).to(device, non_blocking=True) for a in (ids, mask, pool, valid, owner))

    def part(self, start, end):
        some = object.__new__(Batch)
        for name in ("ids", "mask", "pool", "valid", "owner"):
            setattr(some, name, getattr(self, name)[start:end])
        return some


def plain_row(pieces, text):
    own = pieces.encode(text)[: PIECES_MAX - 2]
    return [pieces.start, *own, pieces.end], [list(range(1, 1 + len(own)))]


def pair_row(pieces, first, second):
    a, b = pieces.encode(first)[:110], pieces.encode(second)[:110]
    ids = [pieces.start, *a, pieces.end, *b, pieces.end]
    return ids, [list(range(len(ids)))]


def window_row(pieces, before, is_answer, texts):
    ids, asked = [pieces.start], []
    if before is not None:
        own = pieces.encode(before)[-BEFORE_MAX:]
        if is_answer:
            asked = list(range(1, 1 + len(own)))
        ids += [*own, pieces.end]
    spans = []
    for i, text in enumerate(texts):
        own = pieces.encode(text)[: min(TEXT_MAX, max(0, PIECES_MAX - 1 - len(ids)))]
        spans.append((asked if i == 0 else []) + list(range(len(ids), len(ids) + len(own))))
        ids += own
    return [*ids, pieces.end], spans
