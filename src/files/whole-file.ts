/** Text files as the evaluation reads and writes them: whole, or refused by name. */
import { createWriteStream } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { InputError } from "../errors.js";
import { describeUnreadable, describeUnwritable } from "./file-error.js";

export function readWhole(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: Error) => {
    throw new InputError("dataset_invalid", describeUnreadable(file, cause), { cause });
  });
}

/** Written under another name first: an older file survives a failure, and a file that is there is a whole one. */
export async function writeWhole(file: string, pieces: Iterable<string>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(pieces, createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new InputError("option_invalid", describeUnwritable(file, cause), { cause });
  }
}
