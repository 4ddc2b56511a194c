/** The package's own files, from where the code is and from where a bundler moved it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { findRoot, packageFile } from "../../src/files/package-files.js";
import { root } from "../../../../test/docs/project-files.js";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-bundle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const own = addressOf(folder, "app/node_modules/mnemosyne-edge/");
writeDescription("app/node_modules/mnemosyne-edge", "mnemosyne-edge");
writeDescription("app", "app");
const elsewhere = join(folder, "elsewhere");
mkdirSync(elsewhere);

it("are around the code", () => {
  expect(packageFile("package.json").href).toBe(pathToFileURL(join(root, "packages/memory/package.json")).href);
  expect(findRoot(`${own}dist/files/package-files.js`, elsewhere)).toBe(own);
});

it("are those of the package installed above a bundle, whatever stands around that", () => {
  for (const path of ["app/bundle.mjs", "app/out/bundle.mjs", "app/out/server/bundle.mjs"]) {
    expect(findRoot(addressOf(folder, path), elsewhere)).toBe(own);
  }
});

it("are found from the working folder by a bundle that knows only where it was built", () => {
  expect(findRoot(addressOf(folder, "gone/node_modules/x/dist/files/x.js"), join(folder, "app"))).toBe(own);
});

it("or the message says what to set", () => {
  expect(() => findRoot(addressOf(folder, "elsewhere/bundle.mjs"), elsewhere)).toThrow(/serverExternalPackages/u);
});

function addressOf(...path: readonly string[]): string {
  return pathToFileURL(join(...(path as [string]))).href;
}

function writeDescription(path: string, name: string): void {
  mkdirSync(join(folder, path), { recursive: true });
  const exports = { "./package.json": "./package.json" };
  writeFileSync(join(folder, path, "package.json"), JSON.stringify({ name, exports }));
}
