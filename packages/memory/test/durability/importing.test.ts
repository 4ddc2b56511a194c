/** Importing the package changes nothing in the program that imports it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const door = JSON.stringify(import.meta.resolve("mnemosyne-edge"));
const embedder = JSON.stringify(new URL("./hashing-embedder.mjs", import.meta.url).href);

/** What a program prints, as JSON; it runs `dist`, like any program that uses the package. */
async function outputOf(program: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout) as unknown;
}

const look = `
  import { runInNewContext } from "node:vm";
  const look = () => ({
    gc: typeof globalThis.gc,
    gcElsewhere: runInNewContext("typeof gc"),
    globals: Object.getOwnPropertyNames(globalThis).length,
    argv: process.execArgv.length,
    environment: Object.keys(process.env).length,
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    resources: process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap" && name !== "TTYWrap"),
  });`;

describe("a program that imports the package", () => {
  it("is as it was before: no gc, no flags, no listeners, nothing under way", async () => {
    const [before, after] = (await outputOf(`${look}
      const before = look();
      await import(${door});
      await new Promise((resolve) => setTimeout(resolve, 100));
      console.log(JSON.stringify([before, look()]));`)) as [unknown, unknown];
    expect(after).toEqual(before);
    expect(after).toMatchObject({ gc: "undefined", gcElsewhere: "undefined" });
  });

  it("may run where V8's flags cannot be set, and open a memory", async () => {
    const found = await outputOf(`
      import v8 from "node:v8";
      import { syncBuiltinESMExports } from "node:module";
      v8.setFlagsFromString = () => { throw new Error("not implemented"); };
      syncBuiltinESMExports();
      const { Mnemosyne } = await import(${door});
      const { HashingEmbedder } = await import(${embedder});
      const memories = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), reader: false });
      await memories.person("ada").commit({ summary: "Ada moved to Lisbon for the job at the aquarium." });
      await memories.settled();
      console.log(JSON.stringify((await memories.person("ada").history()).length));
      await memories.close();`);
    expect(found).toBe(1);
  });
});
