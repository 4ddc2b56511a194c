/** Damage all over the file: no record is ever other than it was written, what is missing is reported, and the process lives. */
import { readFileSync, writeFileSync } from "node:fs";
import { SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";
import { describe, expect, test } from "vitest";
import type { ReadSelection, RecordPut, StoreDamage, StoredRecord } from "../../src/stores/store.js";
import { Child } from "../durability/child-process.js";
import { seededRandom } from "../durability/hashing-embedder.mjs";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { fileURLToPath } from "node:url";

interface Report {
  readonly path: string;
  readonly way: string;
  readonly value?: unknown;
  readonly code?: string;
  readonly raw?: string;
}

interface ReadValue {
  readonly records: readonly (Omit<StoredRecord, "bytes"> & { readonly bytes: string })[];
  readonly damage: readonly StoreDamage[];
}

const scratch = new ScratchFolder();
const sectorSize = 512;
const kinds = ["note", "link", "head"];
const selections: [string, ReadSelection][] = [
  ...["ada", "bea"].flatMap((person): [string, ReadSelection][] => [
    [person, {}],
    [person, { kinds: ["link"] }],
    [person, { ids: ["n1", "n40"] }],
    [person, { due: "queue" }],
  ]),
  ["ada", { newestFirst: true, limit: 5 }],
];

const ways: Record<string, (bytes: Buffer, at: number, random: () => number) => void> = {
  bit: (bytes, at, random) => (bytes[at] = bytes[at]! ^ (1 << Math.floor(8 * random()))),
  byte: (bytes, at, random) => (bytes[at] = Math.floor(256 * random())),
  "empty sector": (bytes, at) => bytes.fill(0, at - (at % sectorSize), at - (at % sectorSize) + sectorSize),
  "sector of noise": (bytes, at, random) => {
    const start = at - (at % sectorSize);
    for (let i = start; i < start + sectorSize; i++) bytes[i] = Math.floor(256 * random());
  },
};

async function makeDatabase(): Promise<string> {
  const path = scratch.next();
  const store = await SqliteStore.open({ path });
  for (const person of ["ada", "bea"]) {
    const put = Array.from({ length: 60 }, (_, i): RecordPut => {
      const bytes = Buffer.from(`${person} ${i} `.repeat(1 + ((i * i) % 300)));
      const due = { ...(i % 5 === 0 && { queue: i }), ...(i % 7 === 0 && { expiry: 1e12 + i }) };
      return { kind: kinds[i % 3]!, id: `n${i}`, bytes, due };
    });
    for (let from = 0; from < put.length; from += 20) {
      await store.write(person, null, { put: put.slice(from, from + 20) });
    }
  }
  await store.close();
  return path;
}

function damageCopies(original: string, count: number, seed: string): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const path = scratch.next();
    const bytes = readFileSync(original);
    // Bits most of all: they are the hardest to notice.
    const way = Object.keys(ways)[i % 2 === 0 ? 0 : Math.floor(i / 2) % 4]!;
    ways[way]!(bytes, Math.floor(random() * bytes.length), random);
    writeFileSync(path, bytes);
    return path;
  });
}

async function useAll(paths: readonly string[]): Promise<Report[]> {
  const output = scratch.next(".json");
  const script = fileURLToPath(new URL("sqlite-damage-child.mjs", import.meta.url));
  await new Child(process.execPath, [script, JSON.stringify({ paths, output, selections })]).succeeded();
  return JSON.parse(readFileSync(output, "utf8")) as Report[];
}

describe.each([1, 2])("60 damaged copies, seed %i", (seed) => {
  test("never end the process, and never say anything else without a word", { timeout: 120_000 }, async () => {
    const original = await makeDatabase();
    const copies = damageCopies(original, 60, `damage ${seed}`);
    const whole = new Map((await useAll([original])).map((report) => [report.way, report]));
    const reports = await useAll(copies);

    expect(new Set(reports.map(({ path }) => path)).size).toBe(60);
    expect(reports.filter(({ raw }) => raw !== undefined)).toEqual([]);
    for (const { path, way, value, code } of reports) {
      if (!way.startsWith("read") || code !== undefined) continue;
      const [person] = JSON.parse(way.slice("read ".length)) as [string];
      const all = (whole.get(`read ${JSON.stringify([person, {}])}`)!.value as ReadValue).records;
      const { records, damage } = value as ReadValue;
      for (const record of records) {
        expect(record, `${path} ${way}`).toEqual(all.find(({ place }) => place === record.place));
      }
      if (damage.length === 0) expect(value, `${path} ${way}`).toEqual(whole.get(way)!.value);
    }
    const opened = reports.filter(({ way }) => way === "damage");
    expect(opened.length).toBeGreaterThan(40);
    expect(opened.filter(({ value }) => (value as StoreDamage[] | undefined)?.length === 0).length).toBeLessThan(30);
  });
});

test("of a page of the table that cannot be read, only its records are lost", async () => {
  const original = await makeDatabase();
  const bytes = readFileSync(original);
  const at = bytes.indexOf("ada 31 ");
  const pageSize = 4_096;
  const start = at - (at % pageSize);
  bytes.fill(0xaa, start, start + pageSize);
  const path = scratch.next();
  writeFileSync(path, bytes);
  const reports = await useAll([path]);
  expect(reports.filter(({ way, value }) => way.startsWith("read") && value === undefined)).toEqual([]);
  const { records, damage } = reports.find(({ way }) => way === 'read ["ada",{}]')!.value as ReadValue;
  expect(damage.length).toBeGreaterThan(0);
  expect(records.length).toBeGreaterThan(40);
  expect(records.length).toBeLessThan(60);
});
