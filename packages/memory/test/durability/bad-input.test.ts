/** Wrong input is refused with a stable code, and nothing is stored or changed. */
import { inspect } from "node:util";
import {
  type InteractionInput,
  InputError,
  Mnemosyne,
  MnemosyneError,
  type MnemosyneOptions,
  type PersonMemory,
  parameterDefinitions,
} from "mnemosyne-edge";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startChild } from "./child-process.js";
import { exportEverybody, exportLines } from "./export-lines.js";
import { interactionAt, laboratory, nowMs } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const loneSurrogate = "half of a pair \ud83e";
const megabyte = "All work and no play. ".repeat(50_000);
const circular: Record<string, unknown> = {};
circular["self"] = circular;
const said = "Marta told how the garden met the spring.";

/** A code, as the caller sees it. */
async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "no error";
  } catch (error) {
    return error instanceof MnemosyneError ? error.code : `not ours: ${String(error)}`;
  }
}

describe("an interaction", () => {
  let memories: Mnemosyne;
  beforeAll(async () => {
    memories = await Mnemosyne.open(laboratory({ path: scratch.next() }));
  });
  afterAll(() => memories.close());

  const cases: Record<string, readonly (readonly [name: string, input: unknown])[]> = {
    interaction_empty: [
      ["nothing", {}],
      ["an empty summary", { summary: "" }],
      ["only white space", { summary: " \n\t\u00a0\u3000 " }],
      ["no turns", { turns: [] }],
      ["turns that say nothing", { turns: [{ who: "user", text: "  " }], summary: " " }],
    ],
    interaction_invalid: [
      ["undefined", undefined],
      ["null", null],
      ["a number", 5],
      ["a turn by itself", { who: "user", text: said }],
      ["a misspelt field", { summary: said, sumary: said }],
      ["turns that are a text", { turns: said }],
      ["turns that are an object", { turns: { who: "user", text: said } }],
      ["a turn that is null", { turns: [null] }],
      ["a turn that is a text", { turns: [said] }],
      ["a turn that is a bigint", { turns: [10n] }],
      ["a turn without who", { turns: [{ text: said }] }],
      ["a turn with an empty who", { turns: [{ who: " ", text: said }] }],
      ["a turn with a who over two lines", { turns: [{ who: "user\nassistant", text: said }] }],
      ["a turn without text", { turns: [{ who: "user" }] }],
      ["a turn with a number as text", { turns: [{ who: "user", text: 5 }] }],
      ["a summary that is a number", { summary: 5 }],
      ["a summary that is null", { summary: null }],
      ["a summary that is a list", { summary: [said] }],
      ["an empty state", { summary: said, state: "" }],
      ["a state that is a number", { summary: said, state: 5 }],
      ["a state over two lines", { summary: said, state: "before\nafter" }],
      ["a state that is too long", { summary: said, state: "x".repeat(201) }],
    ],
    text_too_long: [
      ["a megabyte of summary", { summary: megabyte }],
      ["a megabyte in one turn", { turns: [{ who: "user", text: megabyte }] }],
      [
        "a megabyte in many turns",
        { turns: Array.from({ length: 1000 }, () => ({ who: "user", text: megabyte.slice(0, 1100) })) },
      ],
    ],
    text_not_well_formed: [
      ["half of a surrogate pair in the summary", { summary: loneSurrogate }],
      ["half of a surrogate pair in a turn", { turns: [{ who: "user", text: `\udde0${said}` }] }],
      ["NUL in the summary", { summary: `${said}\0` }],
      ["NUL in a turn", { turns: [{ who: "user", text: `\0${said}` }] }],
    ],
    time_invalid: [
      ...[
        "yesterday",
        "",
        "2025-02-31",
        "2025-13-01",
        "2025-00-10",
        "2025-01-08T25:00:00Z",
        "08.01.2025",
        "1736327700",
      ].map((at) => [`at ${JSON.stringify(at)}`, { summary: said, at }] as const),
      ["at NaN", { summary: said, at: NaN }],
      ["at Infinity", { summary: said, at: -Infinity }],
      ["at an invalid Date", { summary: said, at: new Date(NaN) }],
      ["at an object", { summary: said, at: {} }],
      ["at null", { summary: said, at: null }],
      ["at true", { summary: said, at: true }],
      ["at a bigint", { summary: said, at: 1_736_327_700_000n }],
      ["at a circular object", { summary: said, at: circular }],
      ["at a number no date reaches", { summary: said, at: -9e15 }],
    ],
    time_in_future: [
      ["at tomorrow", { summary: said, at: nowMs + 86_400_000 }],
      ["at a far year", { summary: said, at: "9999-01-01" }],
    ],
    id_invalid: [
      ["an empty id", { summary: said, id: "" }],
      ["a blank id", { summary: said, id: "  " }],
      ["an id that is a number", { summary: said, id: 5 }],
      ["an id that is null", { summary: said, id: null }],
      ["an id that is a bigint", { summary: said, id: 5n }],
      ["an id that is a circular object", { summary: said, id: circular }],
      ["an id over two lines", { summary: said, id: "a\nb" }],
      ["an id with NUL", { summary: said, id: "a\0b" }],
      ["an id with half of a surrogate pair", { summary: said, id: loneSurrogate }],
      ["an id that is too long", { summary: said, id: "x".repeat(201) }],
    ],
  };

  describe.each(Object.entries(cases))("is refused with %s:", (code, inputs) => {
    test.each(inputs)("%s", async (_, input) => {
      expect(await codeOf(() => memories.person("ada").commit(input as InteractionInput))).toBe(code);
      expect(await memories.persons()).toEqual([]);
    });
  });
});

