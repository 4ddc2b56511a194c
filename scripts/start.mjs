// `npm start`: installs and builds what is missing, then runs the demo (`npm start -- --long` in full), or the command line
// with the arguments given.
import { fileURLToPath } from "node:url";
import { build, installPackages, run } from "./setup.mjs";

installPackages();
build();
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const args = process.argv.slice(2);
try {
  const isDemo = args.every((arg) => arg === "--long");
  run(process.execPath, [cli, ...(isDemo ? ["demo"] : []), ...args]);
} catch (error) {
  process.exitCode = error.status ?? 1;
}
