/** The completion scripts, in the shells themselves; bash is everywhere, the others are tried where they are installed. */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { CommandFolder } from "./command.js";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = new CommandFolder();
const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** How each shell is asked what completes a line; the answers are printed a line each. */
const drivers: Record<Shell, (words: readonly string[]) => string[]> = {
  bash: (words) => [
    "--norc",
    "-c",
    `source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mnemosyne; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    ...words,
  ],
  // The functions of zsh's completion system work only while somebody types; these stand in for them.
  zsh: (words) => [
    "-f",
    "-c",
    `compdef() { }; _files() { }
    _describe() { print -l -- "\${(@P)2}" | sed 's/:.*//' }
    compadd() { print -l -- "\${(@P)@[-1]}" }
    source ./completion.zsh; words=("$@"); CURRENT=$#words; _mnemosyne`,
    "zsh",
    ...words,
  ],
  fish: (words) => ["--no-config", "-c", `source ./completion.fish; complete -C ${JSON.stringify(words.join(" "))}`],
};

beforeAll(async () => {
  await folder.fill();
  mkdirSync(join(folder.path, "bin"));
  writeFileSync(join(folder.path, "bin/mnemosyne"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(folder.path, "bin/mnemosyne"), 0o755);
  const hostile = { id: "$(touch owned)", summary: "Ada is allergic to nuts.", at: "2025-01-15T08:00:00Z" };
  await folder.run(["--person", "bea", "import", "-"], { input: JSON.stringify(hostile) });
  for (const shell of shells) {
    const { code, out, errors } = await folder.run(["completion", shell]);
    if (code !== 0) throw new Error(errors);
    writeFileSync(join(folder.path, `completion.${shell}`), out);
  }
});

/** The words that begin as the last one does; a shell may leave that to its own matching. */
function completeIn(shell: Shell, words: readonly string[]): Promise<string[]> {
  const env = {
    ...process.env,
    PATH: `${join(folder.path, "bin")}${delimiter}${process.env["PATH"]}`,
    HOME: folder.path,
  };
  return new Promise((resolve, reject) => {
    execFile(shell, drivers[shell](words), { cwd: folder.path, env }, (error, out, errors) => {
      if (error !== null || errors !== "") return reject(error ?? new Error(errors));
      const found = out.split("\n").map((line) => line.split("\t")[0]!);
      resolve(found.filter((word) => word !== "" && word.startsWith(words.at(-1)!)).sort());
    });
  });
}

const isInstalled = (shell: Shell): boolean => shell === "bash" || spawnSync(shell, ["--version"]).error === undefined;

describe.each(shells.filter(isInstalled))("%s completes", (shell) => {
  it.each<[string[], string[]]>([
    [["pa"], ["parameters"]],
    [
      ["eval", "j"],
      ["journeys", "judge"],
    ],
    [
      ["eval", "study", ""],
      ["make", "score"],
    ],
    [["--json", "--budget", "eval", "eval", "study", "m"], ["make"]],
    [["list", "--ou"], ["--outcome"]],
    [["list", "--pers"], ["--person"]],
    [
      ["list", "--outcome", "p"],
      ["paired", "pruned"],
    ],
    [["graph", "--format", "d"], ["dot"]],
    [["--profile", "h"], ["healthcare"]],
    [["--set", "decayF"], ["decayFloor="]],
    [
      ["--person", ""],
      ["bea", "default"],
    ],
    [["-p", "d"], ["default"]],
    [["show", "l"], ["lisbon"]],
    [["forget", "lisbon", "a"], ["allergy"]],
    [["commit", "--updates", "l"], ["lisbon"]],
    [["--path", "none.db", "show", "l"], []],
    [["--person", "bea", "show", ""], []],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
  ])("%j with %j", async (typed, expected) => {
    expect(await completeIn(shell, ["mnemosyne", ...typed])).toEqual(expected);
  });

  it("every command, with all its options", async () => {
    const { out } = await folder.run(["--help"], { env: { COLUMNS: "200" } });
    const commands = [
      ...out
        .split("Commands:\n")[1]!
        .split("\n\n")[0]!
        .matchAll(/^ {2}(\w+)/gmu),
    ].map(([, name]) => name!);
    expect(commands.length).toBeGreaterThan(20);
    expect(await completeIn(shell, ["mnemosyne", ""])).toEqual(commands.filter((name) => name !== "help").toSorted());
    const help = (await folder.run(["recall", "--help"], { env: { COLUMNS: "200" } })).out;
    const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gmu)].map(([, name]) => name!);
    expect(await completeIn(shell, ["mnemosyne", "recall", "--"])).toEqual(expect.arrayContaining(options));
  });
});

it("no database is created, and a shell that is not known is refused", async () => {
  expect(await folder.run(["--path", "never.db", "completion", "--values", "ids"])).toEqual({
    code: 0,
    out: "",
    errors: "",
  });
  expect((await folder.run(["--path", "never.db", "stats"])).code).toBe(4);
  expect((await folder.run(["completion", "tcsh"])).code).toBe(2);
  expect((await folder.run(["completion"])).errors).toMatch(/needs the name of a shell: bash, zsh, fish/u);
});
