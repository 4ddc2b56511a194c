/**
 * The packages that the doors fit, in test-full/packages/doors. Some need a newer Node than the project does: programs that
 * use them run in a folder of their own, next to these packages and ours, with the newest Node.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { packages as allPackages, areInstalled, newestNode } from "../../../../test-full/packages.js";
import { root } from "../../../../test/docs/project-files.js";

const packages = `${allPackages}/doors/`;

export const areDoorsThere = areInstalled(`${packages}node_modules`, newestNode);

/** A module of one of the packages, with the types that the test gives it. */
export async function importReal<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(createRequire(packages).resolve(name)).href)) as Module;
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

  /** Output of a program of this repository there, on the newest Node. */
  run(program: string, ...args: readonly string[]): string {
    const path = join(this.path, basename(program));
    copyFileSync(join(root, program), path);
    return execFileSync(newestNode, [path, ...args], { cwd: this.path, encoding: "utf8" });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
