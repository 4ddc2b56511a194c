/** Programs that use the real clients, run on the newest Node, which the clients need. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../../../test/docs/project-files.js";
import { areInstalled, newestNode, packages } from "../../../../test-full/packages.js";

const clients = `${packages}/chat-clients/node_modules`;

export const areClientsThere = areInstalled(clients, newestNode);

/** Runs a program as if it lay next to the clients, in a folder of the test's own; resolves with what it printed. */
export async function runWithClients(
  program: string,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  if (!existsSync(join(folder, "node_modules"))) symlinkSync(clients, join(folder, "node_modules"));
  const copy = join(folder, basename(program));
  copyFileSync(root + program, copy);
  copyFileSync(`${root}packages/server/test-full/proxy/seen.mjs`, join(folder, "seen.mjs"));
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 2 ** 20 };
  return (await promisify(execFile)(newestNode, [copy, ...args], options)).stdout;
}
