/**
 * The package as it lies in somebody's `node_modules`, with or without the optional package of the fast embedder, or with
 * another in its place. Scripts run in it as a user's would.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface ScriptResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
}

export class Installation {
  readonly #folder = mkdtempSync(join(tmpdir(), "mnemosyne-installation-"));

  /** `runtime` is the source of what is found as `onnxruntime-node`. */
  constructor({ runtime }: { runtime?: string } = {}) {
    const own = this.#makeFolder("mnemosyne-edge");
    cpSync(join(root, "dist"), join(own, "dist"), { recursive: true });
    cpSync(join(root, "package.json"), join(own, "package.json"));
    symlinkSync(join(root, "node_modules/@lat.md"), join(this.#folder, "node_modules/@lat.md"), "junction");
    if (runtime !== undefined) writeFileSync(join(this.#makeFolder("onnxruntime-node"), "index.js"), runtime);
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
    const child = execFile(process.execPath, [path], (_, out, error) => {
      resolve({ code: child.exitCode, signal: child.signalCode, out, error });
    });
  });
}