describe("the longest interactions there may be are processed:", () => {
  test.each([
    ["sentences", "All work and no play. "],
    ["lines", "no\n"],
    ["one word", "x"],
    ["one sentence", "and so on "],
    ["a script without spaces", "漢字仮名"],
    ["symbols of two halves", "🧠"],
    ["signs without words", ". "],
  ])("%s", async (_, part) => {
    const child = startChild("long-text-child.mjs", { part, length: 99_990 });
    await child.succeeded();
    expect(child.lines).toHaveLength(3);
    expect(child.lines.filter((line) => line.includes("queued"))).toEqual([]);
  });
});

describe("a person's name", () => {
  test.each([
    ["empty", ""],
    ["blank", "  "],
    ["over two lines", "ada\nbea"],
    ["with NUL", "ada\0"],
    ["with half of a surrogate pair", loneSurrogate],
    ["too long", "x".repeat(201)],
    ["a number", 5],
    ["null", null],
    ["an object", {}],
    ["a bigint", 5n],
    ["a circular object", circular],
  ])("is refused: %s", async (_, name) => {
    const memories = await openMemories({ path: ":memory:" });
    expect(await codeOf(() => memories.person(name as string))).toBe("person_invalid");
  });

  test("and an id may be anything else, and stay apart", async () => {
    const path = scratch.next();
    const names = [
      "Zoë 漢字 🧠",
      "../../etc/passwd",
      "'; DROP TABLE person; --",
      "__proto__",
      "constructor",
      "%s %d",
      "[object Object]",
      " ada",
      "ada",
      "ADA",
      "e\u0301",
      "\u00e9",
      "toString",
      "null",
      "x".repeat(200),
    ];
    const memories = await openMemories({ path });
    for (const name of names) await memories.person(name).commit({ id: name, summary: `${said} Signed ${name}.` });
    await memories.settled();
    await memories.close();
    const reopened = await openMemories({ path });
    expect((await reopened.persons()).sort()).toEqual(names.toSorted());
    for (const name of names) {
      const memory = reopened.person(name);
      expect((await memory.list()).map(({ id }) => id)).toEqual([name]);
      expect((await memory.get(name)).summary).toBe(`${said} Signed ${name}.`);
      expect((await memory.forget(name)).removed.memories).toBe(1);
    }
  });
});

