/**
 * The package as `npm pack` makes it, in the `node_modules` of a folder of somebody's own, next to the packages that it
 * depends on. What is forgotten in `files` or `exports` is missing there, as it would be for a user.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../docs/project-files.js";

const name = "mnemosyne-edge";

export class PackedPackage {
  readonly folder = mkdtempSync(join(tmpdir(), "mnemosyne-packed-"));
  /** Paths of the files inside, as a registry would get them. */
  readonly files: readonly string[];
  readonly #filename: string;

  constructor() {
    writeFileSync(join(this.folder, "package.json"), '{ "type": "module" }');
    const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", this.folder];
    const [packed] = JSON.parse(npm(packing)) as { filename: string; files: { path: string }[] }[];
    this.#filename = packed!.filename;
    this.files = packed!.files.map(({ path }) => path);
    const own = join(this.folder, "node_modules", name);
    mkdirSync(own, { recursive: true });
    execFileSync("tar", ["-xzf", join(this.folder, packed!.filename), "--strip-components=1", "-C", own]);
    this.#linkDependencies();
  }

  /** The packed file, as a registry would get it. */
  get file(): string {
    return join(this.folder, this.#filename);
  }

  /** What a program in the folder prints. */
  run(...args: readonly string[]): string {
    return execFileSync(process.execPath, [...args], { cwd: this.folder, encoding: "utf8" });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Only what the package names; something that it uses and does not name is missing here. */
  #linkDependencies(): void {
    const description = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, object>;
    const named = Object.keys({ ...description["dependencies"], ...description["optionalDependencies"] });
    const installed = new Set(readdirSync(join(root, "node_modules")));
    for (const dependency of named) {
      const [top] = dependency.split("/") as [string];
      if (!installed.has(top)) continue;
      mkdirSync(join(this.folder, "node_modules", dependency, ".."), { recursive: true });
      const target = join(root, "node_modules", dependency);
      symlinkSync(target, join(this.folder, "node_modules", dependency), "junction");
    }
  }
}

function npm(args: readonly string[]): string {
  const cli = process.env["npm_execpath"];
  const [command, before] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
  return execFileSync(command, [...before, ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}
