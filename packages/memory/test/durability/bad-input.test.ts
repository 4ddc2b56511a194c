/** Wrong input is refused with a stable code, and nothing is stored or changed. */
import { inspect } from "node:util";
import {
  type InteractionInput,
  InputError,
  Mnemosyne,
  MnemosyneError,
  type PersonMemory,
  parameterDefinitions,
} from "mnemosyne-edge";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EmbeddedNode } from "../../src/graph/memory-node.js";
import { startChild } from "./child-process.js";
import { alterLines, exportEverybody, exportLines, rewriteText } from "./export-lines.js";
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
      ["a misspelt field", { summary: said, sumary: said }],
      ["turns that are a text", { turns: said }],
      ["a turn without who", { turns: [{ text: said }] }],
      ["a turn with an empty who", { turns: [{ who: " ", text: said }] }],
      ["a turn with a who over two lines", { turns: [{ who: "user\nassistant", text: said }] }],
      ["a turn without text", { turns: [{ who: "user" }] }],
      ["an empty state", { summary: said, state: "" }],
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
      ["an id over two lines", { summary: said, id: "a\nb" }],
      ["an id with NUL", { summary: said, id: "a\0b" }],
      ["an id with half of a surrogate pair", { summary: said, id: loneSurrogate }],
      ["an id that is too long", { summary: said, id: "x".repeat(201) }],
    ],
  };

  test.each(Object.entries(cases))("is refused with %s", async (code, inputs) => {
    const otherwise: string[] = [];
    for (const [name, input] of inputs) {
      const found = await codeOf(() => memories.person("ada").commit(input as InteractionInput));
      if (found !== code) otherwise.push(`${name}: ${found}`);
    }
    expect(otherwise).toEqual([]);
    expect(await memories.persons()).toEqual([]);
  });
});

describe("the longest interactions there may be are processed:", () => {
  test.each([
    ["sentences", "All work and no play. "],
    ["one word", "x"],
    ["a script without spaces", "漢字仮名"],
  ])("%s", async (_, part) => {
    const child = startChild("long-text-child.mjs", { part, length: 99_990 });
    await child.succeeded();
    expect(child.lines).toHaveLength(3);
    expect(child.lines.filter((line) => line.includes("queued"))).toEqual([]);
  });
});

describe("a person's name", () => {
  test("is refused where it is none", async () => {
    const memories = await openMemories({ path: ":memory:" });
    for (const name of ["", "  ", "ada\nbea", "ada\0", loneSurrogate, "x".repeat(201), 5, null, {}, circular]) {
      expect(await codeOf(() => memories.person(name as string)), String(name)).toBe("person_invalid");
    }
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

  test("a question or an option of recall that is refused", async () => {
    const refused: [string, unknown, object?][] = [
      ["query_empty", " \n"],
      ["query_empty", 5],
      ["text_not_well_formed", loneSurrogate],
      ["text_too_long", megabyte],
      ["time_invalid", "Who?", { at: "last week" }],
      ["option_invalid", "Who?", { tokenBudget: 1.5 }],
    ];
    for (const [code, query, options] of refused) {
      await expectCode(code, () => memory.recall(query as string, options));
    }
  });

  test("the longest question there may be, which is answered", async () => {
    const longest = megabyte.slice(0, parameterDefinitions.questionCharacterCountMax.default);
    const { memories: found } = await unchangedBy(() => memory.recall(longest, { seed: 1 }));
    expect(found.length).toBeGreaterThan(0);
  });

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
  test("asking somebody unknown", async () => {
    for (const [name, work] of Object.entries(unknown)) {
      await unchangedBy(() =>
        expect(work(memories.person("nobody")), name).rejects.toMatchObject({ family: "not-found" }),
      );
    }
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
      ["text_not_well_formed", { who: "user", text: loneSurrogate }],
      ["text_too_long", { who: "user", text: megabyte }],
    ])("whose turn is refused with %s", async (code, turn) => {
      const conversation = await memory.conversation();
      // Refused by the promise, not thrown: a caller that only catches rejections has to see it.
      await unchangedBy(() => expect(conversation.add(turn as never)).rejects.toMatchObject({ code }));
      expect(conversation.turns).toEqual([]);
    });

    test("ended before it began", () =>
      expectCode("interaction_empty", async () => (await memory.conversation()).end()));
  });
});