describe("with memories there, nothing changes by", () => {
  let memories: Mnemosyne;
  let memory: PersonMemory;
  beforeAll(async () => {
    memories = await Mnemosyne.open(laboratory({ path: scratch.next() }));
    memory = memories.person("ada");
    for (let position = 0; position < 24; position++) await memory.commit(interactionAt(position));
    await memory.settled();
  });
  afterAll(() => memories.close());

  async function expectCode(code: string, work: () => unknown): Promise<void> {
    expect(await unchangedBy(() => codeOf(work))).toBe(code);
  }

  async function unchangedBy<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = await exportEverybody(memories);
    const result = await work();
    expect(await exportEverybody(memories)).toEqual(before);
    return result;
  }

  test.each([
    ["query_empty", ""],
    ["query_empty", " \n"],
    ["query_empty", null],
    ["query_empty", 5],
    ["text_not_well_formed", loneSurrogate],
    ["text_not_well_formed", "knee\0"],
  ])("a recall refused with %s: %j", (code, query) => expectCode(code, () => memory.recall(query as string)));

  test.each([
    ["time_invalid", { at: "last week" }],
    ["time_invalid", { at: NaN }],
    ["time_invalid", { at: 8.64e15 }],
    ["time_invalid", { at: 5n }],
    ["option_invalid", { tokenBudget: -1 }],
    ["option_invalid", { tokenBudget: 1.5 }],
    ["option_invalid", { tokenBudget: NaN }],
    ["option_invalid", { tokenBudget: "100" }],
  ])("a recall's option refused with %s", (code, options) =>
    expectCode(code, () => memory.recall("How was the garden?", options as object)),
  );

  test("the longest question there may be, which is answered", async () => {
    const longest = megabyte.slice(0, parameterDefinitions.questionCharacterCountMax.default);
    const { memories: found } = await unchangedBy(() => memory.recall(longest, { seed: 1 }));
    expect(found.length).toBeLessThanOrEqual(10);
  });

  test("a question of a megabyte, which is refused", () => expectCode("text_too_long", () => memory.recall(megabyte)));

  test.each([
    ["unknown_id", () => memory.get("nobody")],
    ["unknown_id", () => memory.forget("nobody")],
    ["unknown_id", () => memory.forget(["i001", "nobody"])],
    ["unknown_id", () => memory.restore("nobody")],
    ["id_invalid", () => memory.get("")],
    ["id_invalid", () => memory.forget(5 as unknown as string[])],
    ["id_invalid", () => memory.forget([null as unknown as string])],
    ["id_invalid", () => memory.restore("a\nb")],
    ["id_invalid", () => memory.restore("i001")],
  ])("an id refused with %s (%s)", (code, work) => expectCode(code, work));

  test.each([-1, 1.5, NaN, "3"])("pruning to a limit of %s", async (limit) => {
    await expectCode("option_invalid", () => memory.prune({ memoryCountMax: limit as number }));
    await expectCode("option_invalid", () => memory.prune({ memoryBytesMax: limit as number }));
  });

  const unknown: Record<string, (nobody: PersonMemory) => Promise<unknown>> = {
    list: (nobody) => nobody.list(),
    get: (nobody) => nobody.get("i001"),
    graph: (nobody) => nobody.graph(),
    history: (nobody) => nobody.history(),
    statistics: (nobody) => nobody.statistics(),
    forget: (nobody) => nobody.forget("i001"),
    forgetAll: (nobody) => nobody.forgetAll(),
    prune: (nobody) => nobody.prune({ memoryCountMax: 1 }),
    restore: (nobody) => nobody.restore("i001"),
    export: (nobody) => exportLines(nobody),
  };
  test.each(Object.entries(unknown))("asking somebody unknown to %s", async (_, work) => {
    await unchangedBy(() => expect(work(memories.person("nobody"))).rejects.toMatchObject({ family: "not-found" }));
  });

  test("asking somebody unknown is told without a command of the shell", async () => {
    const told = await memories
      .person("nobody")
      .list()
      .catch((error: unknown) => (error as Error).message);
    expect(told).toBe('there is no person called "nobody"');
  });

  test("asking for the core summary of somebody unknown", async () => {
    const nobody = memories.person("nobody");
    await unchangedBy(async () => {
      expect((await nobody.coreSummary()).text).toBe("N/A");
      expect(["unknown_person", "no error"]).toContain(await codeOf(() => nobody.coreSummary({ update: true })));
      expect((await nobody.recall("Is anybody there?", { seed: 1 })).memories).toEqual([]);
      expect(await nobody.check()).toEqual([]);
    });
  });

  describe("a conversation", () => {
    test.each([
      ["interaction_invalid", { who: "", text: said }],
      ["interaction_invalid", null],
      ["interaction_invalid", { who: "user", text: 5 }],
      ["text_not_well_formed", { who: "user", text: loneSurrogate }],
      ["text_not_well_formed", { who: "user", text: `${said}\0` }],
      ["text_too_long", { who: "user", text: megabyte }],
    ])("whose turn is refused with %s", async (code, turn) => {
      const conversation = await memory.conversation();
      // Refused by the promise, not thrown: a caller that only catches rejections has to see it.
      await unchangedBy(() => expect(conversation.add(turn as never)).rejects.toMatchObject({ code }));
      expect(conversation.turns).toEqual([]);
    });

    test.each([
      ["id_invalid", { id: "" }],
      ["id_invalid", { id: "i001\n" }],
      ["time_invalid", { at: "tomorrow" }],
      ["time_in_future", { at: nowMs + 86_400_000 }],
      ["interaction_invalid", { state: "" }],
      ["conversation_ended", { id: "i001" }],
    ])("refused with %s: %j", (code, options) => expectCode(code, () => memory.conversation(options)));

    test("ended before it began", () =>
      expectCode("interaction_empty", async () => (await memory.conversation()).end()));
  });
});

