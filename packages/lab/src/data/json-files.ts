/** The JSON files of a folder of data, in the order of their names. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "mnemosyne-edge";

/** Paths; refused if there is none, because then there is no `content`. */
export async function listJsonFiles(folder: string, content: string): Promise<string[]> {
  const names = await readdir(folder).catch((cause: Error) => {
    throw new InputError("dataset_invalid", `${folder} is not a readable folder: ${cause.message}`, { cause });
  });
  const files = names.filter((name) => name.endsWith(".json")).sort();
  if (files.length === 0) throw new InputError("dataset_invalid", `${folder} contains no ${content} (no .json file)`);
  return files.map((file) => join(folder, file));
}
