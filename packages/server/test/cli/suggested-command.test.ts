/** Commands that messages suggest are run as they were printed, so that each names the memory that was meant. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Command } from "commander";
import { completeSuggestions, suggest } from "../../src/cli/suggested-command.js";
import { CommandFolder } from "./command.js";

function called(...args: string[]): Command {
  const program = new Command("mnemosyne")
    .option("--path <file>", "", "env.db")
    .option("-p, --person <name>", "", "env");
  const inner = program
    .command("keys")
    .command("add")
    .action(() => {});
  program.parse([...args, "keys", "add"], { from: "user" });
  return inner;
}

describe("a suggested command", () => {
  it("has what was typed, and nothing that is the same without it", () => {
    expect(suggest(called(), "restore knee")).toBe("mnemosyne restore knee");
    expect(suggest(called("--path", "a.db"), "restore knee")).toBe("mnemosyne --path a.db restore knee");
    expect(suggest(called("-p", "ada"), "restore knee")).toBe("mnemosyne --person ada restore knee");
  });

  it("is about everybody where the command is", () => {
    expect(suggest(called("--path", "a.db", "-p", "ada"), "stats")).toBe("mnemosyne --path a.db stats");
  });

  it("survives a shell, and has no password", () => {
    expect(suggest(called("--path", "my memory.db", "-p", "o'neil"), "list")).toBe(
      String.raw`mnemosyne --path 'my memory.db' --person 'o'\''neil' list`,
    );
    expect(suggest(called("--path", "redis://ada:secret@host:1"), "list")).not.toContain("secret");
  });

  it("is completed inside a message, wherever it stands", () => {
    const message = "no keys; `mnemosyne keys add --admin` or `mnemosyne keys list`, `npm start`";
    expect(completeSuggestions(message, called("--path", "a.db"))).toBe(
      "no keys; `mnemosyne --path a.db keys add --admin` or `mnemosyne --path a.db keys list`, `npm start`",
    );
  });
});

describe("what the command line prints", () => {
  const folder = new CommandFolder();
  const own = ["--path", "own memory.db", "--person", "ada"];

  /** The words behind `mnemosyne`, as a shell splits them. */
  const wordsOf = (line: string): string[] =>
    [...line.matchAll(/'([^']*)'|(\S+)/gu)].slice(1).map(([, quoted, plain]) => quoted ?? plain!);

  beforeAll(async () => {
    await folder.run([...own, "commit", "Hello! Nice to see you."]);
  });

  it("restores what was not kept", async () => {
    const { out } = await folder.run([...own, "commit", "ok thanks"]);
    const restored = await folder.run(wordsOf(/mnemosyne .*restore .*/u.exec(out)![0]));
    expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/^restored as you asked/u) as string });
    expect((await folder.run([...own, "list"])).out).toContain("ok thanks");
  });

  it("makes the key that a server asks for, next to its memory", async () => {
    const { errors } = await folder.run([...own, "serve", "--host", "0.0.0.0", "--port", "0"]);
    const [, line] = /`(mnemosyne [^`]*keys add --admin)`/u.exec(errors)!;
    expect((await folder.run(wordsOf(line!))).code).toBe(0);
    expect(existsSync(join(folder.path, "own memory.db.keys.json"))).toBe(true);
  });

  it("names the same memory in an error", async () => {
    const { errors } = await folder.run([...own, "show", "nothing"]);
    expect(errors).toContain("`mnemosyne --path 'own memory.db' --person ada list --history`");
    const fromEnvironment = await folder.run(["show", "nothing"], { env: { MNEMOSYNE_PATH: "own memory.db" } });
    expect(fromEnvironment.errors).toMatch(/`mnemosyne (?:stats|list --history)`/u);
  });
});