describe("a conversation that was begun", () => {
  let memory: PersonMemory;
  beforeEach(async () => {
    memory = (await openMemories({ path: ":memory:" })).person("ada");
  });

  test("is not ended without a word", async () => {
    const conversation = await memory.conversation({ id: "a talk" });
    expect(
      await codeOf(async () => {
        await conversation.add({ who: "user", text: "  " });
        await conversation.end();
      }),
    ).toBe("interaction_empty");
    await memory.settled();
    expect(await memory.list().catch(() => [])).toEqual([]);
  });

  test("does not grow beyond the length of an interaction", async () => {
    const conversation = await memory.conversation({ id: "a talk" });
    const turn = { who: "user", text: megabyte.slice(0, 30_000) };
    for (let count = 0; count < 3; count++) await conversation.add(turn);
    expect(await codeOf(() => conversation.add(turn))).toBe("text_too_long");
    expect(conversation.turns).toHaveLength(3);
    await conversation.end();
    await memory.settled();
    expect((await memory.get("a talk")).turns).toHaveLength(3);
  });

  test("takes nothing once it has ended", async () => {
    const conversation = await memory.conversation({ id: "a talk" });
    await conversation.add({ who: "user", text: said });
    await conversation.end();
    await expect(conversation.add({ who: "user", text: said })).rejects.toMatchObject({ code: "conversation_ended" });
    await expect(conversation.end()).rejects.toMatchObject({ code: "conversation_ended" });
    expect(await codeOf(() => memory.conversation({ id: "a talk" }))).toBe("conversation_ended");
    await memory.settled();
    expect((await memory.get("a talk")).turns).toHaveLength(1);
  });
});

