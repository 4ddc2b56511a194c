/**
 * The judge's file: for every task an adapter of the bundled model, one byte per number with a scale for every rank, and
 * a head, a linear function of the adapted vector. The format is that of the model's own weights; `training` writes it.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BertAdapter, LowRankChange } from "../onnx/bert-graph.js";
import { type StoredTensor, readSafetensorsTable } from "../onnx/safetensors.js";

export const judgeTasks = ["substance", "relation", "relevance", "area"] as const;
export type JudgeTask = (typeof judgeTasks)[number];

/** One row of weights and a bias per output. */
export interface JudgeHead {
  readonly weights: readonly Float32Array[];
  readonly biases: Float32Array;
}

export interface JudgeAdapter {
  /** The adapters of all tasks, one below the other. */
  readonly changes: BertAdapter;
  /** Which of their ranks take part: a task's own, or none at all. */
  shareOf(task: JudgeTask | undefined): Float32Array;
}

const bundledJudgePath = fileURLToPath(new URL("../../../../models/judge.safetensors", import.meta.url));

export class JudgeFile {
  readonly #tensors: ReadonlyMap<string, StoredTensor>;
  readonly #path: string;

  constructor(path = bundledJudgePath) {
    this.#path = path;
    this.#tensors = readSafetensorsTable(path);
  }

  readHead(task: JudgeTask): JudgeHead {
    const weights = this.#floats(`${task}.weight`);
    const biases = this.#floats(`${task}.bias`);
    const size = weights.length / biases.length;
    return { weights: Array.from(biases, (_, i) => weights.subarray(i * size, (i + 1) * size)), biases };
  }

  /** Of all dense layers, or of those of one layer of the model. */
  readAdapter(layer = ""): JudgeAdapter {
    const suffix = ".a";
    const prefix = `${judgeTasks[0]}.`;
    const names = [...this.#tensors.keys()]
      .filter((name) => name.startsWith(`${prefix}${layer}`) && name.endsWith(suffix))
      .map((name) => name.slice(prefix.length, -suffix.length));
    const ranks = judgeTasks.map((task) => this.#find(`${task}.${names[0]}.a`).shape[0]!);
    return {
      changes: new Map(names.map((name) => [name, this.#readChange(name)])),
      shareOf: (task) =>
        Float32Array.from(judgeTasks.flatMap((each, i) => Array<number>(ranks[i]!).fill(each === task ? 1 : 0))),
    };
  }

  #readChange(name: string): LowRankChange {
    const reads = joinNumbers(judgeTasks.map((task) => this.#rows(`${task}.${name}.a`)));
    const writes = joinNumbers(judgeTasks.map((task) => this.#rows(`${task}.${name}.b`)));
    const rank = judgeTasks.reduce((sum, task) => sum + this.#find(`${task}.${name}.a`).shape[0]!, 0);
    return { rank, reads, writes };
  }

  /** Whole numbers from -127 to 127, a row per rank, each row times its scale. */
  #rows(name: string): Float32Array {
    const scales = this.#floats(`${name}.scale`);
    const bytes = this.#bytes(this.#find(name));
    const whole = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = whole.length / scales.length;
    return Float32Array.from(whole, (number, i) => number * scales[Math.floor(i / size)]!);
  }

  #floats(name: string): Float32Array {
    const { buffer, byteOffset, byteLength } = this.#bytes(this.#find(name));
    return new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT);
  }

  #bytes({ start, byteCount }: StoredTensor): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(new ArrayBuffer(byteCount));
    const file = openSync(this.#path, "r");
    try {
      readSync(file, bytes, 0, byteCount, start);
      return bytes;
    } finally {
      closeSync(file);
    }
  }

  #find(name: string): StoredTensor {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) throw new Error(`${this.#path} has no tensor ${name}`);
    return tensor;
  }
}

function joinNumbers(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}
