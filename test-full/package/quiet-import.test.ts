/** Importing the package starts nothing, sets no flag and loads no native code; a memory in memory needs none at all. */
import { afterAll, describe, expect, it } from "vitest";
import { PackedPackages, published } from "./packed-packages.js";

const packed = new PackedPackages();
afterAll(() => packed.remove());

const doors = published.flatMap(({ imports }) => imports);

/** Counts what is started and set, from before the first import on. */
const counting = `
  import child_process from "node:child_process";
  import { syncBuiltinESMExports } from "node:module";
  import v8 from "node:v8";
  import worker_threads from "node:worker_threads";
  const started = [];
  for (const name of ["fork", "spawn", "spawnSync", "exec", "execFile", "execFileSync"]) {
    const original = child_process[name];
    child_process[name] = (...args) => (started.push(name), original(...args));
  }
  const { setFlagsFromString } = v8;
  v8.setFlagsFromString = (flag) => (started.push(flag), setFlagsFromString(flag));
  const { Worker } = worker_threads;
  worker_threads.Worker = class extends Worker {
    constructor(...args) {
      started.push("Worker");
      super(...args);
    }
  };
  syncBuiltinESMExports();
  const natives = () => process.report.getReport().sharedObjects.filter((path) => path.endsWith(".node")).length;
  const tell = () => console.log(JSON.stringify({ started, natives: natives() }));
`;

const remembering = (options: string): string => `
  const { Mnemosyne } = await import("mnemosyne-edge");
  const mnemosyne = await Mnemosyne.open(${options});
  const ada = mnemosyne.person("ada");
  await ada.commit({ turns: [{ who: "user", text: "I moved to Lisbon for the job at the aquarium." }] });
  await ada.settled();
  if (!(await ada.recall("Where do I live?")).context.includes("Lisbon")) throw new Error("nothing was recalled");
  tell();
  await mnemosyne.close();
`;

function run(code: string): unknown {
  return JSON.parse(packed.run("--input-type=module", "-e", counting + code));
}

describe("importing", () => {
  it.each(doors)("%s starts nothing and loads no native code", (door) => {
    // What the import itself closes is gone a moment later.
    const code = `await import("${door}");
      await new Promise((resolve) => setTimeout(resolve, 20));
      started.push(...process.getActiveResourcesInfo().filter((name) => !/^(?:CloseReq|PipeWrap|TTYWrap)$/u.test(name)));
      tell();`;
    expect(run(code)).toEqual({ started: [], natives: 0 });
  });
});

describe("a memory in memory", () => {
  it("needs no native code with the portable embedder", () => {
    expect(run(remembering('{ path: ":memory:", embedder: "portable" }'))).toEqual({ started: ["fork"], natives: 0 });
  });

  it("loads none into the program's own process with the usual embedder either", () => {
    expect(run(remembering('{ path: ":memory:" }'))).toMatchObject({ natives: 0 });
  });

  it("is not what a file is: SQLite's own code is there then", () => {
    expect(run(remembering('{ path: "ada.db", embedder: "portable" }'))).toMatchObject({ natives: 1 });
  });
});
