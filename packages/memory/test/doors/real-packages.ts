/**
 * The packages that the doors fit, in test-full/packages/doors. Some need a newer Node than the project does: programs that use
 * them run in a folder of their own, next to these packages and this one, with the newest Node.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../../../test/docs/project-files.js";
import { areInstalled, newestNode, packages as allPackages } from "../../../../test-full/packages.js";

const packages = `${allPackages}/doors/`;

export const hasPackages = areInstalled(`${packages}node_modules/ai`);
export const hasNewestNode = hasPackages && areInstalled(newestNode);

/** A module of one of the packages, typed by whoever asks for it. */
export async function importReal<Module>(name: string): Promise<Module> {
  const path = createRequire(packages).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
}

export class DoorsFolder {
  readonly path = mkdtempSync(join(tmpdir(), "mnemosyne-doors-"));

  constructor() {
    writeFileSync(join(this.path, "package.json"), '{ "type": "module" }');
    const modules = join(this.path, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(packages, "node_modules"))) {
      if (!name.startsWith(".")) symlinkSync(join(packages, "node_modules", name), join(modules, name), "junction");
    }
    symlinkSync(join(root, "packages/memory"), join(modules, "mnemosyne-edge"), "junction");
  }

  /** What a program of this repository prints there, on the newest Node. */
  run(program: string, ...args: readonly string[]): string {
    const path = join(this.path, basename(program));
    copyFileSync(join(root, program), path);
    return execFileSync(newestNode, [path, ...args], {
      cwd: this.path,
      encoding: "utf8",
      env: { ...process.env, OPENAI_AGENTS_DISABLE_TRACING: "1", MEM0_TELEMETRY: "false" },
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
