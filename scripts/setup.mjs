// Shared by `npm start` and `npm test`: installs what is missing and builds, on a machine with only Node and npm.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const nodeMajorMin = 20;

export function run(command, args, env = {}, cwd = root) {
  execFileSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
}

/** npm itself, found where it was started from, so that Windows and unusual installations work too. */
function npmCommand(...args) {
  const cli = process.env.npm_execpath;
  return cli === undefined ? ["npm", args] : [process.execPath, [cli, ...args]];
}

/** Scripts of package.json, one after the other, while others may run. */
export async function runScripts(...names) {
  for (const name of names) {
    const [command, args] = npmCommand("run", "--silent", name);
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    const status = await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
    if (status !== 0) throw new Error(`npm run ${name}`);
  }
}

/** Installs exactly what the lock file lists, unless that is already done. */
export function installPackages() {
  if (Number(process.versions.node.split(".")[0]) < nodeMajorMin) {
    process.stderr.write(`Node.js ${nodeMajorMin} or newer is needed; this is ${process.version}.\n`);
    process.exit(1);
  }
  installLocked(root, "Installing packages…");
}

export function installLocked(folder, message, how = ["ci", "--include=dev"]) {
  const stamp = `${folder}node_modules/.setup-stamp`;
  const wanted = createHash("sha256")
    .update(readFileSync(`${folder}package-lock.json`))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stdout.write(`${message}\n`);
  const [command, args] = npmCommand(...how, "--no-audit", "--no-fund", "--loglevel=error");
  run(command, args, {}, folder);
  writeFileSync(stamp, wanted);
}

/**
 * Packages that the full tier needs, in their own folder under test-full/packages. If they cannot be installed, their tests
 * are skipped with a message; on continuous integration that is a failure. `how` is for a lock file that lacks binaries of
 * other platforms, because a registry does not have them: `npm ci` refuses it.
 */
export function ensureTestPackage(name, how) {
  try {
    installLocked(`${root}test-full/packages/${name}/`, `Installing ${name}…`, how);
  } catch (error) {
    if (process.env.CI === "true") throw error;
    process.stderr.write(`${name} could not be installed: tests that need it are skipped.\n`);
  }
}

/** The packages in the order of their dependencies. */
export const packages = ["memory", "server", "lab"];

/** Compiles each package's src to its dist. */
export function build() {
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  for (const name of packages) {
    const folder = `packages/${name}`;
    removeOutdated(`${root}${folder}/`);
    run(process.execPath, [compiler, "-p", `${folder}/tsconfig.build.json`]);
    if (name !== "lab") run(process.execPath, ["scripts/commonjs-doors.mjs", folder]);
  }
  buildInspector();
  chmodSync(`${root}packages/server/dist/cli/main.js`, 0o755);
}

/** Bundles the inspector into the server's dist, unless nothing has changed since. */
function buildInspector() {
  const server = `${root}packages/server/`;
  const stamp = `${root}node_modules/.inspector-stamp`;
  const inputs = ["package-lock.json", "packages/server/vite.inspector.config.ts"].concat(
    ...["packages/server/src/inspector", "packages/memory/src/core"].map((path) => filesIn(path)),
  );
  const hash = createHash("sha256");
  for (const path of inputs) hash.update(path).update(readFileSync(root + path));
  const wanted = hash.digest("hex");
  const isThere = existsSync(`${server}dist/inspector/index.html`) && existsSync(stamp);
  if (isThere && readFileSync(stamp, "utf8") === wanted) return;
  // Whatever the caller runs as, such as tests: another value would make another bundle.
  const env = { NODE_ENV: "production" };
  const vite = `${root}node_modules/vite/bin/vite.js`;
  run(process.execPath, [vite, "build", "--config", "vite.inspector.config.ts"], env, server);
  writeFileSync(stamp, wanted);
}

function filesIn(path) {
  if (statSync(root + path).isFile()) return [path];
  return readdirSync(root + path, { recursive: true })
    .map((name) => `${path}/${name}`)
    .filter((name) => statSync(root + name).isFile())
    .toSorted();
}

/** Removes built files whose source is gone; the compiler leaves them, and `npm pack` would include them. */
function removeOutdated(folder) {
  const dist = `${folder}dist/`;
  if (!existsSync(dist)) return;
  for (const path of readdirSync(dist, { recursive: true })) {
    const source = `${folder}src/${path.replace(/\.(?:js|d\.ts)$/u, ".ts")}`;
    // The bundler empties its own folder.
    if (/^inspector\b/u.test(path)) continue;
    if (/\.(?:js|ts)$/u.test(path) && !existsSync(source)) rmSync(dist + path);
  }
}

/**
 * A program that tests need and npm does not provide. If it is missing, root installs it with apt-get. If that is not
 * possible, its tests are skipped with a message; on continuous integration that is a failure. The variable can name the
 * path of a program installed elsewhere.
 */
export function ensureDebianPackage(binary, debianPackage, variable, folder = "/usr/bin") {
  const isThere = () => existsSync(process.env[variable] ?? findIn(folder, binary));
  if (isThere()) return;
  const isOurs = process.env[variable] === undefined && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (isOurs) installDebianPackage(debianPackage);
  if (isThere()) return;
  const path = process.env[variable] ?? `${folder}/${binary}`;
  const advice = `install Debian's package ${debianPackage}, or set ${variable} to the path of ${binary}`;
  if (process.env.CI === "true") throw new Error(`there is no ${path}; ${advice}`);
  process.stderr.write(`There is no ${path}: tests that need it are skipped. To run them, ${advice}.\n`);
}

/** The path of a program in a folder; a star stands for any version. */
function findIn(folder, binary) {
  const [start, end] = folder.split("*");
  if (end === undefined) return `${folder}/${binary}`;
  const versions = existsSync(start) ? readdirSync(start) : [];
  return versions.map((version) => `${start}${version}${end}/${binary}`).find((path) => existsSync(path)) ?? "";
}

function installDebianPackage(debianPackage) {
  process.stdout.write(`Installing Debian's package ${debianPackage}…\n`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  try {
    run("apt-get", ["update", "-qq"], env);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", debianPackage], env);
  } catch (error) {
    process.stderr.write(`apt-get failed: ${error.message}\n`);
  }
}

/** Runs steps one after the other and stops at the first that fails. */
export async function runSteps(steps) {
  for (const [name, step] of steps) {
    process.stdout.write(`\n▶ ${name}\n`);
    try {
      await step();
    } catch (error) {
      process.stderr.write(`\n✗ ${name} failed${error.status === undefined ? `: ${error.message}` : ""}\n`);
      process.exit(1);
    }
  }
}
