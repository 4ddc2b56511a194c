/** The core summary on the command line: as text, explained, as changes, as it was; and what somebody pins there. */
import { beforeAll, describe, expect, it } from "vitest";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
const utc = ["--time-zone", "UTC"];
const allergy = "Ada is allergic to penicillin; it gave her hives in 2012.";
const lisbon = "Ada moved to Lisbon on 3 January to work at the harbour.";

beforeAll(async () => {
  for (const [id, text, at] of [
    ["lisbon", lisbon, "2025-01-05T09:00:00Z"],
    ["allergy", allergy, "2025-01-15T08:00:00Z"],
  ] as const) {
    const { code, errors } = await folder.run([...utc, "commit", text, "--id", id, "--at", at]);
    if (code !== 0) throw new Error(errors);
  }
});

const run = async (...args: string[]): Promise<string> => {
  const { code, out, errors } = await folder.run([...utc, ...args]);
  expect([code, errors]).toEqual([0, ""]);
  return out;
};

describe("core", () => {
  it("shows facts under their areas, and when it was brought up to date", async () => {
    expect(await run("core")).toBe(
      `Allergies and alerts\n- ${allergy}\nWork\n- ${lisbon}\n\nas of 2025-01-15 08:00, 2 facts\n`,
    );
  });

  it("--explain says where each comes from and what decides its place", async () => {
    expect(await run("core", "--explain")).toMatch(
      /^Allergies and alerts\n- Ada is .*\n {2}allergy, told 2025-01-15; lasts \d\.\d\d; in since 2025-01-15; value 1\d\.\d\d\nWork\n- .*\n {2}lisbon, told 2025-01-05; .* in since 2025-01-05; value \d\.\d\d\n$/u,
    );
  });

  it("--at shows it as it was then", async () => {
    expect(await run("core", "--at", "2025-01-10")).toBe(`Work\n- ${lisbon}\n\nas of 2025-01-05 09:00, 1 fact\n`);
    const { code, errors } = await folder.run(["core", "--at", "2025-02-31"]);
    expect([code, errors]).toEqual([2, expect.stringContaining("error time_invalid: at is ")]);
  });

  it("--at before the first version says that there was none, whatever of it is asked for", async () => {
    for (const asked of [[], ["--explain"], ["--changes"]]) {
      expect(await run("core", "--at", "2024-01-01", ...asked)).toBe("There was no core summary then.\n");
    }
    expect(await folder.runJson(["core", "--at", "2024-01-01"])).toMatchObject({ text: "N/A", updatedAt: null });
    expect(await run("--path", "empty.db", "commit", "Hello!", "--id", "hello")).toContain("hello");
    expect(await run("--path", "empty.db", "core")).toMatch(/^No core summary; it is /u);
  });

  it("says that it is empty if what was in it has left, and why with --changes", async () => {
    const path = ["--path", "left.db"];
    await run(...path, "commit", "I play tennis every Tuesday.", "--id", "tennis", "--at", "2025-01-05");
    await run(...path, "correct", "tennis", "I had soup for lunch today.", "--id", "soup", "--at", "2025-02-05");
    const empty = /^The core summary is empty: nothing that was in it still holds; it is written when /u;
    expect(await run(...path, "core")).toMatch(empty);
    expect(await run(...path, "core", "--explain")).toMatch(empty);
    expect(await run(...path, "core", "--at", "2025-03-01")).toMatch(empty);
    expect(await run(...path, "core", "--changes")).toContain("- I play tennis every Tuesday. no longer true: soup");
  });

  it("--changes shows what entered and left, and why; --json has all of it", async () => {
    const path = ["--path", folder.copy("changes.db")];
    await run(...path, "correct", "lisbon", "Ada moved to Porto.", "--id", "porto", "--at", "2025-02-03T09:00:00Z");
    const changes = await run(...path, "core", "--changes");
    expect(changes).toContain(`2025-01-05\n  + ${lisbon} lisbon\n2025-01-15\n  + ${allergy} allergy\n2025-02-03\n`);
    expect(changes).toContain(`  - ${lisbon} no longer true: porto`);
    const core = await folder.runJson<{ changes: { left: object[] }[] }>([...path, "core", "--changes"]);
    expect(core.changes.at(-1)!.left).toMatchObject([{ sourceId: "lisbon", reason: "outdated", byId: "porto" }]);
  });
});

describe("pin and unpin", () => {
  it("fix a memory or a statement, and let it go", async () => {
    const path = ["--path", folder.copy("pins.db")];
    expect(await run(...path, "pin", "lisbon", "--area", "home")).toBe("pinned lisbon\n");
    const text = "The key is under the blue flowerpot.";
    const { id } = await folder.runJson<{ id: string }>([...path, "pin", text, "--area", "Places and codes"]);
    const explained = await run(...path, "core", "--explain");
    // No other id begins with its minute.
    const shownId = id.slice(0, "20250108-0915".length);
    expect(explained).toMatch(/^Home\n- .*\n {2}lisbon, .*; pinned; /mu);
    expect(explained).toMatch(new RegExp(`^Places and codes\\n- ${text}\\n {2}${shownId}, .*; pinned; `, "mu"));
    expect(await run(...path, "unpin", "lisbon")).toBe("unpinned lisbon\n");
    expect(await run(...path, "core", "--explain")).toMatch(/^Work\n- .*\n {2}lisbon, (?!.*pinned)/mu);
  });

  it("may begin a memory", async () => {
    expect(await run("--path", "first.db", "pin", allergy)).toMatch(/^pinned \S+\n$/u);
    expect(await run("--path", "first.db", "core")).toContain(`Allergies and alerts\n- ${allergy}\n`);
  });

  it.each([
    [["pin", "nobody"], 3, "unknown_id"],
    [["pin", "lisbon", "--area", "Machines"], 2, "option_invalid"],
    [["unpin", "lisbon"], 2, "id_invalid"],
    [["unpin", "nobody"], 3, "unknown_id"],
  ])("refuse %j", async (args, exitCode, errorCode) => {
    const { code, errors } = await folder.run(args);
    expect([code, errors]).toEqual([exitCode, expect.stringMatching(`^error ${errorCode}: `)]);
  });
});
