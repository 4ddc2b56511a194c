/**
 * Damage in random places of the file: every way of reading it either says what it said before or names the damage, and
 * the process lives.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startChild } from "./child-process.js";
import { parseLines } from "./export-lines.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { fillRichDatabase } from "./rich-database.js";
import { ScratchFolder } from "./scratch-folder.js";

interface Report {
  readonly path: string;
  readonly way: string;
  /** Digest of the answer. */
  readonly answer?: string;
  /** If the answer is a number. */
  readonly count?: number;
  readonly code?: string;
  readonly message?: string;
  readonly raw?: string;
  readonly salvaged?: readonly string[];
}

const scratch = new ScratchFolder();
const people = ["Zoë", "bea"];
const sectorSize = 512;

const kinds: Record<string, (bytes: Buffer, at: number, random: () => number) => void> = {
  bit: (bytes, at, random) => (bytes[at] = bytes[at]! ^ (1 << Math.floor(8 * random()))),
  byte: (bytes, at, random) => (bytes[at] = Math.floor(256 * random())),
  "empty sector": (bytes, at) => bytes.fill(0, at - (at % sectorSize), at - (at % sectorSize) + sectorSize),
  "sector of noise": (bytes, at, random) => {
    const start = at - (at % sectorSize);
    for (let i = start; i < start + sectorSize; i++) bytes[i] = Math.floor(256 * random());
  },
};

function damageCopies(original: string, count: number): string[] {
  const random = seededRandom(`damage ${count}`);
  return Array.from({ length: count }, (_, i) => {
    const path = scratch.next();
    const bytes = readFileSync(original);
    // Bits most of all: they are the hardest to notice.
    const kind = Object.keys(kinds)[i % 2 === 0 ? 0 : Math.floor(i / 2) % 4]!;
    kinds[kind]!(bytes, Math.floor(random() * bytes.length), random);
    writeFileSync(path, bytes);
    return path;
  });
}

async function useAll(paths: readonly string[], options: object): Promise<Report[]> {
  const child = startChild("damage-child.mjs", { paths, people, ...options });
  const lines = await child.succeeded();
  return lines.map((line) => JSON.parse(line) as Report);
}

/** What it claims about the persons: an answer, or that there is none. */
function claimOf({ way, answer, code }: Report): string | undefined {
  if (way === "damage") return undefined;
  return answer ?? (code?.startsWith("unknown_") === true ? code : undefined);
}

/** What each interaction in an export says. An export can be imported, whatever is missing in it. */
function wordsOf(lines: readonly string[]): Map<string, string> {
  const interactions = parseLines(lines).entries.map(({ interaction }) => interaction);
  return new Map(interactions.map(({ id, turns, summary }) => [id, JSON.stringify([turns, summary])]));
}

describe.each([
  { count: 24, options: {} },
  { count: 12, options: { encryptionKey: "correct horse" } },
])("$count damaged copies, $options", ({ count, options }) => {
  test("never end the process, and never say anything else without a word", { timeout: 300_000 }, async () => {
    const whole = scratch.next();
    await fillRichDatabase({ path: whole, ...options });
    const paths = damageCopies(whole, count);
    const before = await useAll([whole], options);
    expect(before.filter(({ code, raw }) => raw !== undefined || code?.startsWith("store_") === true)).toEqual([]);
    const claims = new Map(before.map((report) => [report.way, claimOf(report)]));
    const reports = await useAll(paths, options);

    expect(new Set(reports.map(({ path }) => path)).size).toBe(count);
    expect(reports.filter(({ raw }) => raw !== undefined)).toEqual([]);
    const silent = reports.filter(
      (report) => claimOf(report) !== undefined && claimOf(report) !== claims.get(report.way),
    );
    expect(silent).toEqual([]);

    const unnamed = new Set(
      reports.filter(({ way, count: found }) => way === "damage" && found === 0).map(({ path }) => path),
    );
    const hidden = reports.filter(({ path, way, code }) => {
      return unnamed.has(path) && code?.startsWith("store_") === true && way !== "damage";
    });
    expect(hidden).toEqual([]);

    for (const name of people) {
      const salvages = (list: readonly Report[]) => list.filter(({ way }) => way === `salvage ${name}`);
      const words = wordsOf(salvages(before)[0]!.salvaged!);
      expect(words.size).toBeGreaterThan(0);
      for (const { path, salvaged, code } of salvages(reports)) {
        const saved = salvaged === undefined ? new Map<string, string>() : wordsOf(salvaged);
        if (saved.size < words.size) expect([path, code, unnamed.has(path)]).toEqual([path, code, false]);
        for (const [id, said] of saved) {
          // An interaction that was lost is told in the words of its memory.
          if (said.startsWith("[[],") && words.get(id) !== said) continue;
          expect(said).toBe(words.get(id));
        }
      }
    }
  });
});
