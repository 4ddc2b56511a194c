/** What the command line says of outcomes, corrections and what is outdated. */
import { beforeAll, describe, expect, it } from "vitest";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
const utc = ["--time-zone", "UTC"];

beforeAll(async () => {
  await folder.fill();
  for (const args of [
    ["commit", "Hi there, how are you today?", "--id", "hello", "--at", "2025-01-16T09:00:00Z"],
    ["correct", "lisbon", "Ada moved to Porto, not to Lisbon.", "--id", "porto", "--at", "2025-02-03T09:00:00Z"],
  ]) {
    const { code, errors } = await folder.run([...utc, ...args]);
    if (code !== 0) throw new Error(errors);
  }
});

describe("commit", () => {
  it("says what was not kept and how to keep it", async () => {
    const path = ["--path", folder.copy("hello.db")];
    const { out } = await folder.run([...path, "commit", "Hello! Nice to see you.", "--id", "hi"]);
    expect(out).toBe(
      "not kept: small talk\n  hi  Hello! Nice to see you.\n  it stays in the history; to make it a memory all the same:\n  mnemosyne --path hello.db restore hi\n",
    );
    const kept = await folder.run([...path, "commit", "Hello! Nice to see you.", "--id", "kept", "--keep"]);
    expect(kept.out).toBe("kept as you asked\n  kept  Hello! Nice to see you.\n");
  });

  it("says what it updates, and with --explain what decided", async () => {
    const path = ["--path", folder.copy("updates.db")];
    const text = "Ada can take penicillin again; a test in Porto was clear.";
    const args = [...path, "commit", text, "--id", "clear", "--updates", "allergy", "--updates", "porto", "--explain"];
    const { out } = await folder.run(args);
    expect(out).toMatch(
      /^kept; updates what you said on 15 January 2025 \(allergy\) and what you said on 3 February 2025\s+\(porto\)\n {2}clear .*\n {2}the judge gives 0\.\d\d that /u,
    );
    const { trace, ...result } = await folder.runJson<Record<string, unknown>>([...args]);
    expect(result).toMatchObject({ id: "clear", isNew: false, reason: "kept, updates allergy and porto" });
    expect(result["probability"]).toBeGreaterThan(0);
    expect(trace).toMatchObject({ outcome: "committed" });
  });

  it("--explain has the judge's shares of what it updates, and of the nearest, in 80 columns", async () => {
    const narrow = { env: { COLUMNS: "80" } };
    const at = (text: string, day: string): string[] => [
      "--path",
      "judged.db",
      "commit",
      text,
      "--at",
      day,
      "--explain",
    ];
    const told = await folder.run(at("I play tennis every Tuesday.", "2025-01-05"), narrow);
    expect(told.out).not.toMatch(/update|nearest/u);
    const ended = await folder.run(at("I have stopped playing tennis.", "2025-02-05"), narrow);
    const shares = String.raw`\S+: update \d\.\d\d, repetition \d\.\d\d, different \d\.\d\d`;
    expect(ended.out).toMatch(new RegExp(String.raw`^ {2}updates ${shares}(?:: \w.*)?$`, "mu"));
    const other = await folder.run(at("My tennis racket is blue.", "2025-02-06"), narrow);
    expect(other.out).toMatch(new RegExp(String.raw`^ {2}nearest ${shares}(?:: \w.*)?$`, "mu"));
    for (const line of `${ended.out}${other.out}`.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const id = /^ {2}(\S+) {2}I have stopped/mu.exec(ended.out)![1]!;
    const shown = await folder.run(["--path", "judged.db", "show", id, "--explain"], narrow);
    expect(shown.out).toMatch(/^judge +updates \S+: update 0\.\d\d, /mu);
  });

  it("refuses to update what is unknown, with what helps", async () => {
    const path = ["--path", folder.copy("unknown.db")];
    const { code, errors } = await folder.run([...path, "commit", "Ada rows.", "--updates", "nobody"]);
    expect(code).toBe(3);
    expect(errors).toMatch(
      /^error unknown_id: "default" has no interaction "nobody" to update; `mnemosyne --path unknown\.db list --history` /u,
    );
  });
});

describe("correct", () => {
  it("says what it made outdated", async () => {
    const path = ["--path", folder.copy("correct.db")];
    const { out } = await folder.run([...path, "correct", "allergy", "It is amoxicillin.", "--id", "amoxicillin"]);
    expect(out).toBe(
      "kept as you asked; updates what you said on 15 January 2025 (allergy)\n  amoxicillin  It is amoxicillin.\n",
    );
    const [newer] = await folder.runJson<object[]>([...path, "list", "--history", "--outcome", "committed"]);
    expect(newer).toMatchObject({ id: "allergy", outdatedBy: ["amoxicillin"] });
  });

  it("refuses an unknown id, and a database that is not there", async () => {
    expect((await folder.run(["correct", "nobody", "It is amoxicillin."])).code).toBe(3);
    expect((await folder.run(["--path", "none.db", "correct", "lisbon", "Porto."])).errors).toMatch(/store_missing/u);
  });
});

describe("what is outdated", () => {
  const note = "outdated since 3 February 2025 by porto";

  it("is said by list, and left out with --current", async () => {
    const { out } = await folder.run([...utc, "list"]);
    expect(out).toMatch(new RegExp(`^lisbon .*\\n +${note}$`, "mu"));
    expect(out).toMatch(/^porto .*\n +updates lisbon$/mu);
    const current = await folder.runJson<{ id: string }[]>(["list", "--current"]);
    expect(current.map(({ id }) => id)).toEqual(["allergy", "porto"]);
    expect((await folder.run(["list", "--current", "--history"])).errors).toMatch(
      /^error option_invalid: list takes /u,
    );
  });

  it("is said by the history, with why something was not kept", async () => {
    const { out } = await folder.run([...utc, "list", "--history"]);
    expect(out).toMatch(/^hello .* discarded +Hi there.*\n +not kept: small talk$/mu);
    expect(out).toMatch(new RegExp(`^lisbon .*\\n +kept; ${note}$`, "mu"));
    expect(out).toMatch(/^porto .*\n +kept as you asked; updates what you said on 5 January 2025 \(lisbon\)$/mu);
  });

  it("is said by show, from both ends", async () => {
    expect((await folder.run([...utc, "show", "lisbon"])).out).toMatch(new RegExp(`^${note}$`, "mu"));
    const { out } = await folder.run([...utc, "show", "porto"]);
    expect(out).toMatch(/^updates {4}lisbon$/mu);
    expect(out).toMatch(/^why {8}kept as you asked; updates what you said on 5 January 2025 \(lisbon\)$/mu);
    expect((await folder.run([...utc, "show", "hello"])).out).toMatch(/^why {8}not kept: small talk$/mu);
  });

  it("is said by recall, beside the context and not in it", async () => {
    const ask = ["recall", "Which harbour did Ada work at in January?", "--seed", "7"];
    const { out, errors } = await folder.run([...utc, ...ask, "--at", "2025-03-01"]);
    expect(out).toContain("harbour");
    expect(out.trimEnd()).toMatch(/MEMORY>>>$/u);
    expect(errors).toMatch(new RegExp(`^lisbon: ${note}$`, "mu"));
    expect((await folder.run([...utc, ...ask, "--at", "2025-02-01"])).errors).not.toContain("outdated");
  });

  it("comes with how likely an answer is there", async () => {
    const { errors } = await folder.run(["recall", "What is the name of the emperor of Japan?", "--at", "2025-03-01"]);
    expect(errors).toMatch(/^this is probably not known$/mu);
    const explained = await folder.run(["recall", "Where does Ada live?", "--at", "2025-03-01", "--explain"]);
    expect(explained.out).toMatch(/ judge +current/u);
    expect(explained.out).toMatch(/ \(confidence \d\.\d\d\)$/mu);
  });
});

it("--verbose names what was not kept, without its words", async () => {
  const path = ["--path", folder.copy("verbose.db"), "--verbose"];
  const { errors } = await folder.run([...path, "commit", "Hello! Nice to see you.", "--id", "hi"]);
  expect(errors).toContain("info: not kept: small talk (hi)\n");
  expect(errors).not.toContain("Nice");
});

it("the doctor names the judge and what runs it", async () => {
  expect((await folder.run(["doctor"])).out).toMatch(/^✓ judge {11}bundled, run by \w+/mu);
  expect((await folder.run(["doctor", "--preset", "paper"])).out).toMatch(/^✓ judge {11}none; vectors and words /mu);
});
