/** Files that are written whole; an error names the file. */
import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { link, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError, MnemosyneError } from "../errors.js";
import { describeUnwritable } from "./file-error.js";

/** Who may read a file: one that is replaced keeps what it had, as far as that is narrower. */
const ownerOnly = 0o600;
const linksMax = 40;

/**
 * Written under another name first: a failure leaves the older file intact, and a file that exists is complete. That
 * name is next to the file, where renaming works, and random, so that nobody can prepare a link there.
 */
export async function writeWhole(file: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  await explaining(file, async () => {
    const { path, mode } = await findTarget(file);
    const unfinished = unfinishedNextTo(path);
    const handle = await open(unfinished, "wx", mode);
    try {
      await pipeline(pieces, handle.createWriteStream({ flush: true }));
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  });
}

/**
 * The same for what is written by somebody who needs a path: `make` gets that of an empty file that only its owner may
 * read. Unless it may, nothing is replaced, whoever creates the file meanwhile.
 */
export async function makeWhole<Result>(
  file: string,
  mayReplace: boolean,
  make: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  const { path, unfinished } = await explaining(file, async () => {
    const target = await findTarget(file);
    if (target.isThere && !mayReplace) throw new Error(alreadyThere);
    const name = unfinishedNextTo(target.path);
    await (await open(name, "wx", target.mode)).close();
    return { path: target.path, unfinished: name };
  });
  try {
    const result = await make(unfinished);
    await explaining(file, async () => {
      await sync(unfinished, "r+");
      await (mayReplace ? rename(unfinished, path) : moveToFreeName(unfinished, path));
      // Not every system opens a folder.
      await sync(dirname(path), "r").catch(() => {});
    });
    return result;
  } finally {
    await rm(unfinished, { force: true });
  }
}

const alreadyThere = "there is a file already; choose another name, or replace it with `--force` (`replace: true`)";

/** Renaming would replace what is there; a second name for the file does not. Some file systems know no second names. */
async function moveToFreeName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new Error(alreadyThere, { cause: error });
    if ((await stat(path).catch(nullIfMissing)) !== null) throw new Error(alreadyThere, { cause: error });
    await rename(unfinished, path);
  }
}

function unfinishedNextTo(path: string): string {
  return join(dirname(path), `mnemosyne-${randomBytes(8).toString("hex")}.unfinished`);
}

/** Until the disk has it. */
async function sync(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function explaining<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof MnemosyneError) throw cause;
    throw new InputError("option_invalid", describeUnwritable(file, cause), { cause });
  }
}

interface Target {
  readonly path: string;
  readonly mode: number;
  readonly isThere: boolean;
}

/** The file itself, where `file` may be a link to it: replacing the link would leave its target as it was. */
async function findTarget(file: string): Promise<Target> {
  const found = await stat(file).catch(nullIfMissing);
  if (found === null) return { path: await followLinks(file), mode: ownerOnly, isThere: false };
  if (!found.isFile()) throw new Error(describeKind(found));
  return { path: await realpath(file), mode: found.mode & ownerOnly, isThere: true };
}

/** Where links lead at whose end there is nothing yet. */
async function followLinks(file: string, linksLeft = linksMax): Promise<string> {
  const next = await readlink(file).catch(nullIfMissing);
  if (next === null || linksLeft === 0) return file;
  return followLinks(resolve(dirname(file), next), linksLeft - 1);
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

function describeKind(found: Stats): string {
  if (found.isDirectory()) return "it is a folder";
  const kind = found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device";
  return `it is ${kind}, not a file`;
}
