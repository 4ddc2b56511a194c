/** The packages as users install them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listFiles } from "../../test/docs/project-files.js";
import { PackedPackages, published } from "./packed-packages.js";

const packed = new PackedPackages();
afterAll(() => packed.remove());

describe.each(published)("packed, packages/$folder", ({ folder, description, doors, imports }) => {
  const { files } = packed.packed.find(({ name }) => name === description.name)!;

  it("holds the build with its documents, and nothing of the workshop", () => {
    const [data, page] = { memory: ["dist/", "dist/index.js"], server: ["demo/", "dist/inspector/index.html"] }[
      folder
    ]!;
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json", page]));
    expect(files.filter((path) => path.startsWith(data!))).not.toEqual([]);
    expect(files.filter((path) => /^(?:src|test|test-full|scripts|assembly|node_modules)\//u.test(path))).toEqual([]);
  });

  it("holds no file whose source is gone", () => {
    const built = files.filter((path) => /^dist\/(?!inspector\/).*\.js$/u.test(path));
    const sources = new Set(listFiles(`packages/${folder}/src`));
    const isLeft = (path: string): boolean =>
      !sources.has(`packages/${folder}/${path.replace(/^dist/u, "src").replace(/\.js$/u, ".ts")}`);
    expect(built.length).toBeGreaterThan(50);
    expect(built.filter(isLeft)).toEqual([]);
  });

  it("opens by every door, to import and to require", () => {
    const script = `
      import { createRequire } from "node:module";
      const require = createRequire(process.cwd() + "/program.js");
      for (const name of ${JSON.stringify(imports)}) {
        const module = await import(name);
        if (Object.keys(module).length === 0 || require(name) !== module) console.log(name);
      }`;
    expect(packed.run("--input-type=module", "-e", script)).toBe("");
  });

  it("has types by every door, also for compilers that ignore exports, and no other doors for CommonJS", () => {
    const entries = doors.map((door) => [door, description.exports[door]!] as const);
    const targets = entries.flatMap(([, entry]) =>
      typeof entry === "string" ? [] : [entry.types, entry.require.types],
    );
    expect(targets.filter((path) => !files.includes(path.slice(2)))).toEqual([]);
    const older = entries.flatMap(([door, entry]) =>
      door === "." || typeof entry === "string" ? [] : [[door.slice(2), [entry.types]]],
    );
    expect(description.typesVersions["*"]).toEqual(Object.fromEntries(older));
    expect(files.filter((path) => /\.c[jt]s$/u.test(path))).toHaveLength(2 * doors.length);
  });
});

it("remembers and recalls from the command line and from a program, over one file", () => {
  const cli = `node_modules/mnemosyne-edge-server/${published[1]!.description.bin!["mnemosyne"]}`;
  const at = ["--path", "ada.db", "--person", "ada"];
  const told = "Ada moved to Lisbon for a job at the aquarium.";
  expect(packed.run(cli, ...at, "commit", told)).toMatch(/^kept\n/u);
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