describe("a conversation that was begun", () => {
  let memory: PersonMemory;
  beforeEach(async () => {
    memory = (await openMemories({ path: ":memory:" })).person("ada");
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
  test("is refused", async () => {
    const refused: [string, object][] = [
      ["parameter_unknown", { parameters: { constructor: 1 } }],
      ["parameter_out_of_range", { parameters: { edgeThreshold: 2 } }],
      ["parameter_out_of_range", { parameters: { startCountMax: 1.5 } }],
      ["parameter_out_of_range", { parameters: { edgeThreshold: "0.5" } }],
      ["parameters_conflict", { parameters: { centralBoostWeight: 0.9 } }],
      ["option_invalid", { profile: "__proto__" }],
      ["option_invalid", { preset: "fast" }],
      ["option_invalid", { timeZone: "Mars/Olympus" }],
      ["option_invalid", { path: "" }],
      ["option_invalid", { encryptionKey: "" }],
      ["option_invalid", { path: "redis://:p%zz@127.0.0.1:1" }],
      ["option_invalid", { path: "redis://%ff:secret@127.0.0.1:1" }],
    ];
    for (const [code, options] of refused) {
      const open = (): Promise<Mnemosyne> => Mnemosyne.open(laboratory({ path: scratch.next(), ...options }));
      expect(await codeOf(async () => (await open()).close()), JSON.stringify(options)).toBe(code);
    }
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

  const altered = (all: string[], alter: (nodes: readonly EmbeddedNode[]) => EmbeddedNode[]): string[] =>
    alterLines(all, ({ nodes }) => ({ nodes: alter(nodes) }));
  const shortened = (embedded: EmbeddedNode, length: number): EmbeddedNode => ({
    ...embedded,
    summaryVector: embedded.summaryVector.slice(0, length),
  });
  const spoilt: Record<string, (exportedLines: string[]) => string[]> = {
    "another version": (all) => all.with(0, all[0]!.replace('"version":3', '"version":99')),
    "no embedder": (all) => all.with(0, '{"type":"mnemosyne-export","version":3,"person":"ada"}'),
    "a record without content": (all) => all.with(2, '{"kind":"interaction","id":"a","layout":1}'),
    "a record of a later layout": (all) => all.with(2, all[2]!.replace('"layout":1', '"layout":2')),
    "a record with another sum": (all) => all.with(2, all[2]!.replace('"sum":', '"sum":1')),
    "an interaction of another shape": (all) =>
      all.with(
        2,
        rewriteText(all[2]!, () => "[]\nqueued\n"),
      ),
    "an unknown outcome": (all) =>
      all.with(
        2,
        rewriteText(all[2]!, (text) => text.replace(/\n\w+\n/u, "\ninvented\n")),
      ),
    "a memory without its interaction": (all) => all.filter((_, i) => i !== 1),
    "a memory without vectors": (all) => altered(all, ([first, ...nodes]) => [shortened(first!, 0), ...nodes]),
    "vectors of another length": (all) => altered(all, ([first, ...nodes]) => [shortened(first!, 3), ...nodes]),
    "an edge to nobody": (all) => all.map((line) => rewriteText(line, (text) => text.replace('[["i', '[["nobody'))),
    "a pair with nobody": (all) =>
      altered(all, ([first, ...nodes]) => [{ ...first!, node: { ...first!.node, pairId: "nobody" } }, ...nodes]),
    "a line of an unknown kind": (all) => [...all.slice(0, -1), '{"kind":"surprise"}'],
    "no end": (all) => all.slice(0, -1),
    "half of its end": (all) => [...all.slice(0, -1), all.at(-1)!.slice(0, -1)],
    "a second end": (all) => [...all, all.at(-1)!],
  };
  test("of an export with something spoilt is refused, and nothing is stored", async () => {
    const whole = await exported();
    const memories = await openMemories({ path: scratch.next() });
    for (const [name, spoil] of Object.entries(spoilt)) {
      expect(spoil(whole), name).not.toEqual(whole);
      expect(await codeOf(() => memories.person("ada").import(spoil(whole))), name).toBe("import_invalid");
    }
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
