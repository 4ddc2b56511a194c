import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const { name, exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  name: string;
  exports: Record<string, string | { default: string }>;
};

/** What a program imports from the package is the source here, so that a test proves what was just edited. */
const alias = Object.entries(exports).flatMap(([path, target]) =>
  typeof target === "string"
    ? []
    : [{ find: new RegExp(`^${name}${path.slice(1)}$`, "u"), replacement: sourceOf(target.default) }],
);

function sourceOf(built: string): string {
  return root + built.replace(/^\.\/dist\//u, "src/").replace(/\.js$/u, ".ts");
}

/**
 * Worker threads and child processes cannot run TypeScript on Node 20. They get the build, which test/build.mjs brings up to
 * date before the first test: a source file takes itself for its built twin when it names a file next to it.
 */
const builtNeighbours: Plugin = {
  name: "built-neighbours",
  enforce: "pre",
  transform(code, id) {
    if (!id.startsWith(`${root}src/`) || !code.includes("import.meta.url")) return null;
    const twin = id.replace(`${root}src/`, `${root}dist/`).replace(/\.ts$/u, ".js");
    return { code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(twin).href)), map: null };
  },
};

export default defineConfig({
  plugins: [builtNeighbours],
  resolve: { alias },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/build.mjs"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
