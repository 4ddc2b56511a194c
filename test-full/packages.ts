/** Packages that only `npm run test:full` installs: each folder in test-full/packages has a lock file of its own. */
import { existsSync } from "node:fs";
import { root } from "../test/docs/project-files.js";

export const packages = `${root}test-full/packages`;

/** The newest Node, which some of the packages need. */
export const newestNode = `${packages}/runtimes/node_modules/node-26/bin/node`;

/** Tests with them are left out of `npm test`; in the full tier with CI=true a missing one is a failure. */
export function areInstalled(...paths: readonly string[]): boolean {
  if (process.env["MNEMOSYNE_TESTS"] !== "full") return false;
  return process.env["CI"] === "true" || paths.every((path) => existsSync(path));
}
