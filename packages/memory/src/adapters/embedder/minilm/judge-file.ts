/**
 * The judge's file: for every task an adapter of the bundled model, one byte per number with a scale for every rank, and
 * a head, a linear function of the adapted vector. The format is that of the model's own weights; `training` writes it.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../../files/package-files.js";
import type { BertAdapter, LowRankChange, ScaledRows } from "../onnx/bert-graph.js";
import { type StoredTensor, readSafetensorsTable } from "../onnx/safetensors.js";

export const judgeTasks = ["substance", "relation", "relevance", "area"] as const;
export type JudgeTask = (typeof judgeTasks)[number];

/** One row of weights and a bias per output. */
export interface JudgeHead {
  readonly weights: readonly Float32Array[];
  readonly biases: Float32Array;
}

export interface JudgeAdapter<Rows = Float32Array> {
  /** The adapters of all tasks, one below the other. */
  readonly changes: BertAdapter<Rows>;
  /** Which of their ranks take part: a task's own, or none at all. */
  shareOf(task: JudgeTask | undefined): Float32Array;
}

export class JudgeFile {
  readonly #tensors: ReadonlyMap<string, StoredTensor>;
  readonly #path: string;

  constructor(path = fileURLToPath(packageFile("models/judge.safetensors"))) {
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
    return this.#withFile((file) => this.#toAdapter(layer, (tensors) => this.#readRows(file, tensors)));
  }

  /** Of all dense layers, where its numbers are. */
  findAdapter(): JudgeAdapter<readonly ScaledRows[]> {
    return this.#withFile((file) =>
      this.#toAdapter("", (names) =>
        names.map((name) => {
          const { start, byteCount } = this.#find(name);
          return { content: { path: this.#path, start, byteCount }, scales: this.#readScales(file, name) };
        }),
      ),
    );
  }

  /** `toRows` is given the names of all tasks' tensors. */
  #toAdapter<Rows>(layer: string, toRows: (names: readonly string[]) => Rows): JudgeAdapter<Rows> {
    const suffix = ".a";
    const prefix = `${judgeTasks[0]}.`;
    const names = [...this.#tensors.keys()]
      .filter((name) => name.startsWith(`${prefix}${layer}`) && name.endsWith(suffix))
      .map((name) => name.slice(prefix.length, -suffix.length));
    const rankOf = (task: JudgeTask, name: string): number => this.#find(`${task}.${name}.a`).shape[0]!;
    const toChange = (name: string): LowRankChange<Rows> => ({
      rank: judgeTasks.reduce((sum, task) => sum + rankOf(task, name), 0),
      reads: toRows(judgeTasks.map((task) => `${task}.${name}.a`)),
      writes: toRows(judgeTasks.map((task) => `${task}.${name}.b`)),
    });
    const ranks = judgeTasks.map((task) => rankOf(task, names[0]!));
    return {
      changes: new Map(names.map((name) => [name, toChange(name)])),
      shareOf: (task) =>
        Float32Array.from(judgeTasks.flatMap((each, i) => Array<number>(ranks[i]!).fill(each === task ? 1 : 0))),
    };
  }

  /** Whole numbers from -127 to 127, a row per rank, each row times its scale. */
  #readRows(file: number, names: readonly string[]): Float32Array {
    const rows = new Float32Array(names.reduce((sum, name) => sum + this.#find(name).byteCount, 0));
    let end = 0;
    for (const name of names) {
      const whole = new Int8Array(readTensor(file, this.#find(name)));
      const scales = this.#readScales(file, name);
      const size = whole.length / scales.length;
      for (let k = 0; k < whole.length; k++) rows[end++] = whole[k]! * scales[Math.floor(k / size)]!;
    }
    return rows;
  }

  #readScales(file: number, name: string): Float32Array {
    return new Float32Array(readTensor(file, this.#find(`${name}.scale`)));
  }

  #floats(name: string): Float32Array {
    return this.#withFile((file) => new Float32Array(readTensor(file, this.#find(name))));
  }

  #withFile<Result>(read: (file: number) => Result): Result {
    const file = openSync(this.#path, "r");
    try {
      return read(file);
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

function readTensor(file: number, { start, byteCount }: StoredTensor): ArrayBuffer {
  const bytes = new ArrayBuffer(byteCount);
  readSync(file, new Uint8Array(bytes), 0, byteCount, start);
  return bytes;
}
