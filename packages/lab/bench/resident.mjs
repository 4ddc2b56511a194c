/**
 * How much a running memory takes in total: the resident memory of a program and of the process it starts, observed from
 * outside while it commits and recalls with the bundled embedder. Also the disk space of an installation.
 */
import { execFileSync, fork } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { minilmIdentity } from "./fill.mjs";
import { readDemoConversations, readDemoQuestions } from "./demo.mjs";
import { person, summarize } from "./harness.mjs";

const script = fileURLToPath(new URL("resident-process.mjs", import.meta.url));
const root = fileURLToPath(new URL("../../../", import.meta.url));
const lookEveryMs = 25;
const optionalPackages = ["onnxruntime-node", "onnxruntime-common"];

export const residentModes = [
  { name: "fast", options: { embedder: "fast" } },
  { name: "portable", options: { embedder: "portable" } },
];

/** The embedder that the filled store has to name as its own. */
export const residentIdentity = minilmIdentity;

/** Of the demo, if nothing else is given to commit and to ask. */
export async function measureResident({
  path,
  count,
  name,
  options,
  conversations = readDemoConversations(16).map(({ turns }) => turns),
  questions = readDemoQuestions().slice(0, 30),
}) {
  if (process.platform !== "linux") return { count, name, isKnown: false };
  const child = fork(script, { execArgv: [] });
  let peak = { rss: 0, pss: 0 };
  const look = () => {
    const now = readMemory(child.pid);
    if (now.rss > peak.rss) peak = now;
    return now;
  };
  const looking = setInterval(look, lookEveryMs);
  try {
    const times = await ask(child, { path, person, options, conversations, questions });
    const after = look();
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.send("close");
    await exit;
    const { recallMs, ...others } = times;
    return { count, name, isKnown: true, peak, after, ...others, recall: summarize(recallMs) };
  } finally {
    clearInterval(looking);
    child.kill();
  }
}

function ask(child, message) {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the program ended with code ${code}`)));
    child.send(message);
  });
}

/** Of a process and its children; shared pages count fully in `rss`, proportionally in `pss`. */
function readMemory(id) {
  try {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
    const own = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(text)[1]) * 1024;
    const children = readFileSync(`/proc/${id}/task/${id}/children`, "utf8").trim().split(" ").filter(Boolean);
    return children.map(readMemory).reduce((sum, { rss, pss }) => ({ rss: sum.rss + rss, pss: sum.pss + pss }), {
      rss: own("Rss"),
      pss: own("Pss"),
    });
  } catch {
    // The process has ended.
    return { rss: 0, pss: 0 };
  }
}

/** Packages of a production install on this platform, with their sizes. */
export async function measureInstallation() {
  const paths = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((path) => path.includes("node_modules"));
  const packages = [...new Set(paths)].map((path) => ({ path, byteCount: countBytes(path) }));
  const sum = (list) => ({
    packageCount: list.length,
    byteCount: list.reduce((bytes, { byteCount }) => bytes + byteCount, 0),
  });
  const isOptional = ({ path }) => optionalPackages.some((name) => path.endsWith(`node_modules/${name}`));
  const runtime = packages.find(({ path }) => path.endsWith(`node_modules/${optionalPackages[0]}`));
  const own = runtime && join(runtime.path, "bin/napi-v3", process.platform, process.arch);
  return {
    whole: sum(packages),
    withoutFast: sum(packages.filter((one) => !isOptional(one))),
    runtimeByteCount: runtime?.byteCount ?? 0,
    ownPlatformByteCount: own === undefined ? 0 : countBytes(own),
  };
}

/** What `npm pack` puts into the package, unpacked. */
export function measurePackage() {
  const packing = ["pack", "--dry-run", "--ignore-scripts", "--json"];
  const [{ unpackedSize }] = JSON.parse(execFileSync("npm", packing, { cwd: root, encoding: "utf8" }));
  return { byteCount: unpackedSize };
}

function countBytes(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return 0;
  if (!status.isDirectory()) return status.size;
  return readdirSync(path)
    .filter((name) => name !== "node_modules")
    .reduce((sum, name) => sum + countBytes(join(path, name)), 0);
}
