// `npm start`: installs and builds what is missing, then serves the demo's person (`npm start -- --port 8080` elsewhere), or runs
// the command line with the arguments given (`npm start -- list`).
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build, installPackages } from "./setup.mjs";

installPackages();
build();
const cli = fileURLToPath(new URL("../packages/server/dist/cli/main.js", import.meta.url));
const args = process.argv.slice(2);
const isServer = args.length === 0 || /^--(?:port|host)\b/u.test(args[0]);
const child = spawn(process.execPath, [cli, ...(isServer ? ["serve", "--demo"] : []), ...args], { stdio: "inherit" });
// A terminal sends Ctrl+C to both; this one waits until the other has stopped.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code, signal) => (process.exitCode = signal === null ? code : 1));
