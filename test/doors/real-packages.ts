/** The packages that the doors fit, in test/packages/doors; some of them need a newer Node than the project. */
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../docs/project-files.js";
import { isThere, newestNode } from "../runtimes/runtimes.mjs";

export const packagesFolder = join(root, "test/packages/doors/");

/** Without them their tests are skipped, except on continuous integration. */
export const hasPackages = process.env["CI"] === "true" || existsSync(join(packagesFolder, "node_modules/ai"));
export const hasNewestNode = process.env["CI"] === "true" || isThere(newestNode);
export const newestNodePath = newestNode.command[0]!;

/** A module of one of the packages, typed by whoever asks for it. */
export async function importReal<Module>(name: string): Promise<Module> {
  const path = createRequire(packagesFolder).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
}
