/** What the documents say in code is true: it is in an example or type-checks, the examples run, links lead somewhere. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CodeBlock, codeBlocks, documents, listFiles, prose, read, root, tableRows } from "./project-files.js";

const examples = listFiles("examples").filter((path) => path.endsWith(".ts"));
const blocks = documents.flatMap((document) => codeBlocks(document, "ts"));
const ownBlocks = blocks.filter(({ code }) => !examples.some((path) => read(path).includes(code)));

/** A program of somebody who has installed the package. */
const folder = mkdtempSync(join(tmpdir(), "mnemosyne-docs-"));
let compilerOutput = "";

beforeAll(() => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "mnemosyne-edge"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const path of examples) copyFileSync(root + path, join(folder, path.split("/").at(-1)!));
  for (const block of ownBlocks) writeFileSync(join(folder, `${blockName(block)}.ts`), block.code);
  const compilerOptions = { noEmit: false, outDir: "built", rootDir: ".", typeRoots: [`${root}node_modules/@types`] };
  const config = { extends: `${root}tsconfig.json`, compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  compilerOutput = spawnSync(process.execPath, [compiler, "-p", folder], { cwd: folder, encoding: "utf8" }).stdout;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function blockName({ document, line }: CodeBlock): string {
  return `${document.replaceAll(/\W/gu, "-")}-${line}`;
}

function run(example: string): string {
  return execFileSync(process.execPath, [`built/${example}.js`], { cwd: folder, encoding: "utf8" });
}

describe("code", () => {
  it("is there: in the README and in the architecture", () => {
    expect(codeBlocks("README.md", "ts")).not.toEqual([]);
    expect(codeBlocks("docs/architecture.md", "ts").length).toBeGreaterThan(2);
  });

  it("of the README's first block is the quick start, whole", () => {
    expect(codeBlocks("README.md", "ts")[0]!.code).toBe(read("examples/quick-start.ts"));
  });

  it.each(examples)("%s type-checks as in a program that has installed the package", (path) => {
    expect(compilerErrors(path.split("/").at(-1)!)).toEqual([]);
  });

  it.each(ownBlocks.map((block) => [`${block.document}:${block.line}`, block] as const))(
    "%s, which is in no example, type-checks",
    (_, block) => expect(compilerErrors(`${blockName(block)}.ts`)).toEqual([]),
  );

  it("that does not type-check would be noticed", () => {
    expect(existsSync(join(folder, "built", "quick-start.js"))).toBe(true);
    expect(compilerOutput.split("\n").filter((line) => line.includes("error TS"))).toEqual([]);
  });
});

function compilerErrors(file: string): string[] {
  return compilerOutput.split("\n").filter((line) => line.startsWith(file));
}

describe("the examples run:", () => {
  it("quick-start, with the bundled embedder", () => {
    const output = run("quick-start");
    expect(output).toContain("I moved to Lisbon for the job at the aquarium.");
    expect(output).toMatch(/Replay it with seed \d+\./u);
  });

  it("own-embedder", () => expect(run("own-embedder")).toBe("Ada repairs clarinets for a living.\n"));

  it("own-store", () => expect(run("own-store")).toMatch(/^\d+ checks passed\nmemory, 0 batches so far\n$/u));
});

describe("links", () => {
  const links = documents.flatMap((document) =>
    [...prose(document).matchAll(/\]\(([^)\s]+)\)|^\[\w+\]: (\S+)$/gmu)].map(
      (match) => [document, match[1] ?? match[2]!] as const,
    ),
  );

  it.each(links.filter(([, target]) => !/^https?:/u.test(target)))("of %s lead to a file: %s", (document, target) => {
    const [path] = target.split("#");
    const file = path === "" ? document : posix.join(dirname(document), path!);
    expect(existsSync(root + file)).toBe(true);
  });

  it("to elsewhere are encrypted", () => {
    expect(links.map(([, target]) => target).filter((target) => target.startsWith("http:"))).toEqual([]);
  });

  it("by a name have a target, and every target is used", () => {
    const text = prose("README.md");
    const used = new Set([...text.matchAll(/\]\[(\w+)\]/gu)].map((match) => match[1]));
    const defined = new Set([...text.matchAll(/^\[(\w+)\]: /gmu)].map((match) => match[1]));
    expect([...used].sort()).toEqual([...defined].sort());
  });

  it("of the README lead to every document and to every example it is about", () => {
    const missing = documents.filter((document) => document !== "README.md" && !prose("README.md").includes(document));
    expect(missing).toEqual([]);
  });
});

describe("the README names", () => {
  it("every command of the command line", () => {
    const help = execFileSync(process.execPath, [`${root}dist/cli/main.js`, "--help"], { encoding: "utf8" });
    const [, list] = help.split("Commands:\n");
    const commands = [...list!.split("\n\n")[0]!.matchAll(/^ {2}(\w+)/gmu)].map((match) => match[1]!);
    const named = tableRows("README.md", "The command line").map(([cell]) => cell!.replaceAll(/`|mnemosyne /gu, ""));
    expect(named.toSorted()).toEqual(commands.filter((command) => command !== "help").sort());
  });

  it("every option of opening a memory", () => {
    const interfaces = ["export interface StoreOptions {", "export interface MnemosyneOptions extends StoreOptions {"];
    const bodies = interfaces.map((head) => read("src/mnemosyne.ts").split(head)[1]!.split("\n}")[0]!);
    const options = bodies.flatMap((body) => [...body.matchAll(/readonly (\w+)\?:/gu)].map((match) => match[1]!));
    const named = tableRows("README.md", "Options").map(([cell]) => cell!.replaceAll("`", ""));
    expect(named.toSorted()).toEqual(options.sort());
  });

  it("every method of a person's memory", () => {
    const [, body] = read("src/person-memory.ts").split("export class PersonMemory {");
    const methods = [...body!.matchAll(/^ {2}(?:async )?(?:\*)?([a-z]\w*)\(/gmu)].map((match) => match[1]!);
    const missing = methods.filter((name) => name !== "constructor" && !read("README.md").includes(`\`${name}\``));
    expect(methods.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it("every environment variable that the command line reads, as its help does", () => {
    const sources = listFiles("src").filter((path) => path !== "src/cli/environment.ts");
    const pattern = /\b(?:MNEMOSYNE|OPENAI)_[A-Z_]+\b|(?<=process\.env\[")\w+/gu;
    const names = new Set(sources.flatMap((path) => [...read(path).matchAll(pattern)].map(([name]) => name)));
    expect(names.size).toBeGreaterThan(10);
    const help = execFileSync(process.execPath, [`${root}dist/cli/main.js`, "help"], { encoding: "utf8" });
    const [list] = help.split("Environment:\n")[1]!.split("\n\n");
    const helped = [...list!.matchAll(/^ {2}(\w+) /gmu)].map((match) => match[1]!);
    const named = tableRows("README.md", "Environment variables").map(([cell]) => cell!.replaceAll("`", ""));
    expect(helped.toSorted()).toEqual([...names].sort());
    expect(named).toEqual(helped);
  });

  it("the exit codes as the command line does", () => {
    const codes = /Exit codes: [^\n`]+\./u.exec(read("src/cli/main.ts"))![0];
    expect(read("README.md")).toContain(codes);
  });

  it("the version and the licence of the package", () => {
    const { version, license } = JSON.parse(read("package.json")) as { version: string; license: string };
    expect(read("README.md")).toContain(`Status: ${version}`);
    expect(read("README.md")).toContain(license);
    expect(read("CHANGELOG.md")).toContain(version);
  });
});
