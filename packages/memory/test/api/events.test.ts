/** What listeners hear of a memory, and what the log says of what was not kept. */
import type { LogEvent, MemoryEventName, Mnemosyne, PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { FakeJudge, judged } from "./fake-judge.js";

const names: readonly MemoryEventName[] = [
  "committed",
  "paired",
  "discarded",
  "updated",
  "edited",
  "forgotten",
  "core",
  "error",
];

function open(options: Parameters<typeof openMemories>[0] = {}): Promise<Mnemosyne> {
  return openMemories({ path: ":memory:", judge: new FakeJudge(), parameters: judged, ...options });
}

/** Everything that is heard, with its name. */
function listenTo(source: Mnemosyne | PersonMemory): [name: MemoryEventName, event: object][] {
  const heard: [MemoryEventName, object][] = [];
  for (const name of names) source.on(name, (event) => heard.push([name, event]));
  return heard;
}

const decided = { person: "ada", reason: "kept", probability: 0.97, repeats: null, updates: [] };

it("tells what became of interactions, once each and in order", async () => {
  const ada = (await open()).person("ada");
  const heard = listenTo(ada);
  await ada.commit({ id: "leeds", summary: "Ada lives in Leeds." });
  await ada.commit({ id: "again", summary: "Ada lives in Leeds." });
  await ada.commit({ id: "hi", summary: "Hello there!" });
  await ada.correct("leeds", "I live in York.", { id: "york" });
  const reason = "says the same as leeds";
  expect(heard).toEqual([
    ["committed", { ...decided, id: "leeds", outcome: "committed" }],
    ["paired", { ...decided, id: "again", outcome: "paired", reason, repeats: "leeds" }],
    ["discarded", { ...decided, id: "hi", outcome: "discarded", reason: "not kept: small talk", probability: 0.02 }],
    [
      "committed",
      {
        ...decided,
        id: "york",
        outcome: "committed",
        reason: "kept as you asked, updates again and leeds",
        updates: ["again", "leeds"],
      },
    ],
    ["updated", { person: "ada", id: "york", updates: ["again", "leeds"] }],
  ]);
});

it("tells what was forgotten, and of the core summary", async () => {
  const ada = (await open({ parameters: { ...judged, coreSummaryIntervalCommits: 1 } })).person("ada");
  for (const id of ["leeds", "choir"]) await ada.commit({ id, summary: `Ada likes the ${id} market.` });
  await ada.settled();
  const heard = listenTo(ada);
  await ada.coreSummary({ update: true });
  expect(heard).toMatchObject([["core", { person: "ada", text: expect.stringContaining("market") as string }]]);
  await ada.forget("leeds");
  expect(heard.slice(1)).toMatchObject([
    ["forgotten", { person: "ada", ids: ["leeds"] }],
    ["core", { person: "ada", text: null }],
    ["core", { person: "ada", text: expect.stringContaining("choir") as string }],
  ]);
  await ada.forgetAll();
  expect(heard.at(-1)).toEqual(["forgotten", { person: "ada", ids: ["choir"], reason: "requested" }]);
});

describe("listeners", () => {
  it("of a person hear of that person alone, those of a memory of everybody", async () => {
    const mnemosyne = await open();
    const [all, bea] = [listenTo(mnemosyne), listenTo(mnemosyne.person("bea"))];
    for (const person of ["ada", "bea"]) {
      await mnemosyne.person(person).commit({ id: person, summary: "Somebody rows." }, { wait: true });
    }
    expect(all.map(([, event]) => (event as { person: string }).person)).toEqual(["ada", "bea"]);
    expect(bea).toEqual([all[1]]);
  });

  it("that throw or reject disturb nothing and are logged", async () => {
    const logged: LogEvent[] = [];
    const ada = (await open({ log: (event) => logged.push(event) })).person("ada");
    const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
    ada.on("committed", () => {
      throw thrown;
    });
    ada.on("committed", (() => Promise.reject(rejected)) as () => void);
    const heard = listenTo(ada);
    expect(await ada.commit({ summary: "Ada rows." }, { wait: true })).toMatchObject({ reason: "kept" });
    expect(heard).toHaveLength(1);
    const message = 'a listener to "committed" failed';
    expect(logged).toEqual([
      { level: "error", message, person: "ada", cause: thrown },
      { level: "error", message, person: "ada", cause: rejected },
    ]);
  });

  it.each([
    [["comitted", () => {}], /^there is no event "comitted"; there are: committed, paired, /u],
    [["toString", () => {}], /^there is no event "toString"/u],
    [[undefined, () => {}], /^there is no event undefined/u],
    [["core"], /^the listener must be a function, not undefined$/u],
  ])("%o are refused", async (given, message) => {
    const mnemosyne = await open();
    for (const source of [mnemosyne, mnemosyne.person("ada")]) {
      expect(() => source.on(...(given as ["core", () => void]))).toThrow(message);
    }
  });
});

it("the log says what was not kept, by person and id and without a word of it", async () => {
  const logged: LogEvent[] = [];
  const ada = (await open({ log: (event) => logged.push(event) })).person("ada");
  await ada.commit({ id: "hi", summary: "Hello there!" });
  await ada.commit({ id: "rows", summary: "Ada rows." }, { wait: true });
  expect(logged).toEqual([{ level: "info", message: "not kept: small talk", person: "ada", id: "hi" }]);
});
