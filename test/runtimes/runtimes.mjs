// The runtimes of the matrix: binaries out of npm packages that hold them, so that no install script downloads anything.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../packages", import.meta.url));
const { platform, arch } = process;

/** The newest Node, which `npm test` uses too. */
export const newestNode = {
  name: "Node 26",
  command: [`${packages}/newest-node/node_modules/node-${platform}-${arch}/bin/node`],
};

export const runtimes = [
  { name: "Node 20", command: [`${packages}/runtimes/node_modules/node-20/bin/node`] },
  { name: "Node 22", command: [`${packages}/runtimes/node_modules/node-22/bin/node`] },
  { name: "Node 24", command: [`${packages}/runtimes/node_modules/node-24/bin/node`] },
  newestNode,
  { name: "Bun", command: [`${packages}/runtimes/node_modules/@oven/bun-linux-x64/bin/bun`] },
  {
    name: "Deno",
    command: [
      `${packages}/runtimes/node_modules/@deno/linux-x64-glibc/deno`,
      "run",
      "--quiet",
      "--no-remote",
      "--node-modules-dir=manual",
      "-A",
    ],
  },
];

/** The last Node 20 but one whose `require` refuses ES modules. */
export const nodeBeforeRequire = {
  name: "Node 20.18",
  command: [`${packages}/runtimes/node_modules/node-20-before-require-esm/bin/node`],
};

export function isThere({ command: [binary] }) {
  return existsSync(binary);
}
