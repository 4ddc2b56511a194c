// A project of somebody's own that has installed the packed package from the registry.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { programs } from "./programs.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const start = promisify(execFile);
/** Only against programs that hang: a busy machine may take minutes. */
const limitMs = 900_000;

/** The packed package, in a folder of its own. */
export function pack() {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-runtimes-"));
  const packed = npm(root, "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  return { folder, file: join(folder, JSON.parse(packed)[0].filename) };
}

/** Installs into a new folder, with both programs in it. */
export function createProject(name, { folder, file }, ...args) {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }\n');
  for (const [kind, program] of Object.entries(programs)) writeFileSync(join(project, `program.${kind}`), program);
  installInto(project, file, ...args);
  return project;
}

export function installInto(project, ...args) {
  npm(project, "install", "--no-audit", "--no-fund", "--loglevel=error", ...args);
}

/** Runs a program in an empty working folder inside a project. */
export async function runProgram(project, { command }, program, env = {}) {
  const cwd = mkdtempSync(join(project, "work-"));
  const [binary, ...args] = command;
  try {
    const options = { cwd, env: { ...process.env, ...env }, timeout: limitMs, killSignal: "SIGKILL" };
    const { stdout } = await start(binary, [...args, program], options);
    return { isDone: stdout.startsWith("remembered with "), output: stdout.trim() };
  } catch (error) {
    return { isDone: false, output: `${error.stdout ?? ""}${error.stderr ?? ""}${error.message}` };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

export function copyFolder(from, to) {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

function npm(cwd, ...args) {
  const cli = process.env.npm_execpath;
  const [command, before] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
  return execFileSync(command, [...before, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
