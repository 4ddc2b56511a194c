/** Text files that are read and written whole; an error names the file. */
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

/** Written under another name first: a failure leaves the older file intact, and a file that exists is complete. */
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
