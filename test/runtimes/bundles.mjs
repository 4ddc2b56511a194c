// The programs as bundles: whole, with the package inside, and with the package left in `node_modules`. Each bundler's
// settings are those that docs/runtimes.md names.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const loadBundler = createRequire(fileURLToPath(new URL("../packages/bundlers/package.json", import.meta.url)));

/** Each writes into a folder of the project and gives back the path of the program. */
export const bundles = [
  ["esbuild, ESM", (project) => esbuild(project, "mjs", {})],
  ["esbuild, ESM, minified", (project) => esbuild(project, "mjs", { minify: true })],
  ["esbuild, ESM, external", (project) => esbuild(project, "mjs", { external: ["mnemosyne-edge"] })],
  ["esbuild, CommonJS", (project) => esbuild(project, "cjs", {})],
  ["Rollup, ESM", (project) => rollup(project, "mjs")],
  ["Rollup, CommonJS", (project) => rollup(project, "cjs")],
  ["Vite SSR (external, its default)", (project) => vite(project, {})],
  ["Vite SSR, noExternal", (project) => vite(project, { noExternal: true })],
];

async function esbuild(project, kind, settings) {
  const out = join(project, "bundles", `esbuild-${Object.keys(settings).join("-")}`, `program.${kind}`);
  await loadBundler("esbuild").build({
    entryPoints: [join(project, `program.${kind}`)],
    outfile: out,
    bundle: true,
    platform: "node",
    format: kind === "mjs" ? "esm" : "cjs",
    // A bundle in CommonJS has no import.meta, as the bundler says; the package knows another way.
    logOverride: { "empty-import-meta": "silent" },
    logLevel: "warning",
    ...settings,
  });
  return out;
}

async function rollup(project, kind) {
  const plugins = ["node-resolve", "commonjs", "json"].map((name) => {
    const plugin = loadBundler(`@rollup/plugin-${name}`);
    return (plugin.default ?? plugin)(name === "node-resolve" ? { exportConditions: ["node"] } : {});
  });
  // Of a store that the program does not open, and not installed.
  const external = ["@redis/client"];
  const input = join(project, `program.${kind}`);
  const bundle = await loadBundler("rollup").rollup({ input, plugins, external });
  const dir = join(project, "bundles", `rollup-${kind}`);
  const names = { entryFileNames: `[name].${kind}`, chunkFileNames: `[name]-[hash].${kind}` };
  await bundle.write({ dir, format: kind === "mjs" ? "es" : "cjs", ...names });
  await bundle.close();
  return join(dir, `program.${kind}`);
}

async function vite(project, ssr) {
  const { build } = await import(pathToFileURL(join(packageFolder("vite"), "dist/node/index.js")).href);
  const outDir = join(project, "bundles", `vite-${Object.keys(ssr).join("-")}`);
  const input = join(project, "program.mjs");
  await build({ root: project, configFile: false, logLevel: "warn", build: { ssr: input, outDir }, ssr });
  return join(outDir, "program.js");
}

function packageFolder(name) {
  return join(loadBundler.resolve(`${name}/package.json`), "..");
}
