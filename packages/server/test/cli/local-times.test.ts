/** Times on the command line: without a zone they are the memory's, and they are printed as its clocks show them. */
import { describe, expect, it } from "vitest";
import { describeCore } from "../../src/cli/core-commands.js";
import { formatMoment } from "../../src/cli/terminal.js";
import { CommandFolder, type Ran, type RunOptions } from "./command.js";

const folder = new CommandFolder();

/** On a device elsewhere. */
const runIn = (zone: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  folder.run(["--path", `${zone.replace("/", "-")}.db`, "--time-zone", zone, ...args], {
    ...options,
    env: { TZ: "Asia/Tokyo" },
  });

describe.each([
  ["UTC", "2025-07-01T00:00:00.000Z", "2025-07-01T18:30:00.000Z"],
  ["America/New_York", "2025-07-01T04:00:00.000Z", "2025-07-01T22:30:00.000Z"],
  ["Asia/Kolkata", "2025-06-30T18:30:00.000Z", "2025-07-01T13:00:00.000Z"],
  ["Pacific/Apia", "2025-06-30T11:00:00.000Z", "2025-07-01T05:30:00.000Z"],
  ["Australia/Lord_Howe", "2025-06-30T13:30:00.000Z", "2025-07-01T08:00:00.000Z"],
])("with --time-zone %s", (zone, day, evening) => {
  it("--at and the lines of an import name a time there, and what is printed does too", async () => {
    const text = "The doctor found an allergy to penicillin.";
    expect((await runIn(zone, ["commit", text, "--id", "doctor", "--at", "2025-07-01"])).errors).toBe("");
    const line = { id: "move", at: "2025-07-01 18:30", summary: "Ada moved to Lisbon." };
    expect((await runIn(zone, ["import", "-"], { input: JSON.stringify(line) })).errors).toBe("");
    const question = "Which allergy did the doctor find?";
    const { out: explained } = await runIn(zone, ["recall", question, "--at", "2025-07-02", "--explain"]);
    expect(explained).toContain("yesterday, Tue 1 Jul 2025: The doctor found an allergy to penicillin.");
    expect(explained).toContain("asked 2025-07-02 00:00 (");
    const listed = JSON.parse((await runIn(zone, ["list", "--json"])).out) as { id: string; at: string }[];
    expect(listed.map(({ id, at }) => [id, at])).toEqual([
      ["doctor", day],
      ["move", evening],
    ]);
    for (const args of [["list"], ["list", "--history"], ["graph"]]) {
      const { out } = await runIn(zone, args);
      expect(out).toContain("2025-07-01 00:00");
      expect(out).toContain("2025-07-01 18:30");
    }
    expect((await runIn(zone, ["show", "doctor"])).out).toContain("doctor  2025-07-01 00:00  ");
    expect((await runIn(zone, ["stats"])).out).toContain("2025-07-01 18:30");
    const { out: dot } = await runIn(zone, ["graph", "--format", "dot"]);
    expect([...dot.matchAll(/\d{4}-\d\d-\d\d/gu)].join(" ")).toBe("2025-07-01 2025-07-01");
  });
});

it("without --time-zone, times are the device's", async () => {
  const options = { env: { TZ: "America/New_York" } };
  expect(
    (await folder.run(["commit", "The doctor found an allergy.", "--at", "2025-07-01T08:00"], options)).errors,
  ).toBe("");
  expect((await folder.run(["list"], options)).out).toContain("2025-07-01 08:00");
  expect((await folder.run(["list"], { env: { TZ: "UTC" } })).out).toContain("2025-07-01 12:00");
});

it.each(["+002025-02-31", "2025-02-29", "2025-01-08T09:15+25:00"])("--at %s is refused", async (at) => {
  const { code, errors } = await folder.run(["commit", "The garden needs water.", "--at", at]);
  expect([code, errors]).toEqual([2, expect.stringContaining(`error time_invalid: at is "${at}"`)]);
});

it("a moment is what clocks show, in summer and winter", () => {
  expect(formatMoment("2025-01-05T09:00:00Z", "America/New_York")).toBe("2025-01-05 04:00");
  expect(formatMoment("2025-07-05T09:00:00Z", "America/New_York")).toBe("2025-07-05 05:00");
  expect(formatMoment("2025-07-05T23:59:59.999Z", "UTC")).toBe("2025-07-05 23:59");
  expect(formatMoment("2025-07-05T18:15:00Z", "Asia/Kathmandu")).toBe("2025-07-06 00:00");
});

it("a core summary says when it was written", () => {
  const core = { text: "- Ada sails.", updatedAt: "2025-01-05T02:00:00Z", sourceIds: ["a"], trace: null };
  expect(describeCore({ ...core, areas: [], changes: [] }, "", "America/New_York")).toContain(
    "as of 2025-01-04 21:00, from 1 memory: a",
  );
});
