/** What listeners hear of a memory, and what the log says of what was not kept. */
import type { LogEvent, MemoryEventName, Mnemosyne, PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { FakeReader, read } from "./fake-reader.js";

const names: readonly MemoryEventName[] = [
  "committed",
  "paired",
  "discarded",
  "forgetAsked",
  "updated",
  "edited",
  "forgotten",
  "core",
  "error",
];

function open(options: Parameters<typeof openMemories>[0] = {}): Promise<Mnemosyne> {
  return openMemories({ path: ":memory:", reader: new FakeReader(), parameters: read, ...options });
}

/** Everything that is heard, with its name. */
function listenTo(source: Mnemosyne | PersonMemory): [name: MemoryEventName, event: object][] {
  const heard: [MemoryEventName, object][] = [];
  for (const name of names) source.on(name, (event) => heard.push([name, event]));
  return heard;
}

const decided = {
  person: "ada",
  reason: "kept",
  probability: 0.97,
  repeats: null,
  updates: [],
  ended: [],
  forgetAsked: [],
};

it("tells what became of interactions, once each and in order", async () => {
  const ada = (await open()).person("ada");
  const all = listenTo(ada);
  await ada.commit({ id: "leeds", text: "Ada lives in Leeds." });
  await ada.commit({ id: "again", text: "Ada lives in Leeds." });
  await ada.commit({ id: "hi", text: "Hello there!" });
  await ada.correct("leeds", "I live in York.", { id: "york" });
  const reason = "says the same as leeds";
  // What the core memory says from then on comes first.
  expect(all.map(([name]) => name)).toEqual([
    "core",
    "committed",
    "paired",
    "discarded",
    "core",
    "committed",
    "updated",
  ]);
  expect(all.filter(([name]) => name !== "core")).toEqual([
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
        ended: ["again", "leeds"],
      },
    ],
    ["updated", { person: "ada", id: "york", updates: ["again", "leeds"] }],
  ]);
});

it("tells of a wish to forget", async () => {
  const ada = (await open()).person("ada");
  await ada.commit({ id: "mug", text: "Ada has a blue mug." }, { wait: true });
  const heard = listenTo(ada);
  await ada.commit({ id: "wish", text: "Please forget what I said about the mug." }, { wait: true });
  expect(heard).toMatchObject([
    ["core", { person: "ada", text: null }],
    ["forgetAsked", { person: "ada", id: "wish", outcome: "forgetAsked", forgetAsked: ["mug#0"] }],
  ]);
});

it("tells what was forgotten, and of the core memory, which follows at once", async () => {
  const ada = (await open()).person("ada");
  const heard = listenTo(ada);
  const texts = { leeds: "Ada lives in Leeds.", choir: "The choir sings Bach." };
  for (const [id, text] of Object.entries(texts)) await ada.commit({ id, text }, { wait: true });
  const says = (...lines: string[]): string => ["Who they are", ...lines.map((line) => `- ${line}`)].join("\n");
  expect(heard.filter(([name]) => name === "core")).toEqual([
    ["core", { person: "ada", text: says(texts.leeds) }],
    ["core", { person: "ada", text: says(texts.leeds, texts.choir) }],
  ]);
  heard.length = 0;
  await ada.coreSummary({ update: true });
  expect(heard).toEqual([]);
  await ada.forget("leeds");
  expect(heard).toEqual([
    ["forgotten", { person: "ada", ids: ["leeds"], reason: "requested" }],
    ["core", { person: "ada", text: says(texts.choir) }],
  ]);
  await ada.forgetAll();
  expect(heard.at(-1)).toEqual(["forgotten", { person: "ada", ids: ["choir"], reason: "requested" }]);
});

it("tells of the text that is written where nobody reads", async () => {
  const ada = (await open({ reader: false, parameters: { coreSummaryIntervalCommits: 100 } })).person("ada");
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
});

describe("listeners", () => {
  it("of a person hear of that person alone, those of a memory of everybody", async () => {
    const mnemosyne = await open();
    const [all, bea] = [listenTo(mnemosyne), listenTo(mnemosyne.person("bea"))];
    for (const person of ["ada", "bea"]) {
      await mnemosyne.person(person).commit({ id: person, text: "Somebody rows." }, { wait: true });
    }
    const personOf = ([, event]: readonly [string, object]): string => (event as { person: string }).person;
    expect(all.map(personOf)).toEqual(["ada", "ada", "bea", "bea"]);
    expect(bea).toEqual(all.slice(2));
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
    expect(await ada.commit({ text: "Ada rows." }, { wait: true })).toMatchObject({ reason: "kept" });
    expect(heard.map(([name]) => name)).toEqual(["core", "committed"]);
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
  await ada.commit({ id: "hi", text: "Hello there!" });
  await ada.commit({ id: "rows", text: "Ada rows." }, { wait: true });
  expect(logged).toEqual([{ level: "info", message: "not kept: small talk", person: "ada", id: "hi" }]);
});
