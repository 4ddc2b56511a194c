/**
 * The packages that Mnemosyne is compared with, in a separate folder: none of them is a dependency. A package that does not
 * install here is left out, and the page shows why.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("node_modules/installed", import.meta.url));
const messageLengthMax = 600;

/** Neither mem0ai nor sqlite-vec includes SQLite; their documentation uses better-sqlite3, here in mem0ai's range. */
const versions = { "better-sqlite3": "12.11.1", mem0ai: "3.3.1", "sqlite-vec": "0.1.9", usearch: "2.25.3" };

/** mem0ai sends usage data unless it is told not to. */
const quietEnv = { ...process.env, MEM0_TELEMETRY: "false" };

/** Loads an installed package as if from that folder. */
export const requirePackage = createRequire(join(folder, "load.cjs"));

/** Installs what is missing; returns each package's version and, if it is unusable, the error. */
export async function installPackages(write) {
  mkdirSync(folder, { recursive: true });
  const description = join(folder, "package.json");
  if (!existsSync(description)) writeFileSync(description, JSON.stringify({ private: true }));
  const packages = [];
  for (const [name, version] of Object.entries(versions)) {
    packages.push({ name, version, error: await installPackage(name, version, write) });
  }
  return packages;
}

async function installPackage(name, version, write) {
  try {
    if (readInstalledVersion(name) !== version) {
      write(`installing ${name} ${version} …\n`);
      const options = ["--no-audit", "--no-fund", "--no-package-lock", "--save-exact", "--legacy-peer-deps"];
      await run("npm", ["install", "--prefix", folder, ...options, `${name}@${version}`], {
        shell: process.platform === "win32",
      });
    }
    // In its own process, because an incompatible native module may crash it.
    await run(process.execPath, ["-e", `require(${JSON.stringify(entryOf(name))})`], { cwd: folder, env: quietEnv });
    return null;
  } catch (error) {
    return String(error.stderr || error.message)
      .trim()
      .slice(-messageLengthMax);
  }
}

function readInstalledVersion(name) {
  const path = join(folder, "node_modules", name, "package.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).version : null;
}

function entryOf(name) {
  return name === "mem0ai" ? "mem0ai/oss" : name;
}
