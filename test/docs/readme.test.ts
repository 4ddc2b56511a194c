/** What the documents say in code is true: it is in an example or type-checks, the examples run, links lead somewhere. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Mnemosyne } from "../../packages/memory/src/index.js";
import { PackedPackage } from "../package/packed-package.js";
import { type CodeBlock, codeBlocks, documents, listFiles, prose, read, root, tableRows } from "./project-files.js";

const examples = listFiles("examples").filter((path) => path.endsWith(".ts"));
const blocks = documents.flatMap((document) => codeBlocks(document, "ts"));
const index = "docs/README.md";
const cli = "docs/cli.md";
const ownBlocks = blocks.filter(({ code }) => !examples.some((path) => read(path).includes(code)));

/** A program of somebody who has installed the package. */
const packed = new PackedPackage();
const { folder } = packed;
let compilerOutput = "";

beforeAll(() => {
  for (const path of examples) copyFileSync(root + path, join(folder, path.split("/").at(-1)!));
  for (const block of ownBlocks) writeFileSync(join(folder, `${blockName(block)}.ts`), block.code);
  const compilerOptions = { noEmit: false, outDir: "built", rootDir: ".", typeRoots: [`${root}node_modules/@types`] };
  const config = { extends: `${root}tsconfig.json`, compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  compilerOutput = spawnSync(process.execPath, [compiler, "-p", folder], { cwd: folder, encoding: "utf8" }).stdout;
});

afterAll(() => packed.remove());

function blockName({ document, line }: CodeBlock): string {
  return `${document.replaceAll(/\W/gu, "-")}-${line}`;
}

function run(example: string): string {
  return packed.run(`built/${example}.js`);
}

describe("code", () => {
  it("is there: in the README, the API reference and the page on parts of your own", () => {
    expect(codeBlocks("README.md", "ts")).toHaveLength(2);
    expect(codeBlocks("docs/api.md", "ts")).not.toEqual([]);
    expect(codeBlocks("docs/extend.md", "ts").length).toBeGreaterThan(2);
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
    const [shown] = codeBlocks("README.md", "text");
    const withoutChance = (text: string): string => text.replace(/today, [^:]+:/u, "today:").replace(/\d+\.$/mu, "");
    expect(withoutChance(shown!.code)).toBe(withoutChance(output));
  });

  it("quick-start asks what its memory can answer", async () => {
    const code = read("examples/quick-start.ts");
    const textsOf = (method: string): string[] =>
      [...code.matchAll(new RegExp(String.raw`\.${method}\("([^"]+)"\)`, "gu"))].map(([, text]) => text!);
    await using mnemosyne = await Mnemosyne.open({ path: ":memory:" });
    const ada = mnemosyne.person("ada");
    for (const text of textsOf("commit")) await ada.commit(text, { wait: true });
    const [question, ...others] = textsOf("recall");
    expect(others).toEqual([]);
    expect(await ada.recall(question!)).toMatchObject({ answerable: true });
  });

  it("own-embedder", () => expect(run("own-embedder")).toBe("Ada repairs clarinets for a living.\n"));

  it("own-judge", () => {
    expect(run("own-judge")).toBe(
      "discarded: not kept: small talk\ncommitted: kept\npaired: says the same as …\ncommitted: kept, updates … and …\n",
    );
  });

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

  it.each(links.filter(([, target]) => target.includes("#") && !/^https?:/u.test(target)))(
    "of %s lead to a heading: %s",
    (document, target) => {
      const [path, anchor] = target.split("#") as [string, string];
      const file = path === "" ? document : posix.join(dirname(document), path);
      expect(anchors(file)).toContain(anchor);
    },
  );

  it("to elsewhere are encrypted", () => {
    expect(links.map(([, target]) => target).filter((target) => target.startsWith("http:"))).toEqual([]);
  });

  it.each(documents)("by a name in %s have a target, and every target is used", (document) => {
    const text = prose(document);
    const used = new Set([...text.matchAll(/\]\[(\w+)\]/gu)].map((match) => match[1]));
    const defined = new Set([...text.matchAll(/^\[(\w+)\]: /gmu)].map((match) => match[1]));
    expect([...used].sort()).toEqual([...defined].sort());
  });

  it("of the index lead to every document in docs, and the README leads to the index", () => {
    const pages = documents.filter((document) => document.startsWith("docs/") && document !== index);
    const linked = new Set(links.filter(([document]) => document === index).map(([, target]) => `docs/${target}`));
    expect(pages.length).toBeGreaterThan(15);
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
    expect(links).toContainEqual(["README.md", index]);
  });

  it("of the index stand under four headings", () => {
    const headings = [...read(index).matchAll(/^## (.+)$/gmu)].map((match) => match[1]);
    expect(headings).toEqual(["Start", "How-to", "Reference", "Explanation"]);
  });
});

/** Anchors of a page's headings, as GitHub makes them. */
function anchors(document: string): string[] {
  return [...prose(document).matchAll(/^#+ (.+)$/gmu)].map((match) =>
    match[1]!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the README", () => {
  it("is short: at most 1,500 words and 150 lines", () => {
    const text = read("README.md").trim();
    expect(text.split(/\s+/u).length).toBeLessThanOrEqual(1500);
    expect(text.split("\n").length).toBeLessThanOrEqual(150);
  });

  it("names the two commands of a checkout", () => {
    const commands = codeBlocks("README.md", "sh").flatMap(({ code }) => code.match(/^npm \w+/gmu) ?? []);
    expect(commands).toEqual(["npm start", "npm test"]);
  });

  it("has a picture, and only figures of data that nothing was tuned on", () => {
    expect(read("README.md")).toContain("(docs/evaluation.svg)");
    const rows = tableRows("README.md", "How well it works").map(([, figure]) => figure!);
    const heldOut = read("docs/evaluation.md")
      .split(/^## /mu)
      .find((part) => part.startsWith("Held-out journeys"))!;
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter((figure) => !heldOut.includes(figure))).toEqual([]);
  });

  it("has the version and the licence of the package", () => {
    const { version, license } = JSON.parse(read("package.json")) as { version: string; license: string };
    expect(read("README.md")).toContain(`Status: ${version}`);
    expect(read("README.md")).toContain(license);
    expect(read("CHANGELOG.md")).toContain(version);
  });
});

function runCli(...args: readonly string[]): string {
  return execFileSync(process.execPath, [`${root}dist/cli/main.js`, ...args], { encoding: "utf8" });
}

/** Long options that a help lists, each at the beginning of its line. */
function optionsOf(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gmu)].map((match) => match[1]!);
}

describe("the reference names", () => {
  it("every command of the command line", () => {
    const help = runCli("--help");
    const [, list] = help.split("Commands:\n");
    const commands = [...list!.split("\n\n")[0]!.matchAll(/^ {2}(\w+)/gmu)].map((match) => match[1]!);
    const named = tableRows(cli, "Commands").map(([cell]) => cell!.replaceAll(/`|mnemosyne /gu, ""));
    expect(named.toSorted()).toEqual(commands.filter((command) => command !== "help").sort());
  });

  it("every option of the command line and of its commands, and no other", () => {
    const help = runCli("--help");
    const commands = [...help.matchAll(/^ {2}(\w+) \[options\]/gmu)].map((match) => match[1]!);
    const helped = new Set([help, ...commands.map((command) => runCli("help", command))].flatMap(optionsOf));
    const rows = [...tableRows(cli, "Options of every command"), ...tableRows(cli, "Options of single commands")];
    const named = new Set(
      rows.flatMap(
        (cells) =>
          cells
            .slice(0, 2)
            .join(" ")
            .match(/--[a-z-]+/gu) ?? [],
      ),
    );
    expect(helped.size).toBeGreaterThan(25);
    expect([...named].sort()).toEqual([...helped].sort());
  });

  it("every option of opening a memory", () => {
    const interfaces = ["export interface StoreOptions {", "export interface MnemosyneOptions extends StoreOptions {"];
    const bodies = interfaces.map((head) => read("src/opening.ts").split(head)[1]!.split("\n}")[0]!);
    const options = bodies.flatMap((body) => [...body.matchAll(/readonly (\w+)\?:/gu)].map((match) => match[1]!));
    const named = tableRows("docs/api.md", "Options").map(([cell]) => cell!.replaceAll("`", ""));
    expect(named.toSorted()).toEqual(options.sort());
  });

  it("every environment variable that the command line reads, as its help does", () => {
    const sources = listFiles("src").filter((path) => path !== "src/cli/environment.ts");
    const pattern = /\b(?:MNEMOSYNE|OPENAI)_[A-Z_]+\b|(?<=process\.env\[")\w+|(?<=readVariable\(")\w+/gu;
    const names = new Set(sources.flatMap((path) => [...read(path).matchAll(pattern)].map(([name]) => name)));
    expect(names.size).toBeGreaterThan(10);
    const help = runCli("help");
    const [list] = help.split("Environment:\n")[1]!.split("\n\n");
    const helped = [...list!.matchAll(/^ {2}(\w+) /gmu)].map((match) => match[1]!);
    const named = tableRows(cli, "Environment variables").map(([cell]) => cell!.replaceAll("`", ""));
    expect(helped.toSorted()).toEqual([...names].sort());
    expect(named).toEqual(helped);
  });

  it("the exit codes as the command line does", () => {
    const codes = /Exit codes: [^\n`]+\./u.exec(read("src/cli/main.ts"))![0];
    expect(read(cli)).toContain(codes);
  });
});
