// What `npm start` and `npm test` share: they install what is missing and build, on a machine with Node and npm only.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const nodeMajorMin = 20;

export function run(command, args, env = {}) {
  execFileSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
}

/** npm itself, found where it was started from, so that Windows and odd installations work too. */
export function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli !== undefined) run(process.execPath, [cli, ...args]);
  else run("npm", args);
}

/** Installs exactly what the lock file names, unless that is done already. */
export function installPackages() {
  if (Number(process.versions.node.split(".")[0]) < nodeMajorMin) {
    process.stderr.write(`Node.js ${nodeMajorMin} or newer is needed; this is ${process.version}.\n`);
    process.exit(1);
  }
  const stamp = `${root}node_modules/.setup-stamp`;
  const wanted = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stdout.write("Installing packages…\n");
  npm("ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error");
  writeFileSync(stamp, wanted);
}

export function build() {
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  run(process.execPath, [compiler, "-p", "tsconfig.build.json"]);
  run(process.execPath, [compiler, "-p", "tsconfig.browser.json", "--noEmit", "false"]);
  chmodSync(`${root}dist/cli/main.js`, 0o755);
}

/** Runs steps one after the other and ends with the first that fails. */
export function runSteps(steps) {
  for (const [name, step] of steps) {
    process.stdout.write(`\n▶ ${name}\n`);
    try {
      step();
    } catch (error) {
      process.stderr.write(`\n✗ ${name} failed${error.status === undefined ? `: ${error.message}` : ""}\n`);
      process.exit(1);
    }
  }
}
