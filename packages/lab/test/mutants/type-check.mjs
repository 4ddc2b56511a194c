// Whether the compiler would refuse a mutant. Asked for survivors only, in a copy of the sources outside the project.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./find.mjs";

export class TypeCheck {
  #folder = mkdtempSync(join(tmpdir(), "mutants-types-"));
  #waiting = Promise.resolve();

  constructor() {
    for (const name of ["src", "package.json", "tsconfig.json"]) {
      cpSync(root + name, join(this.#folder, name), { recursive: true });
    }
    symlinkSync(`${root}node_modules`, join(this.#folder, "node_modules"), "junction");
    const tsconfig = { extends: "./tsconfig.json", include: ["src"] };
    writeFileSync(join(this.#folder, "tsconfig.mutant.json"), JSON.stringify(tsconfig));
    process.on("exit", () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** One after the other: all share the copy. */
  isRefused(mutant) {
    const answer = this.#waiting.then(() => this.#compile(mutant));
    this.#waiting = answer;
    return answer;
  }

  async #compile({ file, mutated }) {
    const path = join(this.#folder, file);
    writeFileSync(path, mutated);
    const compiler = `${root}node_modules/typescript/bin/tsc`;
    const refused = await new Promise((resolve) => {
      const args = [compiler, "-p", "tsconfig.mutant.json", "--noEmit"];
      execFile(process.execPath, args, { cwd: this.#folder }, (error) => resolve(error !== null));
    });
    writeFileSync(path, readFileSync(root + file));
    return refused;
  }
}
