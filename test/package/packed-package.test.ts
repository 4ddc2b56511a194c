/** What users install: the package as it is packed, not the source that the other tests run on. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { read } from "../docs/project-files.js";
import { PackedPackage } from "./packed-package.js";

const packed = new PackedPackage();
afterAll(() => packed.remove());

interface Door {
  readonly types: string;
  readonly default: string;
  readonly require: Pick<Door, "types" | "default">;
}

const { exports, typesVersions, bin } = JSON.parse(read("package.json")) as {
  exports: Record<string, Door>;
  typesVersions: Record<string, Record<string, string[]>>;
  bin: Record<string, string>;
};
const cli = `node_modules/mnemosyne-edge/${bin["mnemosyne"]}`;
const doors = Object.keys(exports).filter((door) => door !== "./package.json");

describe("the packed package", () => {
  it("holds the build, the documents, the benchmarks and the judge, and nothing of the workshop", () => {
    const wanted = ["dist/index.js", "README.md", "LICENSE", "docs/architecture.md", "CHANGELOG.md"];
    for (const path of [...wanted, "models/judge.safetensors", "models/words.safetensors"])
      expect(packed.files).toContain(path);
    for (const folder of ["benchmarks/journeys/", "benchmarks/trust/"]) {
      expect(packed.files.some((path) => path.startsWith(folder))).toBe(true);
    }
    expect(
      packed.files.filter((path) => /^(?:src|test|bench|scripts|training|assembly|node_modules)\//u.test(path)),
    ).toEqual([]);
  });

  it("holds no file whose source is gone", () => {
    const built = packed.files.filter((path) => /^dist\/(?!inspector\/).*\.js$/u.test(path));
    expect(built.length).toBeGreaterThan(100);
    const sourceOf = (path: string): string => path.replace(/^dist/u, "src").replace(/\.js$/u, ".ts");
    expect(built.filter((path) => !isThere(sourceOf(path)))).toEqual([]);
  });

  it("holds the inspector's page, whose files are bundled", () => {
    const page = packed.files.filter((path) => path.startsWith("dist/inspector/"));
    expect(page).toContain("dist/inspector/index.html");
    expect(page.filter((path) => /assets\/index-[\w-]+\.js$/u.test(path))).toHaveLength(1);
  });

  it.each(doors)("opens by %s", (door) => {
    const script = `import(${JSON.stringify(`mnemosyne-edge${door.slice(1)}`)}).then((m) => console.log(Object.keys(m).length))`;
    expect(Number(packed.run("-e", script))).toBeGreaterThan(0);
  });

  it.each(doors)("opens by %s to require", (door) => {
    const name = JSON.stringify(`mnemosyne-edge${door.slice(1)}`);
    const script = `import(${name}).then((m) => console.log(require(${name}) === m, Object.keys(m).length > 0))`;
    expect(packed.run("--input-type=commonjs", "-e", script).trim()).toBe("true true");
  });

  it("has types by every door, for ES modules, for CommonJS, and for compilers that know no exports", () => {
    const targets = doors.flatMap((door) => [exports[door]!.types, exports[door]!.require.types]);
    expect(targets.filter((path) => !packed.files.includes(path.slice(2)))).toEqual([]);
    const older = doors.filter((door) => door !== ".").map((door) => [door.slice(2), [exports[door]!.types]]);
    expect(typesVersions["*"]).toEqual(Object.fromEntries(older));
  });

  it("has no doors for CommonJS that lead nowhere", () => {
    const wanted = doors.flatMap((door) => Object.values(exports[door]!.require).map((path) => path.slice(2)));
    expect(packed.files.filter((path) => /\.c[jt]s$/u.test(path)).toSorted()).toEqual(wanted.toSorted());
  });

  it("has no other doors", () => {
    const script = 'import("mnemosyne-edge/dist/engine/recall/recall.js").catch((e) => console.log(e.code))';
    expect(packed.run("-e", script).trim()).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  it.each(["fast", "portable"])("judges with its own file the %s way", (way) => {
    const script = `import("mnemosyne-edge/embedder/bundled").then(async ({ BundledEmbedder }) => {
      const model = new BundledEmbedder({ way: "${way}" });
      const [vector] = await model.embedAdapted(["Ada moved to Lisbon."], "substance");
      await model.close();
      console.log(vector.length);
    })`;
    expect(packed.run("-e", script).trim()).toBe("384");
  });

  it("remembers and recalls from the command line and from a program, over one file", () => {
    const at = ["--path", "ada.db", "--person", "ada"];
    const told = "Ada moved to Lisbon for a job at the aquarium.";
    expect(packed.run(cli, ...at, "commit", told)).toMatch(/^kept\n {2}\S+ {2}Ada moved to Lisbon/u);
    expect(packed.run(cli, ...at, "recall", "Where does Ada live?")).toContain("Lisbon");
    writeFileSync(
      join(packed.folder, "program.js"),
      `import { Mnemosyne } from "mnemosyne-edge";
       const mnemosyne = await Mnemosyne.open({ path: "ada.db" });
       const { context } = await mnemosyne.person("ada").recall("Where does Ada live?");
       console.log(context);
       await mnemosyne.close();`,
    );
    expect(packed.run("program.js")).toContain("Lisbon");
  });
});

function isThere(path: string): boolean {
  try {
    return read(path) !== "";
  } catch {
    return false;
  }
}
