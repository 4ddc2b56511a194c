/** Where data is read from: what is ours lies in the repository, what others wrote lies in a folder outside of it. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "mnemosyne-edge";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const benchmarks = fileURLToPath(new URL("../../benchmarks", import.meta.url));
export const demoJourney = join(root, "packages/server/demo/knee-replacement.json");
export const cacheFolder = process.env["MNEMOSYNE_LAB_CACHE"] ?? join(root, "node_modules/.cache/mnemosyne-lab");

/** `given` is --data; null if there is no folder of outside data. */
export function findDataFolder(given: string | undefined): string | null {
  const named = given ?? process.env["MNEMOSYNE_DATA"];
  if (named !== undefined && !existsSync(named)) {
    throw new InputError("option_invalid", `the data folder ${named} does not exist`);
  }
  const folder = named ?? join(root, "../shared/data");
  return existsSync(folder) ? folder : null;
}

export function readJson<Content>(file: string): Content {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Content;
  } catch (cause) {
    throw new InputError("dataset_invalid", `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** The JSON files of a folder in the order of their names; none if the folder does not exist. */
export function listJson(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => join(folder, name));
}