describe("an option of opening", () => {
  test.each<[string, string, MnemosyneOptions]>([
    ["parameter_unknown", "an unknown parameter", { parameters: { nonsense: 1 } as object }],
    ["parameter_unknown", "a parameter called constructor", { parameters: { constructor: 1 } as object }],
    ["parameter_out_of_range", "a value too high", { parameters: { edgeThreshold: 2 } }],
    ["parameter_out_of_range", "a value too low", { parameters: { keywordCountMax: 0 } }],
    ["parameter_out_of_range", "half of a whole number", { parameters: { startCountMax: 1.5 } }],
    ["parameter_out_of_range", "NaN", { parameters: { edgeThreshold: NaN } }],
    ["parameter_out_of_range", "a text", { parameters: { edgeThreshold: "0.5" as unknown as number } }],
    ["parameter_out_of_range", "null", { parameters: { edgeThreshold: null as unknown as number } }],
    ["parameters_conflict", "weights that do not sum to 1", { parameters: { centralBoostWeight: 0.9 } }],
    ["option_invalid", "an unknown profile", { profile: "astrology" as "general" }],
    ["option_invalid", "a profile called constructor", { profile: "constructor" as "general" }],
    ["option_invalid", "a profile called __proto__", { profile: "__proto__" as "general" }],
    ["option_invalid", "an unknown preset", { preset: "fast" as "paper" }],
    ["option_invalid", "an unknown time zone", { timeZone: "Mars/Olympus" }],
    ["option_invalid", "an empty time zone", { timeZone: "" }],
    ["option_invalid", "an empty path", { path: "" }],
    ["option_invalid", "a path that is a number", { path: 5 as unknown as string }],
    ["option_invalid", "an empty encryption key", { encryptionKey: "" }],
    ["option_invalid", "an encryption key that is a number", { encryptionKey: 5 as unknown as string }],
    ["option_invalid", "half of an escaped character in a password", { path: "redis://:p%zz@127.0.0.1:1" }],
    ["option_invalid", "an escaped name that is no text", { path: "redis://%ff:secret@127.0.0.1:1" }],
  ])("is refused with %s: %s", async (code, _, options) => {
    const found = await codeOf(async () => {
      const memories = await Mnemosyne.open(laboratory({ path: scratch.next(), ...options }));
      await memories.close();
    });
    expect(found).toBe(code);
  });

  test.each([
    ["NUL in a path", "a\0b.db"],
    ["a server instead of a path", "http://127.0.0.1:1/memory"],
  ])("is refused and does not end the process: %s", async (_, path) => {
    const child = startChild("opening-child.mjs", { path }, { cwd: scratch.path });
    await child.succeeded();
    expect(child.lines).toEqual(["failed input option_invalid"]);
  });

  test("tells a malformed login from its address, and does not repeat it", async () => {
    const opening = Mnemosyne.open(laboratory({ path: "redis://zoe:hush%zz@127.0.0.1:1" }));
    const error: unknown = await opening.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toMatch(/the user or password .* write % as %25/u);
    expect(inspect(error, { depth: 9 })).not.toMatch(/hush|zoe/u);
  });

  test("refuses with an InputError that says what is wrong", async () => {
    const opening = Mnemosyne.open(laboratory({ path: ":memory:", parameters: { edgeThreshold: 2 } }));
    await expect(opening).rejects.toBeInstanceOf(InputError);
    await expect(opening).rejects.toThrow(/"edgeThreshold" is 2; it must be a number from 0 to 1/u);
  });
});

