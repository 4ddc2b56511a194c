"""export.py ENCODER.npz OUT.onnx: the trained encoder as one graph for one text at a time, its matrices in 8 bits.

Inputs: `pieces` (int64, T), `pool` (float, S x T: a row for each statement, the shares of its pieces). Outputs: `vectors`
(S x 384, unit length), `readings` (S x outputs), `relation` (1 x 3 and the relevance, over all pieces), `tokens` (T x 64,
unit length).
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from encoder import HEADS, SIZE

SOURCE, OUT = sys.argv[1:3]
packed = np.load(SOURCE)
layers = 1 + max(int(name.split(".")[1]) for name in packed.files if name.startswith("layers."))
nodes, initializers, names = [], [], {}


def keep(name, array):
    initializers.append(numpy_helper.from_array(np.array(array, order="C"), name))
    return name


def add(kind, inputs, outputs=1, **attributes):
    names[kind] = names.get(kind, 0) + 1
    made = [f"{kind}_{names[kind]}_{i}" for i in range(outputs)]
    nodes.append(helper.make_node(kind, list(inputs), made, **attributes))
    return made[0] if outputs == 1 else made


def full(name):
    tensor = packed[name].astype(np.float32)
    return tensor * packed[f"{name}.scale"] if f"{name}.scale" in packed.files else tensor


def quantized(name, parts):
    """Rows of the weights as columns of one matrix, with a scale for each column."""
    weights = np.concatenate([packed[f"{part}.weight"] for part in parts])
    scales = np.concatenate([packed[f"{part}.weight.scale"] for part in parts])[:, 0]
    bias = np.concatenate([packed[f"{part}.bias"] for part in parts])
    return keep(f"{name}.weight", weights.T), keep(f"{name}.scale", scales.astype(np.float32)), keep(f"{name}.bias", bias.astype(np.float32))


def dense(x, name, parts):
    """x in whole numbers, with one scale for all of it, times the weights."""
    weight, scale, bias = quantized(name, parts)
    whole, step, zero = x
    product = add("Cast", [add("MatMulInteger", [whole, weight, zero])], to=TensorProto.FLOAT)
    return add("Add", [add("Mul", [product, add("Mul", [step, scale])]), bias])


def rounded(x):
    return add("DynamicQuantizeLinear", [x], 3)


def norm(x, name):
    return add("LayerNormalization", [x, keep(f"{name}.weight", full(f"{name}.weight")), keep(f"{name}.bias", full(f"{name}.bias"))], axis=-1, epsilon=1e-12)


def gelu(x):
    half = add("Mul", [x, "half"])
    return add("Mul", [half, add("Add", [add("Erf", [add("Mul", [x, "root"])]), "one"])])


def unit(x):
    length = add("Sqrt", [add("ReduceSum", [add("Mul", [x, x]), keep_once("last", np.array([-1], np.int64))], keepdims=1)])
    return add("Div", [x, add("Max", [length, "tiny"])])


def keep_once(name, array):
    if not any(each.name == name for each in initializers):
        keep(name, array)
    return name


def plain(x, name):
    weight = keep(f"{name}.plain", full(f"{name}.weight").T)
    product = add("MatMul", [x, weight])
    return add("Add", [product, keep(f"{name}.bias", full(f"{name}.bias"))]) if f"{name}.bias" in packed.files else product


for name, value in (("half", 0.5), ("root", 2**-0.5), ("one", 1.0), ("tiny", 1e-12), ("attention.scale", (SIZE // HEADS) ** -0.5)):
    keep(name, np.array(value, np.float32))
keep("split", np.array([0, 3, HEADS, SIZE // HEADS], np.int64))
keep("joined", np.array([0, SIZE], np.int64))
words = add("Mul", [add("Cast", [add("Gather", [keep("words", packed["words"]), "pieces"])], to=TensorProto.FLOAT), add("Gather", [keep("words.scale", packed["words.scale"]), "pieces"])])
positions = add("Slice", [keep("positions", full("positions")), keep("zero", np.array([0], np.int64)), add("Shape", ["pieces"])])
x = norm(add("Add", [words, positions]), "norm")
for i in range(layers):
    own = f"layers.{i}"
    qkv = add("Reshape", [dense(rounded(x), f"{own}.attention", [f"{own}.{part}" for part in ("query", "key", "value")]), "split"])
    qkv = add("Transpose", [qkv], perm=[1, 2, 0, 3])
    query, key, value = (add("Gather", [qkv, keep_once(f"part{n}", np.array(n, np.int64))], axis=0) for n in range(3))
    shares = add("Softmax", [add("Mul", [add("MatMul", [query, add("Transpose", [key], perm=[0, 2, 1])]), "attention.scale"])], axis=-1)
    attended = add("Reshape", [add("Transpose", [add("MatMul", [shares, value])], perm=[1, 0, 2]), "joined"])
    x = norm(add("Add", [x, dense(rounded(attended), f"{own}.output", [f"{own}.output"])]), f"{own}.norm1")
    wide = gelu(dense(rounded(x), f"{own}.wide", [f"{own}.wide"]))
    x = norm(add("Add", [x, dense(rounded(wide), f"{own}.narrow", [f"{own}.narrow"])]), f"{own}.norm2")
outputs = []
if "reading.weight" in packed.files:
    outputs.append(("readings", plain(add("MatMul", ["pool", gelu(plain(x, "read_features"))]), "reading")))
    pair = add("ReduceMean", [gelu(plain(x, "pair_features"))], axes=[0], keepdims=1)
    outputs.append(("relation", plain(pair, "pair")))
    outputs.append(("tokens", unit(plain(x, "tokens"))))
outputs.append(("vectors", unit(add("MatMul", ["pool", x]))))
for name, made in outputs:
    nodes.append(helper.make_node("Identity", [made], [name]))
graph = helper.make_graph(
    nodes,
    "encoder",
    [helper.make_tensor_value_info("pieces", TensorProto.INT64, ["T"]), helper.make_tensor_value_info("pool", TensorProto.FLOAT, ["S", "T"])],
    [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name, _ in outputs],
    initializers,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(model, OUT)
