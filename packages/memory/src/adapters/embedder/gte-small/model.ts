/**
 * gte-small for onnxruntime, from the files of an optional package. The graph returns a vector per word piece; their
 * mean, at unit length, is the model's vector of the text.
 *
 * These vectors lie in a narrow cone: unrelated sentences have cosines near 0.76, where all-MiniLM-L6-v2 has 0.1, and
 * every threshold of the memory is on the latter's scale. So a fixed vector, most of the mean of everyday sentences, is
 * subtracted and the rest normalized:
 *
 *   vector = (mean of pieces / |mean of pieces| - centre), at unit length
 */
import { join } from "node:path";
import { gteSmallCentre } from "./centre.js";
import { findGteSmallFolder } from "./package.js";
import { meanDirection, toUnitLength } from "../onnx/mean-direction.js";
import type { OnnxModel } from "../onnx/model.js";
import { unpackVector } from "../packed-vector.js";

const outputName = "last_hidden_state";
const dimensions = 384;
/** The number of positions the model was trained with. */
const tokenCountMax = 512;

export function loadGteSmall(): OnnxModel {
  const folder = findGteSmallFolder();
  const centre = unpackVector(gteSmallCentre);
  return {
    tokenizerPath: join(folder, "tokenizer.json"),
    tokenCountMax,
    graph: join(folder, "onnx/model.onnx"),
    sharedPieceCountMax: 0,
    toInputs: ([ids]) => {
      const pieces = BigInt64Array.from(ids!, BigInt);
      const shape = [1, pieces.length];
      return {
        input_ids: { data: pieces, shape },
        attention_mask: { data: pieces.map(() => 1n), shape },
        token_type_ids: { data: pieces.map(() => 0n), shape },
      };
    },
    toVectors: (outputs) => [subtractCentre(meanDirection(outputs[outputName]!.data, dimensions), centre)],
  };
}

export function subtractCentre(vector: Float32Array, centre: Float32Array): Float32Array {
  return toUnitLength(Float64Array.from(vector, (value, i) => value - centre[i]!));
}
