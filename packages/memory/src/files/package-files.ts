/**
 * Files of this package that are read or started by their path: workers, the process of onnxruntime, weights. They lie
 * around the code; where a bundler moved the code, they are those of the package as it is installed next to the bundle.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError } from "../errors.js";

const packageName = "mnemosyne-edge";
let root: string | undefined;

/** The address of a file, by its path in the package, such as `dist/stores/sqlite/worker.js`. */
export function packageFile(path: string): URL {
  root ??= findRoot(ownAddress(), process.cwd());
  return new URL(path, root);
}

/** For a thread that runs a file: `--input-type`, for a program given as text, would keep it from starting. */
export function threadOptions(): { readonly execArgv?: string[] } {
  return process.execArgv.some((flag) => flag.startsWith("--input-type")) ? { execArgv: [] } : {};
}

/** Loads what is not an ES module from where this package finds it: bundlers neither see it nor include it. */
export function requireFromPackage(name: string): unknown {
  return createRequire(packageFile("package.json"))(name);
}

/** The path of a file in another package, as this package finds it. */
export function resolveFromPackage(name: string): string {
  return createRequire(packageFile("package.json")).resolve(name);
}

/** The package's folder: around this file, or installed next to it, next to the working folder, or above one of them. */
export function findRoot(address: string, workingFolder: string): string {
  const around = new URL("../../", address).href;
  if (isOurs(around)) return around;
  for (const from of [address, pathToFileURL(join(workingFolder, "program.js")).href]) {
    const installed = resolveRoot(from);
    if (installed !== undefined) return installed;
  }
  throw new InputError(
    "option_invalid",
    `the files of ${packageName} are not where ${address} can find them: a bundler moved the code without them. Install ${packageName} next to the bundle, and mark it as external (esbuild \`--external:${packageName}\`, Rollup \`external\`, Vite \`ssr.external\`, Next.js \`serverExternalPackages\`); docs/install.md has each setting`,
  );
}

function isOurs(folder: string): boolean {
  try {
    const description = readFileSync(new URL("package.json", folder), "utf8");
    return (JSON.parse(description) as { readonly name?: unknown }).name === packageName;
  } catch {
    return false;
  }
}

function resolveRoot(from: string): string | undefined {
  try {
    return new URL("./", pathToFileURL(createRequire(from).resolve(`${packageName}/package.json`))).href;
  } catch {
    return undefined;
  }
}

/** A bundle in the format of CommonJS has no `import.meta.url`. */
function ownAddress(): string {
  return (import.meta.url as string | undefined) ?? pathToFileURL(__filename).href;
}
