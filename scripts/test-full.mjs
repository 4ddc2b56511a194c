// `npm run test:full`: what `npm test` runs, and the tests in test-full: the packed packages, other versions of Node, real
// clients, torture and mutants. It fetches the packages in test-full/packages.
import { readdirSync } from "node:fs";
import { ensureTestPackage, installPackages, runSteps } from "./setup.mjs";
import { checks, programs, unit } from "./steps.mjs";

/** A lock file without the binaries of every platform: plain `npm ci` refuses it. */
const ways = {
  bundlers: ["install", "--no-save"],
};
const folders = readdirSync(new URL("../test-full/packages", import.meta.url));

installPackages();
await runSteps([
  checks,
  programs,
  ...folders.map((name) => [`${name} for the tests`, () => ensureTestPackage(name, ways[name])]),
  ["tests", () => unit({ MNEMOSYNE_TESTS: "full" })],
]);
