/**
 * Damage in random places of the file: every way of reading it either says what it said before or names the damage, and
 * the process lives.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startChild } from "./child-process.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { fillRichDatabase } from "./rich-database.js";
import { ScratchFolder } from "./scratch-folder.js";

interface Report {
  readonly path: string;
  readonly way: string;
  /** Digest of the answer. */
  readonly answer?: string;
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

/** The words of each interaction in an export. */
function wordsOf(lines: readonly string[]): Map<string, string> {
  const words = new Map<string, string>();
  for (const line of lines) {
    const { type, interaction } = JSON.parse(line) as { type: string; interaction: Record<string, unknown> };
    if (type === "interaction")
      words.set(String(interaction["id"]), JSON.stringify([interaction["turns"], interaction["summary"]]));
  }
  return words;
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

    const words = wordsOf(before.flatMap(({ salvaged }) => salvaged ?? []));
    for (const { salvaged } of reports) {
      for (const [id, said] of wordsOf(salvaged ?? [])) {
        // An interaction that was lost is told in the words of its memory.
        if (said.startsWith("[[],") && words.get(id) !== said) continue;
        expect(said).toBe(words.get(id));
      }
    }
  });
});
