/** The command line as people and scripts use it, from a first commit to forgetting. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startEndpoint } from "../../../memory/test/adapters/scripted-endpoint.js";
import { CommandFolder, answerSteps } from "../../test/cli/command.js";

const folder = new CommandFolder();
const { run, runJson } = { run: folder.run.bind(folder), runJson: folder.runJson.bind(folder) };

beforeAll(() => folder.fill());

interface Listed {
  readonly id: string;
  readonly outdatedBy: readonly string[];
}

describe("a memory by hand", () => {
  it("says what became of a commit, and makes a memory of small talk on request", async () => {
    const at = ["--path", folder.copy("talk.db")];
    const { out } = await run([...at, "commit", "Hi there, how are you today?", "--id", "hi"]);
    expect(out).toMatch(/^not kept: small talk\n\s+hi\s+Hi there/u);
    expect((await run([...at, "restore", "hi"])).out).toContain("restored as you asked");
    expect((await run([...at, "list"])).out).toContain("Hi there, how are you today?");
    expect((await run([...at, "commit", "Hi there, how are you today?", "--id", "hi"])).out).toContain(
      "nothing changed",
    );
  });

  it("marks what a later commit makes outdated, in lists, memories and answers", async () => {
    const at = ["--path", folder.copy("outdated.db")];
    await run([...at, "commit", "Ada moved to Porto.", "--id", "porto", "--updates", "lisb"]);
    expect((await run([...at, "list"])).out).toMatch(/lisbon.*\n\s+outdated by porto/u);
    expect((await run([...at, "show", "lisbon"])).out).toContain("outdated by porto");
    const current = await runJson<Listed[]>([...at, "list", "--current"]);
    expect(current.map(({ id }) => id)).not.toContain("lisbon");
  });

  it("changes a memory in place, and an empty value removes", async () => {
    const at = ["--path", folder.copy("update.db")];
    const edit = ["--text", "Ada moved to Faro.", "--metadata", "by=ada", "--expires", "2090-01-01"];
    expect((await run([...at, "update", "lisbon", ...edit])).code).toBe(0);
    type Shown = { metadata: object; expiresAt: string | null; versions: object[]; summary: string };
    const shown = await runJson<Shown>([...at, "show", "lisbon"]);
    expect(shown).toMatchObject({ metadata: { by: "ada" }, expiresAt: "2090-01-01T00:00:00.000Z" });
    expect(shown.summary).toContain("Faro");
    await run([...at, "update", "lisbon", "--metadata", "{}", "--expires", ""]);
    const after = await runJson<Shown>([...at, "show", "lisbon"]);
    expect(after).toMatchObject({ metadata: {}, expiresAt: null });
    expect(after.versions).toHaveLength(2);
  });

  it("answers a question, explains it, and gives the same with the same seed", async () => {
    const ask = ["recall", "What is Ada allergic to?", "--at", "2025-02-01", "--seed", "7"];
    const { out } = await run(ask);
    expect(out).toMatch(/^<<<MEMORY[\s\S]*penicillin[\s\S]*MEMORY>>>$/mu);
    const { out: explained } = await run([...ask, "--explain"]);
    for (const part of ["Start nodes", "seed 7", "S_query", "allergy", "tokens"]) expect(explained).toContain(part);
    const [first, second] = [await runJson<object>(ask), await runJson<object>(ask)];
    expect(second).toEqual(first);
  });

  it("selects by metadata and time", async () => {
    const at = ["--path", folder.copy("selection.db")];
    await run([...at, "commit", "The invoice for the roof is paid.", "--id", "roof", "--metadata", "tags=bill,done"]);
    for (const [which, ids] of [
      [["--filter", "tags=bill"], ["roof"]],
      [["--filter", '{"tags":{"exists":true}}'], ["roof"]],
      [["--from", "2025-01-10", "--to", "2025-02-01"], ["allergy"]],
    ] as const) {
      const listed = await runJson<Listed[]>([...at, "list", ...which]);
      expect(listed.map(({ id }) => id)).toEqual(ids);
    }
  });

  it("shows the core summary, and pins", async () => {
    const at = ["--path", folder.copy("core.db")];
    await run([...at, "pin", "Ada prefers short answers in the morning."]);
    expect((await run([...at, "core", "--update"])).out).toContain("short answers");
    expect((await run([...at, "core", "--explain"])).out).toContain("pinned");
  });
});

describe("data", () => {
  it("exports and imports the same memories, and again changes nothing", async () => {
    await run(["export", "two.out.jsonl"]);
    const first = await run(["--path", "again.db", "import", "two.out.jsonl"]);
    expect(first.out).toContain("2 interactions restored");
    expect((await run(["--path", "again.db", "import", "two.out.jsonl"])).out).toContain("already stored");
    expect((await run(["--path", "again.db", "export"])).out).toBe(
      readFileSync(join(folder.path, "two.out.jsonl"), "utf8"),
    );
  });

  it("imports another program's past, after a dry run that stores nothing", async () => {
    const chat =
      "[01/03/2024, 21:16:00] Petra: The roof leaks above the stove.\n[01/03/2024, 21:17:00] Jonah: I call the roofer.\n";
    writeFileSync(join(folder.path, "_chat.txt"), chat);
    const from = ["import", "--from", "whatsapp", "_chat.txt", "--as-user", "Petra", "--date-order", "dmy"];
    const { out } = await run(["--path", "chat.db", ...from, "--dry-run"]);
    expect(out).toContain("nothing is stored");
    expect(out).toMatch(/speakers: .*Jonah 1/u);
    expect((await run(["--path", "chat.db", "list"])).code).toBe(4);
    expect((await run(["--path", "chat.db", ...from])).out).toContain("1 interaction submitted");
  });

  it("backs up a database that the doctor finds whole, and does not replace a file unasked", async () => {
    expect((await run(["backup", "monday.db"])).code).toBe(0);
    expect((await run(["backup", "monday.db"])).code).not.toBe(0);
    const { code, out } = await run(["--path", "monday.db", "doctor"]);
    expect([code, out.match(/✓/gu)?.length]).toEqual([0, 4]);
    writeFileSync(join(folder.path, "broken.db"), "this is no database");
    expect((await run(["--path", "broken.db", "doctor"])).code).toBe(6);
  });

  it("forgets for good, by whole ids where it cannot ask", async () => {
    const at = ["--path", folder.copy("forget.db")];
    expect(await run([...at, "forget", "allergy"])).toMatchObject({
      code: 2,
      errors: expect.stringContaining("--yes"),
    });
    expect((await run([...at, "forget", "allerg", "--yes"])).code).toBe(3);
    expect((await run([...at, "forget", "allergy", "--yes"])).out).toContain("forgotten allergy");
    expect((await run([...at, "export"])).out).not.toContain("penicillin");
    await run([...at, "forget", "--all", "--yes"]);
    expect((await run([...at, "doctor"])).out).toContain("0 people");
    expect(readFileSync(join(folder.path, "forget.db")).includes("Lisbon")).toBe(false);
  });
});

it("talks with a model that remembers, and keeps what was said when the model fails", async () => {
  const endpoint = await startEndpoint((request, i) => {
    if (request["stream"] !== true) {
      const message = { role: "assistant", content: JSON.stringify(answerSteps(request)) };
      return { status: 200, body: JSON.stringify({ choices: [{ message }] }) };
    }
    if (i > 0) return { status: 400, body: "no" };
    const delta = { choices: [{ delta: { content: "<think>well</think>You are allergic to penicillin." } }] };
    return { pieces: [`data: ${JSON.stringify(delta)}\n\n`, "data: [DONE]\n\n"] };
  });
  onTestFinished(() => endpoint.close());
  const at = ["--path", folder.copy("chat-talk.db"), "--llm-url", endpoint.baseUrl, "--llm-model", "scripted"];
  const input = "What is Ada allergic to?\n/why\nMy neighbour Noor feeds the cat on Mondays.\n/quit\n";
  const { out, code } = await run([...at, "chat"], { input });
  expect(code).toBe(0);
  expect(endpoint.requests[0]!.messages[0]!.content).toContain("penicillin; it gave her hives");
  expect(out).toContain("You are allergic to penicillin.");
  expect(out).not.toContain("well</think>");
  expect(out).toContain("Start nodes");
  expect(out).toContain("What you said is kept.");
  expect((await run([...at.slice(0, 2), "export"])).out).toContain("Noor feeds the cat");
});
