/** A saved run: a line of JSON that says how it was made, then a line for each question to each system. */
import { readFileSync, writeFileSync } from "node:fs";
import { InputError } from "mnemosyne-edge";
import type { Change } from "../systems/system.js";
import type { Result } from "./run.js";

const format = "mnemosyne-recall-1";

export function saveResults(file: string, change: Change, results: readonly Result[]): void {
  const lines = [{ format, ...change }, ...results].map((line) => JSON.stringify(line));
  writeFileSync(file, `${lines.join("\n")}\n`);
}

export function readResults(file: string): Result[] {
  try {
    const [head, ...lines] = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    if ((head as { format?: unknown }).format === format) return lines as Result[];
  } catch (cause) {
    throw new InputError("dataset_invalid", `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  throw new InputError("dataset_invalid", `${file} was not saved by \`lab -- recall --save\``);
}
