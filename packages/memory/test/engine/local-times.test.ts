/** Times without a zone, wherever the library takes one: they are times in the memory's zone, whatever the device's. */
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";

const zones = [
  ["UTC", "2025-07-01T00:00:00.000Z", "2025-07-01T18:30:00.000Z"],
  ["America/New_York", "2025-07-01T04:00:00.000Z", "2025-07-01T22:30:00.000Z"],
  ["Asia/Kolkata", "2025-06-30T18:30:00.000Z", "2025-07-01T13:00:00.000Z"],
  ["Pacific/Apia", "2025-06-30T11:00:00.000Z", "2025-07-01T05:30:00.000Z"],
] as const;

describe.each(zones)("in %s", (timeZone, day, evening) => {
  it("a commit, a conversation and a line of an import take place on the day they name", async () => {
    const person = (await openMemories({ path: ":memory:", timeZone })).person("ada");
    await person.commit({ id: "committed", at: "2025-07-01", summary: "The doctor found an allergy to penicillin." });
    const conversation = await person.conversation({ id: "talk", at: "2025-07-01 18:30" });
    await conversation.add({ who: "user", text: "The knee bends to 95 degrees." });
    await conversation.end();
    const line = { id: "imported", at: "2025-07-01T18:30:00", summary: "The move to Lisbon is done." };
    const instant = { id: "instant", at: "2025-07-01T18:30:00Z", summary: "The garden needs water." };
    await person.import([JSON.stringify(line), JSON.stringify(instant)]);
    await person.settled();
    expect((await person.history()).map(({ id, at }) => [id, at])).toEqual([
      ["committed", day],
      ["talk", evening],
      ["imported", evening],
      ["instant", "2025-07-01T18:30:00.000Z"],
    ]);
    const { context } = await person.recall("What did the doctor find about penicillin?", { at: "2025-07-02" });
    expect(context).toContain("- Tue 1 Jul 2025: The doctor found an allergy to penicillin.");
  });

  it("an export holds moments, so it says the same when it is imported elsewhere", async () => {
    const person = (await openMemories({ path: ":memory:", timeZone })).person("ada");
    await person.commit({ id: "committed", at: "2025-07-01", summary: "The doctor found an allergy to penicillin." });
    await person.settled();
    const elsewhere = (await openMemories({ path: ":memory:", timeZone: "Asia/Tokyo" })).person("ada");
    await elsewhere.import(person.export());
    expect((await elsewhere.history())[0]!.at).toBe(day);
  });
});

describe("a clock that does not work", () => {
  const opened = (nowMs: unknown) =>
    openMemories({ path: ":memory:", clock: { nowMs } as { nowMs: () => number } }).then((memory) =>
      memory.person("ada"),
    );
  it.each([
    ["NaN", () => NaN],
    ["Infinity", () => Infinity],
    ["8640000000000000", () => 8.64e15],
    ['"2025-07-01"', () => "2025-07-01"],
    ["undefined", () => {}],
    ["an object", async () => 0],
  ])("and says %s is refused when the memory is opened", async (shown, nowMs) => {
    const message = `the clock says ${shown}; nowMs() must return milliseconds since 1970`;
    await expect(opened(nowMs)).rejects.toMatchObject({ name: "InputError", code: "option_invalid", message });
  });

  it.each([[{}], [{ nowMs: 5 }], ["now"], [() => 5]])("is refused when the memory is opened: %j", async (clock) => {
    await expect(openMemories({ path: ":memory:", clock: clock as never })).rejects.toMatchObject({
      code: "option_invalid",
      message: expect.stringMatching(/^clock needs a function `nowMs`/u),
    });
  });
});
