import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const names = ["memory", "server"];

/** A program that imports a package imports its source here, so that a test proves the code as it is. */
const alias = names.flatMap((folder) => {
  const description = readFileSync(`${root}packages/${folder}/package.json`, "utf8");
  const { name, exports } = JSON.parse(description) as {
    name: string;
    exports: Record<string, string | { default: string }>;
  };
  const source = `${root}packages/${folder}/src/`;
  const doors = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string"
      ? []
      : [{ find: new RegExp(`^${name}${path.slice(1)}$`, "u"), replacement: sourceOf(target.default, source) }],
  );
  return [...doors, { find: new RegExp(`^${name}/internal/(.*)\\.js$`, "u"), replacement: `${source}$1.ts` }];
});

function sourceOf(built: string, source: string): string {
  return source + built.replace(/^\.\/dist\//u, "").replace(/\.js$/u, ".ts");
}

/**
 * Worker threads and child processes cannot run TypeScript on Node 20. They get the build, which test/build.mjs brings up to
 * date before the first test: a source file names the files next to its built twin instead of its own.
 */
const builtNeighbours: Plugin = {
  name: "built-neighbours",
  enforce: "pre",
  transform(code, id) {
    if (!id.startsWith(`${root}packages/`) || !id.includes("/src/") || !code.includes("import.meta.url")) return null;
    const twin = id.replace("/src/", "/dist/").replace(/\.ts$/u, ".js");
    return { code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(twin).href)), map: null };
  },
};

/** `npm run test:full` runs both. */
const folders = process.env["MNEMOSYNE_TESTS"] === "full" ? ["test", "test-full"] : ["test"];

export default defineConfig({
  plugins: [builtNeighbours],
  resolve: { alias },
  test: {
    include: folders.flatMap((folder) => [`packages/*/${folder}/**/*.test.ts`, `${folder}/**/*.test.ts`]),
    globalSetup: ["test/build.mjs"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
