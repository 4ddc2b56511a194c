// A process that keeps one vitest ready and runs test files on a changed source, told by its parent. The change exists only
// in the answer of a plugin: no file is written, so whatever ends this process leaves the sources as they are. Threads and
// child processes of tests run `dist`, which is not changed.
import { readFileSync } from "node:fs";
import { createVitest } from "vitest/node";
import { root } from "./find.mjs";
import { markFunctions } from "./marks.mjs";

const isRecording = process.env.MUTANTS_RECORD !== undefined;
const heapMaxMb = 1500;
let changed = { file: "", code: "" };

const changedSource = {
  name: "changed-source",
  enforce: "pre",
  load(id) {
    const [path] = id.split("?");
    if (path === root + changed.file) return changed.code;
    const isMarked = isRecording && /^src\/(?:core|engine)\//u.test(path.slice(root.length));
    return isMarked ? markFunctions(path.slice(root.length), readFileSync(path, "utf8")) : null;
  },
};

const vitest = await createVitest(
  "test",
  {
    root,
    watch: false,
    reporters: [{}],
    bail: isRecording ? 0 : 1,
    maxWorkers: 1,
    execArgv: [`--max-old-space-size=${heapMaxMb}`],
    setupFiles: isRecording ? [`${root}test/mutants/record.mjs`] : [],
  },
  { plugins: [changedSource] },
);
await vitest.standalone();

process.on("message", async ({ file, code, tests }) => {
  changeSource(file, code);
  for (const test of tests) {
    process.send({ started: test });
    const { ok, ms, failure } = await runTest(test);
    process.send({ finished: test, ok, ms, failure });
    if (!ok && !isRecording) break;
  }
  process.send({ done: true });
});
process.on("disconnect", () => process.exit());
process.send({ ready: true });

function changeSource(file, code) {
  for (const path of [changed.file, file]) if (path) vitest.invalidateFile(root + path);
  changed = { file: file ?? "", code };
}

async function runTest(test) {
  const startMs = performance.now();
  // What earlier runs found must count neither here nor for `bail`.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
    vitest.getRootProject().createSpecification(root + test),
  ]);
  const ok = unhandledErrors.length === 0 && testModules.length === 1 && testModules[0].state() === "passed";
  const failed = testModules.flatMap((module) => [...module.children.allTests("failed")])[0]?.fullName;
  const failure = ok ? undefined : (failed ?? "the file failed");
  return { ok, failure, ms: Math.round(performance.now() - startMs) };
}
