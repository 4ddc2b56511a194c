/** Statements on the command line: their names, what ended, what was withdrawn, and wishes to forget. */
import { describe, expect, it } from "vitest";
import { CommandFolder } from "../../test/cli/command.js";

const folder = new CommandFolder();
const { run, runJson } = { run: folder.run.bind(folder), runJson: folder.runJson.bind(folder) };

describe("statements", () => {
  const text = "My boat is called Gull. My sister Ilse lives in Porto.";
  async function tell(file: string): Promise<string[]> {
    const at = ["--path", file];
    expect((await run([...at, "commit", text, "--id", "told", "--at", "2025-03-01", "--keep"])).code).toBe(0);
    return at;
  }

  it("are named, end by name, and say what ended them", async () => {
    const at = await tell("named.db");
    expect((await run([...at, "show", "told"])).out).toMatch(/#0\s+My boat is called Gull\.\n#1\s+My sister/u);
    expect((await run([...at, "core"])).out).toContain("- My boat is called Gull. told#0");
    const sold = await run([...at, "commit", "I sold it.", "--id", "sold", "--keep", "--updates", "tol#0"]);
    expect(sold.out).toMatch(/^kept as you asked, updates told[^]*ended told#0 My boat is called Gull\./u);
    expect((await run([...at, "show", "tol#0"])).out).toMatch(/#0\s+My boat.*\n\s+ended \S+ by sold/u);
    expect((await run([...at, "show", "sold"])).out).toMatch(/^ended\s+told#0$/mu);
    expect((await run([...at, "list"])).out).toMatch(/told#0 ended by sold/u);
    expect((await run([...at, "list", "--history"])).out).toContain("something in it ended by sold");
    expect((await run([...at, "core"])).out).not.toContain("Gull");
    expect((await run([...at, "core", "--changes"])).out).toMatch(/- My boat is called Gull\. told#0, ended by sold/u);
    expect((await run([...at, "restore", "told#0"])).out).toMatch(/^restored\n\s+holds again told#0 My boat/u);
    expect((await run([...at, "core"])).out).toContain("Gull");
    const quoted = await run([...at, "recall", "What is my boat called?", "--explain"]);
    expect(quoted.out).toMatch(/statements quoted: .*told#0/u);
  });

  it("are withdrawn, pinned and forgotten by name", async () => {
    const at = await tell("withdrawn.db");
    expect((await run([...at, "withdraw", "tol#1"])).out).toContain("withdrew told#1 from the core summary");
    expect((await run([...at, "core"])).out).not.toContain("Porto");
    expect((await run([...at, "recall", "Where does my sister Ilse live?"])).out).toContain("Porto");
    expect((await run([...at, "withdraw", "told#0", "--untrue"])).out).toContain("withdrew told#0 as never true");
    expect((await run([...at, "recall", "What is my boat called?"])).out).not.toContain("Gull");
    expect((await run([...at, "show", "told"])).out).toMatch(/Gull\.\n\s+not true\n#1.*\n\s+removed from the core/u);
    expect(await run([...at, "withdraw", "told#7"])).toMatchObject({ code: 3 });
    await run([...at, "restore", "told#1"]);
    expect(await runJson([...at, "pin", "told#1"])).toEqual({ id: "told#1" });
    expect((await run([...at, "core", "--explain"])).out).toMatch(/Ilse lives in Porto\.\n\s+told#1, .*pinned/u);
    expect((await run([...at, "unpin", "told#1"])).out).toContain("unpinned told#1");
    expect((await run([...at, "forget", "told#0", "--yes"])).out).toContain("forgotten told#0");
    expect((await run([...at, "export"])).out).not.toContain("Gull");
  });

  it("that somebody asks to forget are named and held back, until they are forgotten or the wish is restored", async () => {
    const at = await tell("wish.db");
    const wish = await run([...at, "commit", "Please forget what I said about the boat.", "--id", "wish"]);
    expect(wish.out).toMatch(/^asks to forget[^]*held back told#0 My boat is called Gull\.[^]*mnemosyne restore/u);
    expect((await run([...at, "recall", "What is my boat called?"])).out).not.toContain("Gull");
    expect((await run([...at, "show", "wish"])).out).toMatch(/^to forget\s+told#0$/mu);
    expect((await run([...at, "list", "--history", "--outcome", "forgetAsked"])).out).toContain("wish");
    expect((await run([...at, "restore", "wish"])).out).toMatch(/holds again told#0 My boat is called Gull\./u);
    expect((await run([...at, "recall", "What is my boat called?"])).out).toContain("Gull");
    type Result = { outcome: string; forgetAsked: string[] };
    const again = await runJson<Result>([
      ...at,
      "commit",
      "Please forget what I said about the boat.",
      "--id",
      "again",
    ]);
    expect(again).toMatchObject({ outcome: "forgetAsked", forgetAsked: ["told#0"] });
    expect((await run([...at, "forget", ...again.forgetAsked, "--yes"])).out).toContain("forgotten told#0");
    expect((await run([...at, "export"])).out).not.toContain("Gull");
  });
});
