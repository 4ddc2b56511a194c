/** House rules that no linter knows. CONTRIBUTING.md says why. */
import { describe, expect, it } from "vitest";
import { listFiles, read } from "./project-files.js";

const files = listFiles("");
const sources = files.filter((path) => /^packages\/\w+\/src\/.*\.tsx?$/u.test(path));
const texts = files.filter((path) => /\.(?:tsx?|mts|mjs|md)$|^\.ci\/run$|(?:^|\/)package\.json$/u.test(path));

/** Files of one idea each, without ports: a newcomer reads them to the end. */
const pure = /^packages\/memory\/src\/(?:paper|graph|text|english)\//u;

/** Files in which a pattern occurs, each with its first line that has it. */
function occurrences(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => {
    const line = read(path)
      .split("\n")
      .findIndex((text) => pattern.test(text));
    return line === -1 ? [] : [`${path}:${line + 1}`];
  });
}

function longerThan(paths: readonly string[], lineCountMax: number): string[] {
  return paths.filter((path) => read(path).trimEnd().split("\n").length > lineCountMax);
}

describe("files", () => {
  it("have names in kebab-case that say what is inside", () => {
    const own = files.filter((path) => path.includes("/") && !/^packages\/lab\/(?:benchmarks|training)\//u.test(path));
    const isKebab = (part: string): boolean => /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*$/u.test(part);
    const isNamed = (part: string): boolean => isKebab(part) || ["README.md", "LICENSE", ".gitkeep"].includes(part);
    expect(own.filter((path) => !path.split("/").every(isNamed))).toEqual([]);
    const empty = /(?:^|[/-])(?:utils?|helpers?|common|shared|misc|managers?)(?:[-./]|$)/u;
    expect(own.filter((path) => empty.test(path))).toEqual([]);
  });

  it("can be read in one sitting: source at most 400 lines, one idea 300", () => {
    expect(longerThan(sources, 400)).toEqual([]);
    expect(
      longerThan(
        sources.filter((path) => pure.test(path)),
        300,
      ),
    ).toEqual([]);
  });

  it("of one idea begin by saying what they are about", () => {
    const ideas = sources.filter((path) => pure.test(path));
    expect(ideas.length).toBeGreaterThan(50);
    expect(ideas.filter((path) => !/^\/\*\*[\s\S]{20,}?\*\//u.test(read(path)))).toEqual([]);
  });
});

it("documents have at most 45,000 words in all", () => {
  const pages = files.filter((path) => path.endsWith(".md"));
  const words = pages.flatMap((path) =>
    read(path)
      .split(/\s+/u)
      .filter((word) => word !== ""),
  );
  expect(words.length).toBeLessThanOrEqual(45_000);
});

describe("nowhere", () => {
  it("is something left for later", () => {
    const marks = [
      ["TO", "DO"],
      ["FIX", "ME"],
      ["X", "XX"],
    ]
      .map((parts) => parts.join(""))
      .join("|");
    expect(occurrences(texts, new RegExp(`\\b(?:${marks})\\b`, "u"))).toEqual([]);
  });

  it("is a path of somebody's machine", () => {
    const homes = ["home", "Users", "root", "work", "mnt"].join("|");
    const path = new RegExp(`(?<![\\w.:/])/(?:${homes})/\\w|\\b[A-Z]:\\\\\\\\?\\w`, "u");
    expect(occurrences(texts, path)).toEqual([]);
  });

  it("is a conflict that was not resolved", () => {
    expect(occurrences(texts, /^(?:<{7} |>{7} |(?:> ){7})/u)).toEqual([]);
  });

  it("is an emoji in documents or source", () => {
    const prose = texts.filter((path) => path.endsWith(".md") || sources.includes(path));
    expect(occurrences(prose, /\p{Emoji_Presentation}/u)).toEqual([]);
  });

  it("is a test alone or skipped", () => {
    const tests = files.filter((path) => path.endsWith(".test.ts"));
    const words = [
      ["on", "ly"],
      ["sk", "ip"],
    ]
      .map((parts) => parts.join(""))
      .join("|");
    expect(occurrences(tests, new RegExp(`\\b(?:it|test|describe)\\.(?:${words})\\(`, "u"))).toEqual([]);
  });
});

interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  /** Only for development, or where a user asks for it. */
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

describe("packages", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockedPackage> };
  const locked = Object.entries(packages).filter(([path, { link }]) => path !== "" && link !== true);

  it("are locked without the address of a registry", () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it("that users get run no script when they are installed", () => {
    const scripted = locked.filter(
      ([, { dev, devOptional, hasInstallScript }]) => dev !== true && devOptional !== true && hasInstallScript === true,
    );
    expect(scripted.map(([path]) => path)).toEqual([]);
    const own = ["memory", "server"].flatMap((name) => {
      const { scripts } = JSON.parse(read(`packages/${name}/package.json`)) as { scripts?: object };
      return Object.keys(scripts ?? {});
    });
    expect(own.filter((name) => /^(?:pre|post)?install$|^prepare$/u.test(name))).toEqual([]);
  });
});

it("continuous integration runs npm test and nothing else", () => {
  const commands = read(".ci/run")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#") && !/^(?:set|cd) /u.test(line));
  expect(commands).toEqual(["npm test"]);
});
