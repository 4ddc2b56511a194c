/**
 * The packages as `npm pack` makes them, in the `node_modules` of an empty project, next to their dependencies. A file or
 * entry missing in `files` or `exports` is missing there too, as it would be for a user.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read, root } from "../../test/docs/project-files.js";

export interface Description {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly require: { types: string } }>>;
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The published packages: folder, description, entries that a program can import. */
export const published = ["memory", "server"].map((folder) => {
  const description = JSON.parse(read(`packages/${folder}/package.json`)) as Description;
  const doors = Object.keys(description.exports).filter((door) => !/json$|\*/u.test(door));
  return { folder, description, doors, imports: doors.map((door) => description.name + door.slice(1)) };
});

export class PackedPackages {
  readonly folder = mkdtempSync(join(tmpdir(), "mnemosyne-packed-"));
  readonly packed: readonly { readonly name: string; readonly file: string; readonly files: readonly string[] }[];

  constructor() {
    writeFileSync(join(this.folder, "package.json"), '{ "type": "module" }');
    const workspaces = published.flatMap(({ folder }) => ["-w", `packages/${folder}`]);
    const packing = ["pack", ...workspaces, "--ignore-scripts", "--json", "--pack-destination", this.folder];
    const packed = JSON.parse(npm(packing)) as { name: string; filename: string; files: { path: string }[] }[];
    this.packed = packed.map(({ name, filename, files }) => {
      const file = join(this.folder, filename);
      const own = join(this.folder, "node_modules", name);
      mkdirSync(own, { recursive: true });
      execFileSync("tar", ["-xzf", file, "--strip-components=1", "-C", own]);
      return { name, file, files: files.map(({ path }) => path) };
    });
    for (const { folder, description } of published) this.#linkDependencies(folder, description);
  }

  /** Output of a program in the folder. */
  run(...args: readonly string[]): string {
    return execFileSync(process.execPath, args, { cwd: this.folder, encoding: "utf8" });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Only the named ones: an unnamed dependency is missing. */
  #linkDependencies(folder: string, { dependencies, optionalDependencies }: Description): void {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const target = join(this.folder, "node_modules", name);
      const places = [`packages/${folder}/node_modules/${name}`, `node_modules/${name}`];
      const place = places.find((path) => existsSync(root + path));
      if (place === undefined || existsSync(target)) continue;
      mkdirSync(join(target, ".."), { recursive: true });
      symlinkSync(root + place, target, "junction");
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
