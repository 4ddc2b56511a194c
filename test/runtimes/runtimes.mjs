// The newest Node, in the npm package that holds its binary: test/packages/newest-node.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../packages", import.meta.url));

export const newestNode = {
  name: "Node 26",
  command: [`${packages}/newest-node/node_modules/node-${process.platform}-${process.arch}/bin/node`],
};

export function isThere({ command: [binary] }) {
  return existsSync(binary);
}
