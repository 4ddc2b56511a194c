// Which test files enter which functions, and how long each takes. Recorded once by running them with marks in the sources,
// kept in node_modules/.cache, and recorded again for a test file when it or a source it enters has changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bench } from "./bench-process.mjs";
import { filesIn, root } from "./find.mjs";

const cachePath = `${root}node_modules/.cache/mutants/seen-by.json`;
/** Where the tests of a room are. Other folders run the build, or another room. */
const testFolders = { core: ["test/core"], engine: ["test/engine", "test/durability", "test/eval"] };
const recordMsMax = 300_000;

/** For each test file its time and the places it enters: `Map<test, { ms, places: Set<"file:start"> }>`. */
export async function seenBy({ rooms, again = false, say }) {
  const kept = again || !existsSync(cachePath) ? {} : JSON.parse(readFileSync(cachePath, "utf8"));
  const tests = rooms.flatMap((room) => testFolders[room]).flatMap((folder) => filesIn(folder, ".test.ts"));
  const records = Object.fromEntries(
    tests.filter((test) => isCurrent(test, kept[test])).map((test) => [test, kept[test]]),
  );
  const missing = tests.filter((test) => !(test in records));
  if (missing.length > 0) say(`recording what ${missing.length} test files enter`);
  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  try {
    await record(missing, folder, records, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    keep({ ...kept, ...records });
  }
  return new Map(Object.entries(records).map(([test, { ms, places }]) => [test, { ms, places: new Set(places) }]));
}

async function record(tests, folder, records, say) {
  const waiting = [...tests];
  const benches = [new Bench({ MUTANTS_RECORD: folder }), new Bench({ MUTANTS_RECORD: folder })];
  await Promise.all(
    benches.map(async (bench) => {
      for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
        const [result] = await bench.run({ tests: [test] }, () => recordMsMax);
        if (!result.ok) say(`${test} fails without any change, and is left out: ${result.failure}`);
        const places = result.ok ? readPlaces(test, folder) : [];
        records[test] = { hash: hashOf(test), ms: result.ms, places, sources: hashesOf(places) };
      }
      bench.end();
    }),
  );
}

function readPlaces(test, folder) {
  const found = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return found.find(([path]) => path === root + test)?.[1] ?? [];
}

function keep(records) {
  mkdirSync(join(cachePath, ".."), { recursive: true });
  writeFileSync(cachePath, JSON.stringify(records));
}

function isCurrent(test, kept) {
  if (kept === undefined || kept.hash !== hashOf(test)) return false;
  return Object.entries(kept.sources).every(([file, hash]) => existsSync(root + file) && hashOf(file) === hash);
}

function hashesOf(places) {
  const files = new Set(places.map((place) => place.slice(0, place.lastIndexOf(":"))));
  return Object.fromEntries([...files].map((file) => [file, hashOf(file)]));
}

const hashes = new Map();

function hashOf(file) {
  if (!hashes.has(file)) {
    hashes.set(
      file,
      createHash("sha256")
        .update(readFileSync(root + file))
        .digest("hex")
        .slice(0, 16),
    );
  }
  return hashes.get(file);
}
