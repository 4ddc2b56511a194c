/** Links lead somewhere, code in the documents type-checks, and the examples run. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { codeBlocks, documents, prose, read, root, tableRows } from "./project-files.js";

const index = "docs/README.md";

/** Inside the checkout, so that packages are found. */
mkdirSync(`${root}node_modules/.cache`, { recursive: true });
const folder = mkdtempSync(`${root}node_modules/.cache/documents-`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("code", () => {
  const blocks = documents.flatMap((document) => codeBlocks(document, "ts"));

  it("in documents and examples type-checks against the built packages", () => {
    cpSync(`${root}examples`, join(folder, "examples"), { recursive: true });
    for (const { document, line, code } of blocks) {
      writeFileSync(join(folder, `${document.replaceAll(/\W/gu, "-")}-${line}.ts`), code);
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(`${root}node_modules`, join(folder, "node_modules"), "junction");
    const compilerOptions = { paths: {}, noEmit: false, outDir: "built", rootDir: ".", allowJs: false };
    const settings = {
      extends: `${root}tsconfig.json`,
      compilerOptions,
      include: ["*.ts", "examples/*.ts"],
      exclude: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const compiler = `${root}node_modules/typescript/bin/tsc`;
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { cwd: folder, encoding: "utf8" });
    expect(stdout.split("\n").filter((line) => line.includes("error TS"))).toEqual([]);
    expect(blocks.length).toBeGreaterThan(5);
  });

  it("of the README's first block is the quick start, with its output", () => {
    expect(codeBlocks("README.md", "ts")[0]!.code).toBe(read("examples/quick-start.ts"));
    const withoutChance = (text: string): string =>
      text.replaceAll(/\w+ \d+ \w+ \d{4}/gu, "today").replace(/\d+\.$/mu, "");
    expect(withoutChance(codeBlocks("README.md", "text")[0]!.code)).toBe(withoutChance(run("quick-start")));
  });

  it("of the other examples runs", () => {
    expect(run("own-embedder")).toBe("Ada repairs clarinets for a living.\n");
    expect(run("own-reader")).toMatch(/^discarded: not kept: small talk\ncommitted: kept\n/u);
    expect(run("own-store")).toContain("ada: 1 put, 0 deleted\n");
  });

  function run(example: string): string {
    return execFileSync(process.execPath, [join(folder, `built/examples/${example}.js`)], {
      cwd: folder,
      encoding: "utf8",
    });
  }
});

describe("links", () => {
  const links = documents.flatMap((document) =>
    [...prose(document).matchAll(/\]\(([^)\s]+)\)|^\[\w+\]: (\S+)$/gmu)].map((match) => {
      const target = match[1] ?? match[2]!;
      const [path, anchor] = target.split("#");
      return { document, target, anchor, file: path === "" ? document : posix.join(dirname(document), path!) };
    }),
  );
  const inside = links.filter(({ target }) => !/^https?:/u.test(target));

  it("lead to files and headings, and are encrypted", () => {
    expect(inside.filter(({ file }) => !existsSync(root + file))).toEqual([]);
    const astray = inside.filter(({ anchor, file }) => anchor !== undefined && !anchors(file).includes(anchor));
    expect(astray.map(({ document, target }) => `${document}: ${target}`)).toEqual([]);
    expect(links.filter(({ target }) => target.startsWith("http:"))).toEqual([]);
  });

  it("of the index lead to every page and picture stands in some page", () => {
    const pages = documents.filter((document) => document.startsWith("docs/") && document !== index);
    const linked = new Set(links.filter(({ document }) => document === index).map(({ file }) => file));
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
  });

  it("to source files in code marks exist", () => {
    const named = documents
      .filter((document) => !["CHANGELOG.md", "docs/paper-map.md"].includes(document))
      .flatMap((document) =>
        [...prose(document).matchAll(/`((?:packages|scripts|test|test-full|examples|docs|deploy)\/[\w./-]+)`/gu)].map(
          ([, path]) => ({ document, path: path! }),
        ),
      );
    expect(named.filter(({ path }) => !existsSync(root + path))).toEqual([]);
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
  it("is at most 130 lines, and names the two commands of a checkout and the version", () => {
    const text = read("README.md").trim();
    expect(text.split("\n").length).toBeLessThanOrEqual(130);
    const commands = codeBlocks("README.md", "sh").flatMap(({ code }) => code.match(/^npm (?:start|test)/gmu) ?? []);
    expect(commands).toEqual(["npm start", "npm test"]);
    const { version } = JSON.parse(read("packages/memory/package.json")) as { version: string };
    expect(text).toContain(`Status: ${version}`);
  });
});

function runCli(...args: readonly string[]): string {
  const program = `${root}packages/server/dist/cli/main.js`;
  return execFileSync(process.execPath, [program, ...args], { encoding: "utf8" });
}

describe("docs/cli.md", () => {
  const page = "docs/cli.md";
  const help = runCli("--help");

  it("has every command and environment variable, and no other", () => {
    const commands = [
      ...help
        .split("Commands:\n")[1]!
        .split("\n\n")[0]!
        .matchAll(/^ {2}(\w+)/gmu),
    ].map(([, name]) => name!);
    const named = tableRows(page, "Commands").map(([cell]) => cell!.replaceAll(/`|mnemosyne /gu, ""));
    expect(named.toSorted()).toEqual(commands.filter((command) => command !== "help").sort());
    const [list] = help.split("Environment:\n")[1]!.split("\n\n");
    const variables = [...list!.matchAll(/^ {2}(\w+) /gmu)].map(([, name]) => name!);
    expect(tableRows(page, "Environment variables").map(([cell]) => cell!.replaceAll("`", ""))).toEqual(variables);
  });
});
