/** The bundled encoder where something of it is broken: native code, or a file of the model. */
import { cpSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Installation, encoderPackage, ownPackage } from "../../test/adapters/installation.js";

async function runIn(installation: Installation, script: string): Promise<string> {
  try {
    const { out, error } = await installation.run(script);
    expect(error).toBe("");
    return out.trim();
  } finally {
    installation.remove();
  }
}

it.each<[string, string, RegExp]>([
  ["does not load", "throw new Error('libc.musl: no such file')", /libc\.musl: no such file/u],
  ["crashes", "process.kill(process.pid, 'SIGSEGV')", /its process ended with (?:SIGSEGV|code)/u],
  [
    "gives wrong vectors",
    `exports.Tensor = class {};
     exports.InferenceSession = {
       create: async () => ({ run: async () => new Proxy({}, { get: () => ({ data: new Float32Array(384 * 64).fill(1) }) }) }),
     };`,
    /known sentence is off by \d/u,
  ],
])("native code that %s: the portable way takes over", async (_, runtime, reason) => {
  const out = await runIn(
    new Installation({ runtime, links: { "onnxruntime-web": ownPackage("onnxruntime-web") } }),
    `import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
     const embedder = new BundledEmbedder();
     const [vector] = await embedder.embed(["The cat sleeps on the sofa."]);
     console.log(vector.length, embedder.runtime);
     await embedder.close();`,
  );
  expect(out).toMatch(/^384 WebAssembly, since native code does not work here: /u);
  expect(out).toMatch(reason);
});

/** With both packages of onnxruntime. */
const runtimes = Object.fromEntries(["onnxruntime-node", "onnxruntime-web"].map((name) => [name, ownPackage(name)]));

const shorten = (path: string): void => truncateSync(path, statSync(path).size - 1);

it.each<[string, string, (path: string) => void]>([
  ["encoder.onnx", "short by a byte", shorten],
  ["encoder.onnx", "missing", rmSync],
  ["encoder.onnx", "empty", (path) => truncateSync(path)],
  ["vocab.txt", "missing", rmSync],
])("%s, %s, is named, whichever way is asked for", async (name, _, damage) => {
  const copy = mkdtempSync(join(tmpdir(), "mnemosyne-damaged-"));
  try {
    cpSync(ownPackage(encoderPackage), copy, { recursive: true, dereference: true });
    damage(join(copy, name));
    const out = await runIn(
      new Installation({ links: { ...runtimes, [encoderPackage]: copy } }),
      `import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
       const folder = ${JSON.stringify(copy)};
       const ways = [{}, { way: "fast" }, { way: "portable" }];
       for (const options of [...ways, ...ways.map((way) => ({ ...way, folder }))]) {
         const embedder = new BundledEmbedder(options);
         await embedder.embed(["anything"]).catch(({ code, message }) => console.log(code, message.split("\\n")[0]));
         await embedder.close();
       }`,
    );
    const refusals = out.split("\n");
    expect(refusals).toHaveLength(6);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^embedder_failed /u);
      expect(refusal).toContain(name);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

it("the model's process ends with its user's, whenever that ends", async () => {
  for (const ending of ["", 'void embedder.embed(["word ".repeat(254)]); setTimeout(() => process.exit(3), 15);']) {
    const out = await runIn(
      new Installation({ links: runtimes }),
      `import { subscribe } from "node:diagnostics_channel";
       import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
       let helper;
       subscribe("child_process", (message) => (helper = message.process));
       const embedder = new BundledEmbedder();
       await embedder.embed(["anything"]);
       process.stdout.write(String(helper.pid));
       ${ending}`,
    );
    await expect.poll(() => isRunning(Number(out)), { timeout: 10_000 }).toBe(false);
  }
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
