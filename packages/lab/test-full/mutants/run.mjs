// The share of small changes of the source that the tests of its room notice. `npm run test:full` tries a few.
//
//   --rooms paper,recall   these rooms only     --count 20   mutants of each room
//   --seed 1               which mutants
//
// A mutant is caught when a test fails or takes many times as long. One that no input tells from the source survives, too:
// nobody sorts them out, so the share is never 100 %.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { drawMutants, findMutants, rooms } from "./find.mjs";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const config = fileURLToPath(new URL("vitest.config.mjs", import.meta.url));
const slowFactor = 10;

const { values: options } = parseArgs({
  options: {
    rooms: { type: "string", default: Object.keys(rooms).join(",") },
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "mnemosyne-mutants-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const room of options.rooms.split(",")) tryRoom(room);

function tryRoom(room) {
  const mutants = findMutants(room);
  const startMs = performance.now();
  const unchanged = runTests(room, {}, 0);
  if (unchanged.status !== 0) {
    throw new Error(`the tests of ${room} fail without any change:\n${unchanged.stdout}${unchanged.stderr}`);
  }
  const limitMs = 30_000 + Math.ceil(slowFactor * (performance.now() - startMs));
  const drawn = drawMutants(mutants, Number(options.count), options.seed);
  let caught = 0;
  for (const { file, line, change, mutated } of drawn) {
    const code = join(folder, "mutant.ts");
    writeFileSync(code, mutated);
    const isCaught = runTests(room, { MUTANT_SOURCE: file, MUTANT_CODE: code }, limitMs).status !== 0;
    if (isCaught) caught++;
    process.stdout.write(`${isCaught ? "caught" : "survived"} ${relative(root, file)}:${line} ${change}\n`);
  }
  const share = ((100 * caught) / drawn.length).toFixed(0);
  process.stdout.write(`${room}: ${caught} of ${drawn.length} caught (${share} %), drawn from ${mutants.length}\n`);
}

/** A limit of 0 is none. */
function runTests(room, env, limitMs) {
  const paths = rooms[room].tests.map((path) => `packages/memory/${path}`);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", config, ...paths];
  return spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, MNEMOSYNE_TEST_BUILD: "kept", MNEMOSYNE_TESTS: "", ...env },
    encoding: "utf8",
    killSignal: "SIGKILL",
    timeout: limitMs,
  });
}
