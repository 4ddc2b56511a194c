/** House rules that no linter knows. CONTRIBUTING.md says why. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documents, listFiles, read, root, tableRows } from "./project-files.js";

const folders = ["src", "test", "scripts", "examples", "docs", "bench", "assembly", "benchmarks", "models"].filter(
  (folder) => existsSync(root + folder),
);
const files = folders.flatMap(listFiles);
const sources = files.filter((path) => /^src\/.*\.tsx?$/u.test(path));
const texts = [...files, ...documents.filter((path) => !path.includes("/")), ".ci/run", "package.json"].filter((path) =>
  /\.(?:tsx?|mts|mjs|md|json)$|^\.ci\/run$/u.test(path),
);

/** Files in which a pattern occurs, each with its first line that has it. */
function occurrences(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => {
    const line = read(path)
      .split("\n")
      .findIndex((text) => pattern.test(text));
    return line === -1 ? [] : [`${path}:${line + 1}`];
  });
}

function lineCount(path: string): number {
  return read(path).trimEnd().split("\n").length;
}

it("there are files to look at", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(documents).toContain("docs/architecture.md");
});

describe("names of files", () => {
  it("are in kebab-case", () => {
    const isKebab = (part: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*$/u.test(part);
    expect(
      files.filter(
        (path) => !path.split("/").every((part) => isKebab(part) || part === ".gitkeep" || part === "README.md"),
      ),
    ).toEqual([]);
  });

  it("say what is inside", () => {
    const empty = /(?:^|[/-])(?:utils?|helpers?|common|shared|misc|managers?)(?:[-./]|$)/u;
    expect(files.filter((path) => empty.test(path))).toEqual([]);
    expect(empty.test("src/engine/string-utils.ts")).toBe(true);
  });
});

describe("core files", () => {
  const core = sources.filter((path) => path.startsWith("src/core/"));

  it.each(core)("%s begins by saying what it is about", (path) => {
    expect(read(path)).toMatch(/^\/\*\*[\s\S]{20,}?\*\//u);
  });

  it.each(core)("%s can be read in one sitting: at most 300 lines", (path) => {
    expect(lineCount(path)).toBeLessThanOrEqual(300);
  });
});

describe("source files", () => {
  it.each(sources)("%s is at most 400 lines", (path) => {
    expect(lineCount(path)).toBeLessThanOrEqual(400);
  });

  it("do not write to the console", () => {
    expect(occurrences(sources, /\bconsole\.\w+\(/u)).toEqual([]);
  });
});

describe("rooms", () => {
  it("named in the architecture's text exist, with their files", () => {
    const named = [...read("docs/architecture.md").matchAll(/`((?:src|scripts|assembly|test)\/[\w./-]+)`/gu)];
    expect(named.length).toBeGreaterThan(30);
    expect(named.map((match) => match[1]!).filter((path) => !existsSync(root + path))).toEqual([]);
  });
});

it("the vocabulary names files and exports that exist", () => {
  const rows = [
    ...tableRows("docs/vocabulary.md", "What there is"),
    ...tableRows("docs/vocabulary.md", "What happens"),
  ];
  const named = rows.flatMap((cells) => [...cells.at(-1)!.matchAll(/`([\w.]+)` (?:in|inside) `(src\/[\w./-]+)`/gu)]);
  expect(rows.length).toBeGreaterThan(40);
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(([, name, path]) => !existsSync(root + path) || !isIn(read(path!), name!));
  expect(missing.map(([text]) => text)).toEqual([]);
});

function isIn(text: string, name: string): boolean {
  return name.split(".").every((part) => new RegExp(`\\b${part}\\b`, "u").test(text));
}

describe("nowhere", () => {
  it("is something left for later", () => {
    const marks = new RegExp(
      `\\b(?:${["TO", "DO"].join("")}|${["FIX", "ME"].join("")}|${["X", "XX"].join("")})\\b`,
      "u",
    );
    expect(occurrences(texts, marks)).toEqual([]);
  });

  it("is a path of somebody's machine", () => {
    const homes = ["home", "Users", "root", "work", "mnt"].join("|");
    const path = new RegExp(`(?<![\\w.:/])/(?:${homes})/\\w|\\b[A-Z]:\\\\\\\\?\\w`, "u");
    expect(path.test(`cd /${"home"}/ada`)).toBe(true);
    expect(occurrences(texts, path)).toEqual([]);
  });

  it("is an emoji", () => {
    const prose = texts.filter((path) => path.endsWith(".md") || path.startsWith("src/"));
    const withoutChecks = prose.filter((path) => path !== "src/adapters/store/conformance/history.ts");
    expect(occurrences(withoutChecks, /\p{Emoji_Presentation}/u)).toEqual([]);
  });

  it("are tests that are skipped or alone", () => {
    const tests = files.filter((path) => path.endsWith(".test.ts"));
    const alone = new RegExp(`\\b(?:it|test|describe)\\.(?:${["on", "ly"].join("")}|${["sk", "ip"].join("")})\\(`, "u");
    expect(occurrences(tests, alone)).toEqual([]);
  });
});

interface LockedPackage {
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

describe("packages", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockedPackage> };
  const installed = Object.entries(packages).filter(([path]) => path !== "");

  it("are locked without the address of a registry", () => {
    expect(installed.length).toBeGreaterThan(10);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it("that users get run no script when they are installed", () => {
    const scripted = installed.filter(([, { dev, hasInstallScript }]) => dev !== true && hasInstallScript === true);
    expect(scripted.map(([path]) => path)).toEqual([]);
  });
});

describe("the package", () => {
  const description = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  it("runs no script when it is installed", () => {
    const scripts = Object.keys(description.scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/u.test(name));
    expect(scripts).toEqual([]);
  });
});

it("continuous integration runs npm test and nothing else", () => {
  const commands = read(".ci/run")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#") && !/^(?:set|cd) /u.test(line));
  expect(commands).toEqual(["npm test"]);
});
