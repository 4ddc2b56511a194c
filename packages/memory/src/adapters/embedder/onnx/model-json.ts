/** A JSON file of a model; one that is damaged is named. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

export async function readModelJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedFile(path, cause);
  }
}

export function damagedFile(path: string, cause: unknown): Error {
  return new Error(`${resolve(path)} is damaged (${(cause as Error).message}); install its package again`, { cause });
}