describe("an import", () => {
  const lines = (count: number): string[] =>
    Array.from({ length: count }, (_, position) => JSON.stringify(interactionAt(position)));
  const exported = async (): Promise<string[]> => {
    const source = await openMemories({ path: ":memory:" });
    await source.person("ada").import(lines(12));
    await source.settled();
    return exportLines(source.person("ada"));
  };

  test.each<[string, string, string]>([
    ["import_invalid", "no JSON", "{ not json"],
    ["import_invalid", "a list", "[1, 2]"],
    ["import_invalid", "a number", "5"],
    ["import_invalid", "null", "null"],
    ["import_invalid", "no interaction", '{"text":"hello"}'],
    ["time_invalid", "a bad time", '{"summary":"Hello there.","at":"yesterday"}'],
    ["interaction_empty", "nothing said", '{"summary":" "}'],
    ["interaction_invalid", "turns that are a text", '{"turns":"hello"}'],
    ["id_invalid", "a bad id", '{"summary":"Hello there.","id":7}'],
  ])("is refused with %s and its line, and nothing is stored: %s", async (code, _, line) => {
    const memories = await openMemories({ path: scratch.next() });
    const importing = memories.person("ada").import([...lines(4), line, ...lines(2)]);
    await expect(importing).rejects.toMatchObject({ code });
    await expect(importing).rejects.toThrow(/line 5/u);
    expect(await memories.persons()).toEqual([]);
  });

  const spoilt: Record<string, (exportedLines: string[]) => string[]> = {
    "another version": (all) => all.with(0, all[0]!.replace('"version":1', '"version":99')),
    "no embedder": (all) => all.with(0, '{"type":"mnemosyne-export","version":1,"person":"ada"}'),
    "an interaction without content": (all) => all.with(2, '{"type":"interaction"}'),
    "an interaction of another shape": (all) =>
      all.with(2, '{"type":"interaction","interaction":{"id":7},"outcome":"committed","trace":null}'),
    "an unknown outcome": (all) => all.with(2, all[2]!.replace(/"outcome":"\w+"/u, '"outcome":"invented"')),
    "a memory without its interaction": (all) => all.filter((_, i) => i !== 1),
    "a memory without vectors": (all) =>
      all.map((line) => line.replace(/"summaryVector":"[^"]*"/u, '"summaryVector":5')),
    "vectors of another length": (all) =>
      all.map((line) => line.replace(/"summaryVector":"[^"]*"/u, '"summaryVector":"AAAA"')),
    "an edge to nobody": (all) =>
      all.map((line) => line.replace(/"type":"edge","a":"[^"]*"/u, '"type":"edge","a":"a nobody"')),
    "a pair with nobody": (all) => all.map((line) => line.replace('"pairId":null', '"pairId":"nobody"')),
    "a line of an unknown type": (all) => [...all.slice(0, -1), '{"type":"surprise"}'],
    "no end": (all) => all.slice(0, -1),
    "half of its end": (all) => [...all.slice(0, -1), all.at(-1)!.slice(0, -1)],
    "a second end": (all) => [...all, all.at(-1)!],
  };
  test.each(Object.entries(spoilt))("of an export with %s is refused, and nothing is stored", async (_, spoil) => {
    const whole = await exported();
    const memories = await openMemories({ path: scratch.next() });
    expect(spoil(whole)).not.toEqual(whole);
    expect(await codeOf(() => memories.person("ada").import(spoil(whole)))).toBe("import_invalid");
    await memories.settled();
    expect(await memories.persons()).toEqual([]);
  });

  test("of an export or of interactions may begin with a byte order mark", async () => {
    const memories = await openMemories({ path: ":memory:" });
    const [first, ...rest] = await exported();
    const restored = await memories.person("ada").import([`\uFEFF${first}`, ...rest]);
    expect(restored).toMatchObject({ mode: "restored", acceptedCount: 12 });
    expect(await exportLines(memories.person("ada"))).toEqual([first, ...rest]);
    const plain = await memories.person("bea").import([`\uFEFF${lines(1)[0]}`]);
    expect(plain).toMatchObject({ mode: "committed", acceptedCount: 1 });
  });

  test("counts blank lines in what it says of a line", async () => {
    const memories = await openMemories({ path: ":memory:" });
    const importing = memories.person("ada").import([...lines(2), "", '{"summary":" "}']);
    await expect(importing).rejects.toThrow(/^line 4: /u);
  });

  test("of nothing is nothing", async () => {
    const memories = await openMemories({ path: ":memory:" });
    expect(await memories.person("ada").import(["", "  "])).toMatchObject({ acceptedCount: 0, knownCount: 0 });
    expect(await memories.persons()).toEqual([]);
  });
});

test("a closed memory says so", async () => {
  const memories = await openMemories({ path: scratch.next() });
  const memory = memories.person("ada");
  await memory.commit({ summary: said });
  await memories.close();
  await memories.close();
  expect(await codeOf(() => memory.commit({ summary: said }))).toBe("store_closed");
  expect(await codeOf(() => memory.list())).toBe("store_closed");
  expect(await codeOf(() => memory.recall("How was the garden?"))).toBe("store_closed");
});
