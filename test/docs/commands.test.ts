/** Commands, options, methods and parameters that the documents name exist. */
import { parameterDefinitions } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { describeEnvironment } from "../../packages/server/src/cli/environment.js";
import { createProgram } from "../../packages/server/src/cli/program.js";
import { declarationsOf } from "./declarations.js";
import { documents, listFiles, prose, read, tableRows } from "./project-files.js";

const program = createProgram();
type Command = typeof program;
const readmes = ["packages/memory", "packages/server", "packages/lab/src", "deploy", "examples"]
  .flatMap(listFiles)
  .filter((path) => path.endsWith(".md"));
const pages = [...documents, ...readmes].filter((page) => page !== "CHANGELOG.md");
/** Of npm, Node, esbuild, Redis, Docker and the lab. */
const optionsOfOthers = ["--omit", "--platform", "--external", "--maxmemory", "--appendonly", "--without", "--save"];

/** Code in marks, and the lines of code blocks, with `\` at their ends joined. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gmu)].flatMap(([, code]) =>
    code!.replaceAll(/\\\n\s*/gu, " ").split("\n"),
  );
  const marked = [...text.replaceAll(/^```[\s\S]*?^```$/gmu, "").matchAll(/`([^`\n]+)`/gu)].map(([, code]) => code!);
  return [...blocks, ...marked];
}

/** What is wrong with the calls of the program in a line of code. */
function findWrongCalls(line: string): string[] {
  const calls = line.matchAll(
    /(?:^|&& |\| )(?:\$ |npx |\w+=\S+ )*(?:mnemosyne(?:-edge)?|npm start --) ((?:"[^"]*"|'[^']*'|[^|;&#"'])*)/gu,
  );
  return [...calls].flatMap(([, words]) => findWrongWords(words!.match(/"[^"]*"|'[^']*'|\S+/gu) ?? []));
}

function findWrongWords(words: readonly string[]): string[] {
  const wrong: string[] = [];
  const chain = [program];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!.replace(/[,.)]+$/u, "");
    const command = chain.at(-1)!;
    if (/^--?[a-z]/u.test(word)) {
      const option = chain.flatMap(({ options }) => options).find(({ long, short }) => long === word || short === word);
      if (option === undefined && !/^(?:--help|--version)$/u.test(word)) wrong.push(`${command.name()} ${word}`);
      if (option?.required === true) i++;
    } else if (command.commands.length > 0) {
      const [first] = word.split("|");
      const inner = command.commands.find((each) => each.name() === first);
      if (inner !== undefined) chain.push(inner);
      else if (/^[a-z]+$/u.test(word) && word !== "help") wrong.push(`${command.name()} ${word}`);
      if (inner === undefined) break;
    }
  }
  return wrong;
}

function allOptions(command: Command): string[] {
  return [...command.options.map(({ long }) => long!), ...command.commands.flatMap(allOptions)];
}

describe("documents name", () => {
  it("only commands of the command line, with their options", () => {
    const lines = pages.flatMap((page) => codeIn(read(page)).map((line) => ({ page, line })));
    expect(lines.flatMap(({ page, line }) => findWrongCalls(line).map((wrong) => `${page}: ${wrong}`))).toEqual([]);
    const wrong = ["mnemosyne demo", "mnemosyne serve --what-if", "$ mnemosyne --person ada recall x --rewrite"];
    expect(wrong.flatMap(findWrongCalls)).toEqual(["mnemosyne demo", "serve --what-if", "recall --rewrite"]);
  });

  it("only options that some command has, or another program", () => {
    const known = new Set([...allOptions(program), ...optionsOfOthers, "--help", "--version"]);
    const named = documents
      .filter((page) => page !== "CHANGELOG.md")
      .flatMap((page) => [...prose(page).matchAll(/`(--[a-z-]+)/gu)].map(([, option]) => ({ page, option: option! })));
    expect(named.filter(({ option }) => !known.has(option))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  it("only environment variables that the command line, the tests or an example read", () => {
    const known = [program.helpInformation(), describeEnvironment(), read("CONTRIBUTING.md"), "MNEMOSYNE_URL"].join(
      " ",
    );
    const named = [...pages.filter((page) => page !== "CONTRIBUTING.md"), "compose.yaml", "Dockerfile"].flatMap(
      (page) => [...read(page).matchAll(/\bMNEMOSYNE_[A-Z_]+/gu)].map(([name]) => ({ page, name })),
    );
    expect(named.filter(({ name }) => !known.includes(name))).toEqual([]);
  });

  it("only methods of the library", () => {
    const files = { mnemosyne: "mnemosyne", person: "person-memory", conversation: "conversation" };
    const members = new Set(
      Object.entries(files).flatMap(([name, file]) =>
        declarationsOf(`packages/memory/dist/${file}.d.ts`).flatMap((declared) =>
          declared.members.map((member) => `${name}.${member.name}`),
        ),
      ),
    );
    const named = pages.flatMap((page) =>
      codeIn(read(page)).flatMap((line) =>
        [...line.matchAll(/(?<![\w./-])(mnemosyne|person|conversation)\.(?!(?:db|service|ts)\b)(\w+)/giu)].map(
          ([, owner, name]) => `${page}: ${owner!.toLowerCase()}.${name}`,
        ),
      ),
    );
    expect(named.filter((name) => !members.has(name.split(": ")[1]!))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  it("only parameters that exist, with their defaults", () => {
    const set = pages.flatMap((page) =>
      [...read(page).matchAll(/(?:--set |parameters: \{ )(\w+)/gu)].map(([, name]) => name!),
    );
    expect(set.filter((name) => !Object.hasOwn(parameterDefinitions, name) && name !== "name")).toEqual([]);
    const definitions: Readonly<Record<string, { readonly default: unknown }>> = parameterDefinitions;
    const rows = tableRows("docs/language-models.md", "Parameters");
    const stated = rows.map(([name, value]) => [name!.replaceAll("`", ""), value!.replaceAll(",", "")]);
    expect(stated).toEqual(stated.map(([name]) => [name, String(definitions[name!]?.default)]));
  });
});

it("docs/cli.md has every command, and no other", () => {
  const named = tableRows("docs/cli.md", "Commands").map(([cell]) => cell!.replaceAll(/`|mnemosyne /gu, ""));
  expect(named.toSorted()).toEqual(program.commands.map((command) => command.name()).toSorted());
});
