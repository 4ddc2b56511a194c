/**
 * The package as it lies in somebody's `node_modules`, with or without the packages that are optional, or with others in
 * their place. Scripts run in it as a user's would.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Enough for the vectors of some texts. */
const outputByteCountMax = 16 * 2 ** 20;

/** Files of a model, which another folder may replace. */
export const encoderPackage = "mnemosyne-edge-encoder";

/** Where a package lies that this one has installed. */
export function ownPackage(name: string): string {
  return join(root, "node_modules", name);
}

export interface ScriptResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
}

export class Installation {
  readonly #folder = mkdtempSync(join(tmpdir(), "mnemosyne-installation-"));

  /** `runtime` is the source of what is found as `onnxruntime-node`; `links` are folders of packages, by their names. */
  constructor({ runtime, links = {} }: { runtime?: string; links?: Readonly<Record<string, string>> } = {}) {
    const own = this.#makeFolder("mnemosyne-edge");
    for (const part of ["dist", "package.json"]) {
      cpSync(join(root, "packages/memory", part), join(own, part), { recursive: true });
    }
    for (const [name, target] of Object.entries({ [encoderPackage]: ownPackage(encoderPackage), ...links })) {
      const link = join(this.#folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(target, link, "junction");
    }
    if (runtime !== undefined) this.addPackage("onnxruntime-node", { "index.js": runtime });
  }

  /** Puts files into a package that is made up. */
  addPackage(name: string, files: Readonly<Record<string, string>>): void {
    const folder = this.#makeFolder(name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  run(script: string): Promise<ScriptResult> {
    writeFileSync(join(this.#folder, "script.mjs"), script);
    return runScript(join(this.#folder, "script.mjs"));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #makeFolder(name: string): string {
    const folder = join(this.#folder, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

function runScript(path: string): Promise<ScriptResult> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [path], { maxBuffer: outputByteCountMax }, (_, out, error) => {
      resolve({ code: child.exitCode, signal: child.signalCode, out, error });
    });
  });
}
