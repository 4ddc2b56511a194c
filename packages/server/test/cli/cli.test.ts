/** The command line: one round from a commit to forgetting, errors, output, keys and the server; test-full has every command. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
const { run, runJson } = { run: folder.run.bind(folder), runJson: folder.runJson.bind(folder) };

beforeAll(() => folder.fill());

it("commits, recalls and forgets", async () => {
  const at = ["--path", folder.copy("round.db")];
  expect((await run([...at, "commit", "Ada moved to Porto.", "--id", "porto"])).out).toMatch(
    /^kept.*\n\s+porto\s+Ada/u,
  );
  expect((await run([...at, "recall", "What is Ada allergic to?"])).out).toMatch(/^<<<MEMORY[\s\S]*penicillin/u);
  expect((await run([...at, "forget", "porto", "--yes"])).out).toContain("forgotten porto");
  expect(readFileSync(join(folder.path, "round.db")).includes("Porto")).toBe(false);
});

describe("errors", () => {
  it.each([
    [["show", "nope"], 3, "unknown_id"],
    [["--path", "missing.db", "list"], 4, "store_missing"],
    [["--person", "nobody", "list"], 3, "unknown_person"],
    [["commit"], 2, "interaction_invalid"],
    [["commit", "a", "--metadata", "{"], 2, "not JSON"],
    [["recall", "x", "--set", "nothing=1"], 2, "parameter_unknown"],
    [["chat"], 2, "no language model is configured"],
    [["commit", "a", "--llm-url", "http://ada:secret@localhost/v1", "--llm-model", "x"], 2, "without a password"],
    [["nonsense"], 2, "unknown command"],
  ])("%j exits with %i and says %s", async (args, code, said) => {
    const { code: exit, errors } = await run(args);
    expect([exit, errors]).toEqual([code, expect.stringContaining(said)]);
    expect(errors).not.toMatch(/secret|\n {4}at /u);
  });

  it("are JSON with --json, on standard error", async () => {
    const { out, errors } = await run(["show", "nope", "--json"]);
    expect([out, JSON.parse(errors)]).toEqual(["", { error: expect.objectContaining({ code: "unknown_id" }) }]);
  });
});

it("seals an export for memories with the same key", async () => {
  writeFileSync(join(folder.path, "key"), "a key of some length");
  const [from, to] = ["from.db", "to.db"].map((file) => ["--path", file, "--key-file", "key"]) as [string[], string[]];
  expect((await run([...from, "import", "two.jsonl"])).code).toBe(0);
  expect((await run([...from, "export", "--sealed", "sealed.jsonl"])).code).toBe(0);
  expect(readFileSync(join(folder.path, "sealed.jsonl"), "utf8")).not.toMatch(/penicillin|default/u);
  expect((await run([...to, "import", "sealed.jsonl"])).code).toBe(0);
  expect((await run([...to, "export", "-"])).out).toBe((await run([...from, "export", "-"])).out);
  const open = ["--path", folder.copy("open.db")];
  for (const args of [
    [...open, "export", "--sealed"],
    [...open, "import", "sealed.jsonl"],
    [...from, "export", "--sealed", "--as", "markdown"],
  ]) {
    expect(await run(args)).toMatchObject({ code: 2, out: "", errors: expect.stringContaining("seal") as string });
  }
});

it("prints hidden characters as JSON writes them, and no colours into a pipe", async () => {
  const at = ["--path", folder.copy("hidden.db")];
  const { out } = await run([...at, "commit", "My locker code is \u001b[31mred\u202e4711.", "--keep", "--id", "odd"]);
  for (const hidden of ["\u001b", "\u202e"]) expect(out).not.toContain(hidden);
  expect(out).toContain("\\u001b[31mred\\u202e4711");
});

it("wraps tables and prose to the terminal's width", async () => {
  const { out } = await run(["list"], { env: { COLUMNS: "60" } });
  for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  expect(out).toContain("penicillin");
});

it("serves until it is told to stop, and says where", async () => {
  const { out, code } = await run(["serve", "--port", "0"], {
    onStart: (child) =>
      child.stdout!.on("data", async (data: Buffer) => {
        const [url] = /http:\/\/127\.0\.0\.1:\d+/u.exec(data.toString()) ?? [];
        if (url === undefined) return;
        expect((await fetch(`${url}/ready`)).status).toBe(200);
        expect((await fetch(`${url}/`)).headers.get("content-type")).toContain("text/html");
        child.kill("SIGTERM");
      }),
  });
  expect([code, out]).toEqual([0, expect.stringContaining("Mnemosyne is running")]);
});

it("makes, lists and revokes keys", async () => {
  const { key, id } = await runJson<{ key: string; id: string }>(["keys", "add", "--for", "ada", "--expires", "90d"]);
  expect(key).toMatch(/^mnk_/u);
  expect((await run(["keys", "list"])).out).toMatch(new RegExp(`${id}[\\s\\S]*for ada; read and write`, "u"));
  expect((await run(["keys", "revoke", id])).out).toContain("revoked");
  expect(readFileSync(join(folder.path, "mnemosyne.db.keys.json"), "utf8")).not.toContain(
    key.split("_").slice(2).join("_"),
  );
});
