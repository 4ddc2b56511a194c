// `npm run test:full`: what `npm test` runs, and the tests in test-full: the packed packages, other versions of Node, real
// clients, the conformance suite of MCP, torture and mutants. It fetches the packages in test-full/packages.
import { readdirSync } from "node:fs";
import { ensureTestPackage, installPackages, runSteps } from "./setup.mjs";
import { checks, programs, unit } from "./steps.mjs";

/** Lock files without the binaries of every platform, or with peers that disagree: plain `npm ci` refuses them. */
const ways = {
  bundlers: ["install", "--no-save"],
  doors: ["ci", "--legacy-peer-deps"],
};
const folders = readdirSync(new URL("../test-full/packages", import.meta.url));

installPackages();
await runSteps([
  checks,
  programs,
  ...folders.map((name) => [`${name} for the tests`, () => ensureTestPackage(name, ways[name])]),
  ["tests", () => unit({ MNEMOSYNE_TESTS: "full" })],
]);
