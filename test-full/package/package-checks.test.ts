/** What tools that check packages say about the packed one, and what compilers make of its types. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../test/docs/project-files.js";
import { areInstalled, packages } from "../packages.js";
import { PackedPackages, published } from "./packed-packages.js";

const checks = `${packages}/package-checks`;
const isWanted = areInstalled(`${checks}/node_modules/publint`);
const packed = new PackedPackages();
afterAll(() => packed.remove());

describe.runIf(isWanted)("what tools find in the packed package", () => {
  it.each(packed.packed)("publint and attw: nothing in $name", ({ file }) => {
    expect(publint(file)).toContain("All good!");
    expect(attw(file)).toContain("No problems found");
  });

  it("is something where the types of CommonJS are missing", () => {
    const folder = join(packed.folder, "faulty", "package");
    cpSync(join(packed.folder, "node_modules/mnemosyne-edge"), folder, { recursive: true });
    const path = join(folder, "package.json");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("index.d.cts", "index-missing.d.cts"));
    const file = join(packed.folder, "faulty.tgz");
    execFileSync("tar", ["-czf", file, "-C", join(folder, ".."), "package"]);
    expect(publint(file)).toContain("index-missing.d.cts");
    expect(attw(file)).not.toContain("No problems found");
  });
});

function publint(file: string): string {
  return runTool("publint", "src/cli.js", [file, "--strict"]);
}

function attw(file: string): string {
  return runTool("@arethetypeswrong/cli", "dist/index.js", [file, "--format", "ascii", "--no-color"]);
}

function runTool(name: string, path: string, args: readonly string[]): string {
  const tool = join(checks, "node_modules", name, path);
  const { stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { encoding: "utf8" });
  return stdout + stderr;
}

/** What a program may do with a class: name it as a type, extend it, ask for it. */
const uses = `
  class Stricter extends MnemosyneError {}
  export async function open(options: MnemosyneOptions): Promise<Mnemosyne> {
    try {
      return await Mnemosyne.open({ ...options, store: new MemoryStore() });
    } catch (error) {
      if (error instanceof Stricter || error instanceof MnemosyneError) throw new Error(error.code);
      throw error;
    }
  }
  export const remembered: Promise<CommitResult> = open({}).then((all) => all.person("ada").commit({ turns: [] }, { wait: true }));
`;
const importing = `
  import { Mnemosyne, MnemosyneError, type CommitResult, type MnemosyneOptions } from "mnemosyne-edge";
  import { MemoryStore } from "mnemosyne-edge/store/memory";
`;
const everyDoor = published
  .flatMap(({ imports }) => imports)
  .map((door, i) => `import * as door${i} from "${door}"; export { door${i} };`)
  .join("\n");

const compilers = [
  { name: "the newest TypeScript, declarations checked", from: root, isThorough: true },
  // attw's own is 5.6, which does not know that typed arrays have a type parameter.
  { name: "TypeScript 5.6", from: join(checks, "node_modules/@arethetypeswrong/core/"), isThorough: false },
].filter(({ from }) => from === root || areInstalled(from));
const cases = compilers.flatMap((compiler) =>
  [
    ["node16", "node16", "cts"],
    ["node16", "node16", "mts"],
    ["nodenext", "nodenext", "cts"],
    ["nodenext", "nodenext", "mts"],
    ["esnext", "bundler", "ts"],
  ].map((settings) => ({ ...compiler, settings: settings as unknown as Settings })),
);

describe("a program in TypeScript", () => {
  it.each(cases)("compiles with $name and $settings", ({ settings, ...compiler }) => {
    expect(compile(compiler, settings, importing + uses + everyDoor)).toBe("");
  });

  it("is refused where it uses what is not there", () => {
    const code = `${importing}Mnemosyne.close();`;
    expect(compile({ from: root, isThorough: true }, ["node16", "node16", "cts"], code)).toContain(
      "Property 'close' does not exist",
    );
  });
});

type Settings = readonly [module: string, resolution: string, extension: string];

/** What the compiler says; a thorough one checks the declarations of the package as well. */
function compile(
  { from, isThorough }: { readonly from: string; readonly isThorough: boolean },
  [module, resolution, extension]: Settings,
  code: string,
): string {
  const types = join(packed.folder, "node_modules/@types");
  if (!existsSync(types)) {
    mkdirSync(types);
    symlinkSync(join(root, "node_modules/@types/node"), join(types, "node"), "junction");
  }
  writeFileSync(join(packed.folder, `program.${extension}`), code);
  const compiler = join(createRequire(from).resolve("typescript/package.json"), "../bin/tsc");
  const settings = [
    "--strict",
    "--noEmit",
    "--skipLibCheck",
    String(!isThorough),
    "--types",
    "node",
    "--target",
    "es2023",
  ];
  const how = ["--module", module, "--moduleResolution", resolution, ...settings, `program.${extension}`];
  const { stdout } = spawnSync(process.execPath, [compiler, ...how], { cwd: packed.folder, encoding: "utf8" });
  return stdout;
}
