/** The packed package on other versions of Node, Bun and Deno, and inside bundles: commit, recall and forget. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { PackedPackages } from "../package/packed-packages.js";
import { areInstalled, newestNode, packages } from "../packages.js";

const packed = new PackedPackages();
afterAll(() => packed.remove());

const binaries = `${packages}/runtimes/node_modules`;
const runtimes: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "Node that runs the tests": [process.execPath],
  "Node 20": [`${binaries}/node-20/bin/node`],
  "Node 22": [`${binaries}/node-22/bin/node`],
  "Node 24": [`${binaries}/node-24/bin/node`],
  "Node 26": [newestNode],
  Bun: [`${binaries}/@oven/bun-linux-x64/bin/bun`],
  Deno: [`${binaries}/@deno/linux-x64-glibc/deno`, "run", "--quiet", "--no-remote", "--node-modules-dir=manual", "-A"],
};
const installed = Object.entries(runtimes).filter(([, [binary]]) => areInstalled(binary));

const remember = `
async function remember(Mnemosyne) {
  for (const path of [":memory:", "ada.db"]) {
    const mnemosyne = await Mnemosyne.open({ path });
    const ada = mnemosyne.person("ada");
    const turns = [{ who: "user", text: "I moved to Lisbon for the job at the aquarium." }];
    await ada.commit({ id: "move", turns }, { wait: true });
    const question = "Where does Ada live and work?";
    const { context } = await ada.recall(question);
    if (!context.includes("Lisbon")) throw new Error(path + " does not recall: " + context);
    await ada.forget("move");
    const left = await ada.recall(question);
    if (left.context.includes("Lisbon")) throw new Error(path + " recalls after forgetting: " + left.context);
    await mnemosyne.close();
  }
  process.stdout.write("remembered");
}
`;
const programs = {
  mjs: `import { Mnemosyne } from "mnemosyne-edge";${remember}await remember(Mnemosyne);`,
  cjs: `const { Mnemosyne } = require("mnemosyne-edge");${remember}remember(Mnemosyne);`,
};
const kinds = ["mjs", "cjs"] as const;
for (const kind of kinds) writeFileSync(join(packed.folder, `program.${kind}`), programs[kind]);

/** In an empty working folder inside the project. */
function run([binary, ...args]: readonly string[], program: string): string {
  const cwd = mkdtempSync(join(packed.folder, "work-"));
  return execFileSync(binary!, [...args, program], { cwd, encoding: "utf8" });
}

/** Some compile everything first, which takes minutes on a busy machine. */
const timeout = 300_000;

describe.each(installed)("%s", { timeout }, (_, command) => {
  it.each(kinds)("runs a program in .%s", (kind) => {
    expect(run(command, join(packed.folder, `program.${kind}`))).toBe("remembered");
  });
});

const oldNode = `${binaries}/node-20-before-require-esm/bin/node`;

it.runIf(areInstalled(oldNode))("a Node that cannot require ES modules says what to do", () => {
  const attempt = (): string => run([oldNode], join(packed.folder, "program.cjs"));
  expect(attempt).toThrow('write `await import("mnemosyne-edge")` instead');
  expect(run([oldNode], join(packed.folder, "program.mjs"))).toBe("remembered");
});

const hasBundlers = areInstalled(`${packages}/bundlers/node_modules/esbuild`);

describe.runIf(hasBundlers)("a bundle", () => {
  const load = createRequire(`${packages}/bundlers/package.json`);

  it.each([
    ["mjs", {}],
    ["mjs", { minify: true }],
    ["mjs", { external: ["mnemosyne-edge"] }],
    ["cjs", {}],
  ] as const)("of esbuild runs: %s, %j", async (kind, settings) => {
    const outfile = join(packed.folder, "bundles", `esbuild-${Object.keys(settings).join("-")}.${kind}`);
    await load("esbuild").build({
      entryPoints: [join(packed.folder, `program.${kind}`)],
      outfile,
      bundle: true,
      platform: "node",
      format: kind === "mjs" ? "esm" : "cjs",
      logOverride: { "empty-import-meta": "silent" },
      logLevel: "warning",
      ...settings,
    });
    expect(run([process.execPath], outfile)).toBe("remembered");
  });

  it.each(kinds)("of Rollup runs: %s", async (kind) => {
    const plugins = ["node-resolve", "commonjs", "json"].map((name) => {
      const plugin = load(`@rollup/plugin-${name}`);
      return (plugin.default ?? plugin)(name === "node-resolve" ? { exportConditions: ["node"] } : {});
    });
    const input = join(packed.folder, `program.${kind}`);
    const bundle = await load("rollup").rollup({ input, plugins, external: ["@redis/client"] });
    const dir = join(packed.folder, "bundles", `rollup-${kind}`);
    const names = { entryFileNames: `[name].${kind}`, chunkFileNames: `[name]-[hash].${kind}` };
    await bundle.write({ dir, format: kind === "mjs" ? "es" : "cjs", ...names });
    await bundle.close();
    expect(run([process.execPath], join(dir, `program.${kind}`))).toBe("remembered");
  });

  it.each([{}, { noExternal: true }])("of Vite's server build runs: %j", async (ssr) => {
    const entry = join(load.resolve("vite/package.json"), "../dist/node/index.js");
    const { build } = (await import(/* @vite-ignore */ pathToFileURL(entry).href)) as {
      build: (settings: object) => Promise<unknown>;
    };
    const outDir = join(packed.folder, "bundles", `vite-${Object.keys(ssr).join("-")}`);
    mkdirSync(outDir, { recursive: true });
    const settings = { ssr: join(packed.folder, "program.mjs"), outDir };
    await build({ root: packed.folder, configFile: false, logLevel: "warn", build: settings, ssr });
    expect(run([process.execPath], join(outDir, "program.js"))).toBe("remembered");
  });
});
