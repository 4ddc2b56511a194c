/** What is forgotten on request is gone: from answers, from other memories' traces, and from the bytes of the file. */
import { setTimeout as delay } from "node:timers/promises";
import { readFileSync } from "node:fs";
import Database from "libsql";
import { type Embedder, type InteractionInput, Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { describe, expect, test } from "vitest";
import { Codec } from "../../src/stores/codec.js";
import { startChild } from "./child-process.js";
import { encryptionKey, engines } from "./engines.js";
import { exportLines } from "./export-lines.js";
import { HashingEmbedder, seededRandom } from "./hashing-embedder.mjs";
import { discardEverything, nowMs } from "./laboratory.mjs";
import { damageIn, openMemories } from "./opened-memories.js";
import { tracesOf, without } from "./raw-bytes.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const dayMs = 86_400_000;

/** Interactions in which everything that can be named has a word of its own. */
class MarkedInteractions {
  readonly #random: () => number;
  readonly #markers = new Map<string, string[]>();
  #count = 0;

  constructor(seed: string) {
    this.#random = seededRandom(seed);
  }

  /** `about`: texts about the same thing are alike. `fillerCount`: words that make it longer. */
  make(about: string, fillerCount = 0): InteractionInput & { id: string } {
    const number = ++this.#count;
    const marker = (kind: string): string => `q${kind}${spell(number)}`;
    const id = `${marker("id")}-0`;
    const filler = Array.from({ length: fillerCount }, () => `f${spell(Math.floor(this.#random() * 5_000))}`).join(" ");
    this.#markers.set(id, ["id", "summary", "state", "who", "turn", "end"].map(marker));
    return {
      id,
      at: nowMs - 200 * dayMs + number * 7 * 3_600_000,
      summary: `${marker("summary")} spoke of ${about}. ${filler}`,
      state: `${marker("state")} phase`,
      turns: [
        { who: marker("who"), text: `I have ${marker("turn")} to tell about ${about}.` },
        { who: "assistant", text: `Then tell me about it. ${filler} And so ended ${marker("end")}.` },
      ],
    };
  }

  markersOf(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.#markers.get(id)!);
  }
}

/** A number in letters, so that no spelling is the beginning of another. */
function spell(number: number): string {
  return `${[...String(number)].map((digit) => "bcdfghjklm"[Number(digit)]).join("")}x`;
}

function markersIn(path: string, markers: readonly string[]): string[] {
  const bytes = databaseBytes(path).toString("latin1").toLowerCase();
  return markers.filter((marker) => bytes.includes(marker));
}

const topics = ["the knee and its scar", "a garden of plums", "the choir on Sundays", "an old violin", "the bakery"];

/** The texts are short, and each has a mark of its own: they count as repetitions all the same. */
const alikeDespiteMarks = { redundancyFreshTermShareMax: 1, replacedTermCountMax: 1_000 };

async function commitAll(memory: PersonMemory, inputs: readonly InteractionInput[]): Promise<void> {
  for (const input of inputs) await memory.commit(input);
  await memory.settled();
}

async function outcomesOf(memory: PersonMemory): Promise<Record<string, string[]>> {
  const outcomes: Record<string, string[]> = {};
  for (const { id, outcome } of await memory.history()) (outcomes[outcome] ??= []).push(id);
  return outcomes;
}

/** An embedder that can be made to fail, so that interactions stay in the queue. */
class FailingEmbedder extends HashingEmbedder implements Embedder {
  isFailing = false;

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.isFailing) throw new Error("out of order");
    return super.embed(texts);
  }
}

/** An embedder that waits until it is told to go on. */
class WaitingEmbedder extends HashingEmbedder implements Embedder {
  goOn!: () => void;
  readonly hasBegun: Promise<void>;
  readonly #isToGoOn = new Promise<void>((resolve) => (this.goOn = resolve));
  #begin!: () => void;

  constructor() {
    super();
    this.hasBegun = new Promise<void>((resolve) => (this.#begin = resolve));
  }

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.#begin();
    await this.#isToGoOn;
    return super.embed(texts);
  }
}

describe("forgetting interactions", () => {
  test.each([1, 2])("of every outcome leaves no byte of them, in random order (seed %i)", async (seed) => {
    const path = scratch.next();
    const random = seededRandom(`forgetting ${seed}`);
    const marked = new MarkedInteractions(`fillers ${seed}`);
    const many = (count: number): (InteractionInput & { id: string })[] =>
      Array.from({ length: count }, () =>
        marked.make(topics[Math.floor(random() * topics.length)]!, Math.floor(random() ** 3 * 600)),
      );
    const embedder = new FailingEmbedder();
    const discarding = await openMemories({ path, parameters: discardEverything });
    await commitAll(discarding.person("ada"), many(8));
    await discarding.close();

    const memories = await openMemories({ path, embedder, parameters: alikeDespiteMarks });
    const memory = memories.person("ada");
    await commitAll(memory, many(40));
    await memory.prune({ memoryCountMax: 20 });
    const repetitions = Array.from({ length: 5 }, () => marked.make("the same lost umbrella on the same old tram"));
    await commitAll(memory, repetitions);
    const talk = marked.make("a long talk");
    const conversation = await memory.conversation({ id: talk.id, state: talk.state! });
    for (const turn of talk.turns!) await conversation.add(turn);
    embedder.isFailing = true;
    for (const input of many(5)) await memory.commit(input);
    await expect(memory.settled()).rejects.toMatchObject({ code: "embedder_failed" });
    await memory.recall("Is anything there?").catch(() => undefined);

    const outcomes = await outcomesOf(memory);
    const kinds = ["committed", "paired", "replaced", "pruned", "discarded", "queued", "open"];
    expect(Object.keys(outcomes).sort()).toEqual(kinds.sort());
    const forgotten = Object.values(outcomes)
      .flatMap((ids) => ids.slice(0, Math.ceil(ids.length / 2)))
      .map((id) => ({ id, order: random() }))
      .sort((x, y) => x.order - y.order)
      .map(({ id }) => id);
    const kept = Object.values(outcomes)
      .flat()
      .filter((id) => !forgotten.includes(id));
    expect(markersIn(path, marked.markersOf(forgotten)).length).toBeGreaterThan(forgotten.length);

    for (let from = 0; from < forgotten.length;) {
      const count = 1 + Math.floor(random() * 8);
      await memory.forget(forgotten.slice(from, from + count));
      from += count;
      expect(markersIn(path, marked.markersOf(forgotten.slice(0, from)))).toEqual([]);
    }
    const markersKept = markersIn(path, marked.markersOf(kept));
    for (const id of kept) expect(markersKept).toContain(marked.markersOf([id])[0]);
    expect((await memory.history()).map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(await memory.check()).toEqual([]);

    embedder.isFailing = false;
    await memory.settled();
    const everything = (await exportLines(memory)).join("\n").toLowerCase();
    expect(marked.markersOf(forgotten).filter((marker) => everything.includes(marker))).toEqual([]);
    const backup = scratch.next();
    await Mnemosyne.backup({ path }, backup);
    expect(markersIn(backup, marked.markersOf(kept))).not.toEqual([]);
    expect(markersIn(backup, marked.markersOf(forgotten))).toEqual([]);
    await memories.close();
    expect(markersIn(path, marked.markersOf(forgotten))).toEqual([]);
  });

  test("of a sealed file leaves no record that was replaced or deleted, not even its keyed name", async () => {
    const open = { path: scratch.next(), encryptionKey };
    const marked = new MarkedInteractions("sealed");
    const inputs = Array.from({ length: 24 }, (_, i) => marked.make(topics[i % topics.length]!, i * 10));
    const memories = await openMemories({ ...open, parameters: alikeDespiteMarks });
    const memory = memories.person("ada");
    await commitAll(memory, inputs);
    expect(markersIn(open.path, marked.markersOf(inputs.map(({ id }) => id)))).toEqual([]);
    const before = await tracesOf(open, "ada");
    const forgotten = inputs.slice(0, 12).map(({ id }) => id);
    for (let from = 0; from < forgotten.length; from += 5) await memory.forget(forgotten.slice(from, from + 5));
    const after = await tracesOf(open, "ada");

    const ids = forgotten.map((id) => new Codec(encryptionKey).toText(id, "ada"));
    expect(ids.filter((id) => !before.ids.has(id))).toEqual([]);
    const gone = [...ids, ...without(before.frames, after.frames)];
    expect(gone.length).toBeGreaterThan(3 * forgotten.length);
    const sealedLines: string[] = [];
    for await (const line of memory.export({ sealed: true })) sealedLines.push(line);
    const plainLines = (await exportLines(memory)).join("\n").toLowerCase();
    const backup = scratch.next();
    await Mnemosyne.backup(open, backup);
    const everywhere = [databaseBytes(open.path), databaseBytes(backup), Buffer.from(sealedLines.join("\n"))];
    for (const bytes of everywhere.map((each) => each.toString("latin1"))) {
      expect(gone.filter((trace) => bytes.includes(trace))).toEqual([]);
    }
    const file = readFileSync(open.path).toString("latin1");
    expect([...after.frames, ...after.ids].filter((trace) => !file.includes(trace))).toEqual([]);
    expect(marked.markersOf(forgotten).filter((marker) => plainLines.includes(marker))).toEqual([]);

    await memory.forgetAll();
    const left = databaseBytes(open.path).toString("latin1");
    const all = [
      ...before.ids,
      ...after.ids,
      ...before.frames,
      ...after.frames,
      new Codec(encryptionKey).toText("ada"),
    ];
    expect(all.filter((trace) => left.includes(trace))).toEqual([]);
  });

  test("gives a receipt of what was removed, releases the partner and writes the core summary again", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("receipt");
    const memories = await openMemories({ path, parameters: { ...alikeDespiteMarks, coreSummaryIntervalCommits: 5 } });
    const memory = memories.person("ada");
    const inputs = Array.from({ length: 30 }, (_, i) => marked.make(topics[i % topics.length]!, i < 15 ? 60 : 0));
    await commitAll(memory, inputs);
    const core = await memory.coreSummary();
    const { memories: before, edges } = await memory.graph();
    const paired = before.find(({ pairId }) => pairId !== null);
    const single = before.find(({ id, pairId }) => pairId === null && core.sourceIds.includes(id));
    const [replaced] = await memory.history({ outcomes: ["replaced"] });
    const partner = paired!.pairId!;
    const ids = [paired!.id, single!.id, replaced!.id];

    const receipt = await memory.forget(ids);
    const gone = before.filter(({ id }) => ids.includes(id));
    expect(receipt).toEqual({
      forgotten: ids,
      removed: {
        interactions: 3,
        queueEntries: 0,
        memories: 2,
        edges: edges.filter(({ a, b }) => ids.includes(a) || ids.includes(b)).length,
        vectors: gone.reduce((sum, { statements }) => sum + 1 + statements.length, 0),
        lexicalEntries: 2,
      },
      remainingPairs: [partner],
      coreSummaryRebuilt: true,
    });
    expect((await memory.get(partner)).pairId).toBeNull();
    expect(await memory.check()).toEqual([]);

    const rebuilt = await memory.coreSummary();
    expect(rebuilt.text).not.toBe("N/A");
    expect(rebuilt.sourceIds.filter((id) => ids.includes(id))).toEqual([]);
    const shown = JSON.stringify([rebuilt, await memory.history(), await memory.graph()]).toLowerCase();
    expect(marked.markersOf(ids).filter((marker) => shown.includes(marker))).toEqual([]);
    for (const id of ids) {
      await expect(memory.get(id)).rejects.toMatchObject({ code: "unknown_id" });
      await expect(memory.restore(id)).rejects.toMatchObject({ code: "unknown_id" });
    }
    const { context } = await memory.recall(`What did ${marked.markersOf(ids)[1]} speak of?`, { seed: 1 });
    expect(marked.markersOf(ids).filter((marker) => context.toLowerCase().includes(marker))).toEqual([]);
  });

  test.each(["outcome", "violin"])("named %j leaves other traces as they were", async (id) => {
    const memory = (await openMemories({ path: ":memory:" })).person("ada");
    await commitAll(memory, [
      { id: "first", summary: "The violin was repaired by Oskar in Graz.", at: nowMs - 3 * dayMs },
      { id, summary: "Bread from the bakery went stale overnight.", at: nowMs - 2 * dayMs },
    ]);
    const [before] = await memory.history({ ids: ["first"] });
    await memory.forget(id);
    const [after] = await memory.history({ ids: ["first"] });
    expect(after).toEqual(before);
  });

  test("while it is being processed forgets it all the same", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("under way");
    const embedder = new WaitingEmbedder();
    const memories = await openMemories({ path, embedder });
    const memory = memories.person("ada");
    const [forgotten, kept] = [marked.make("the knee"), marked.make("a garden")];
    await memory.commit(forgotten);
    await embedder.hasBegun;
    await memory.commit(kept);
    const { removed } = await memory.forget(forgotten.id);
    expect(removed.queueEntries).toBe(1);
    embedder.goOn();
    await memory.settled();
    expect((await memory.history()).map(({ id }) => id)).toEqual([kept.id]);
    expect((await memory.list()).map(({ id }) => id)).toEqual([kept.id]);
    await memories.close();
    expect(markersIn(path, marked.markersOf([forgotten.id]))).toEqual([]);
  });

  test("a conversation still going on does not bring its forgotten turns back", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("talk");
    const memories = await openMemories({ path });
    const memory = memories.person("ada");
    const talk = marked.make("the knee");
    const conversation = await memory.conversation({ id: talk.id });
    for (const turn of talk.turns!) await conversation.add(turn);
    const { removed } = await memory.forget(talk.id);
    expect(removed).toMatchObject({ interactions: 1, queueEntries: 1, memories: 0 });
    const textMarkers = ["who", "turn", "end"].map((kind) =>
      marked.markersOf([talk.id]).find((m) => m.startsWith(`q${kind}`))!,
    );
    await conversation.add({ who: "user", text: "One more thing." }).catch(() => undefined);
    await conversation.end().catch(() => undefined);
    await memory.settled();
    expect(markersIn(path, textMarkers)).toEqual([]);
  });

  test("reaches another opening of the same file", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("elsewhere");
    const here = (await openMemories({ path })).person("ada");
    const there = (await openMemories({ path })).person("ada");
    const inputs = Array.from({ length: 20 }, (_, i) => marked.make(topics[i % topics.length]!));
    await commitAll(here, inputs);
    expect((await there.list()).length).toBe((await here.list()).length);
    const ids = inputs.slice(5, 12).map(({ id }) => id);
    await here.forget(ids);
    expect(await there.graph()).toEqual(await here.graph());
    expect(await there.check()).toEqual([]);
    expect((await there.coreSummary()).text).toBe((await here.coreSummary()).text);
    expect(markersIn(path, marked.markersOf(ids))).toEqual([]);
  });

  test("happens by itself when the stated retention has passed", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("retention");
    let now = nowMs;
    const clock = { nowMs: () => now };
    const options = { path, clock, parameters: { ...alikeDespiteMarks, historyRetentionDays: 30 } };
    const memory = (await openMemories(options)).person("ada");
    await commitAll(
      memory,
      Array.from({ length: 20 }, (_, i) => marked.make(topics[i % 2]!)),
    );
    await memory.prune({ memoryCountMax: 3 });
    const { replaced = [], pruned = [] } = await outcomesOf(memory);
    expect(Math.min(replaced.length, pruned.length)).toBeGreaterThan(0);
    const expired = [...replaced, ...pruned];
    now += 29 * dayMs;
    await commitAll(memory, [marked.make("an old violin")]);
    expect((await memory.history()).filter(({ id }) => expired.includes(id))).toHaveLength(expired.length);
    now += 3 * dayMs;
    await commitAll(memory, [marked.make("the choir on Sundays")]);
    await memory.coreSummary({ update: true });
    expect((await memory.history()).filter(({ id }) => expired.includes(id))).toEqual([]);
    expect(await memory.check()).toEqual([]);
    expect(markersIn(path, marked.markersOf(expired))).toEqual([]);
  });
});

describe("forgetting a person", () => {
  test("leaves no byte, not even the name, and everybody else as they were", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("person");
    const memories = await openMemories({ path });
    const [gone, stays] = [memories.person("Qnamebcx Qnamecdx"), memories.person("bea")];
    const inputs = Array.from({ length: 30 }, (_, i) => marked.make(topics[i % topics.length]!, i * 10));
    await commitAll(gone, inputs);
    await commitAll(stays, [marked.make("the bakery"), marked.make("an old violin")]);
    const [before, { memoryCount, edgeCount, revision }] = [await exportLines(stays), await gone.statistics()];
    const receipt = await gone.forgetAll();
    expect(receipt.forgotten).toEqual(inputs.map(({ id }) => id));
    expect(receipt.removed).toMatchObject({ interactions: 30, memories: memoryCount, edges: edgeCount });

    const markers = ["qnamebcx", "qnamecdx", ...marked.markersOf(inputs.map(({ id }) => id))];
    expect(markersIn(path, markers)).toEqual([]);
    expect(await memories.persons()).toEqual(["bea"]);
    expect(await exportLines(stays)).toEqual(before);
    await expect(gone.list()).rejects.toMatchObject({ code: "unknown_person" });
    await expect(gone.forgetAll()).rejects.toMatchObject({ code: "unknown_person" });

    await commitAll(gone, [inputs[0]!]);
    expect((await gone.statistics()).revision).toBeGreaterThan(revision);
    expect((await gone.list()).map(({ id }) => id)).toEqual([inputs[0]!.id]);
    await gone.forgetAll();
    await memories.close();
    expect(markersIn(path, markers)).toEqual([]);
  });

  test("while interactions of theirs are being processed", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("person under way");
    const memories = await openMemories({ path, parameters: { coreSummaryIntervalCommits: 1 } });
    const memory = memories.person("qnamebcx");
    for (let round = 0; round < 5; round++) {
      const inputs = Array.from({ length: 12 }, (_, i) => marked.make(topics[i % topics.length]!));
      for (const input of inputs) await memory.commit(input);
      await delay(round * 5);
      await memory.forgetAll();
      await memory.settled();
      expect(await memories.persons()).toEqual([]);
      expect(markersIn(path, ["qnamebcx", ...marked.markersOf(inputs.map(({ id }) => id))])).toEqual([]);
    }
  });
});

describe("an interrupted erasure", () => {
  test("is finished by the next opening", async () => {
    const path = scratch.next();
    const marked = new MarkedInteractions("interrupted");
    const inputs = Array.from({ length: 20 }, (_, i) => marked.make(topics[i % topics.length]!, 200));
    const memories = await openMemories({ path });
    await commitAll(memories.person("ada"), inputs);
    await memories.close();
    const forgotten = inputs.slice(0, 10).map(({ id }) => id);

    const database = new Database(path);
    database.exec("PRAGMA secure_delete = OFF");
    for (const id of forgotten) database.prepare("DELETE FROM record WHERE id = ?").run([Buffer.from(id)]);
    database.prepare("INSERT INTO setting VALUES ('erase', 7)").run([]);
    database.close();
    expect(markersIn(path, marked.markersOf(forgotten))).not.toEqual([]);

    await (await openMemories({ path })).close();
    // Traces of others name the forgotten in this made-up state; the texts are what an opening has to clear.
    const texts = marked.markersOf(forgotten).filter((marker) => !marker.startsWith("qid"));
    expect(markersIn(path, texts)).toEqual([]);
    const after = new Database(path);
    expect(after.prepare("SELECT * FROM setting WHERE name = 'erase'").all([])).toEqual([]);
    after.close();
  });

  test.each(engines())("by a kill in $name leaves each interaction either whole or gone", async ({ name, next }) => {
    const open = await next();
    const random = seededRandom("kill in forgetting");
    const marked = new MarkedInteractions("killed");
    const inputs = Array.from({ length: 60 }, (_, i) => marked.make(topics[i % topics.length]!, 100));
    const memories = await openMemories(open);
    await commitAll(memories.person("ada"), inputs);
    await memories.close();
    const left = inputs.map(({ id }) => id);
    const gone: string[] = [];
    const killCount = name === "SQLite" ? 10 : 4;
    // On a fast machine, a process forgets several more before it dies.
    for (let kill = 0; kill < killCount && left.length > 20; kill++) {
      const child = startChild("forgetting-child.mjs", { open, person: "ada", ids: left });
      const killAfterCount = Math.floor(random() * 4);
      await child.until(() => child.said("forgotten").length >= killAfterCount);
      await delay(random() * 30);
      await child.kill();
      const acknowledged = child.said("forgotten");

      const reopened = await openMemories(open);
      const present = (await reopened.person("ada").history()).map(({ id }) => id);
      await reopened.close();
      expect(present.filter((id) => acknowledged.includes(id))).toEqual([]);
      gone.push(...left.splice(0, left.length - present.length));
      expect(present).toEqual(left);
      expect(await damageIn(open)).toEqual([]);
      if (name.startsWith("SQLite")) expect(markersIn(open.path, marked.markersOf(gone))).toEqual([]);
    }
    expect(gone.length).toBeGreaterThan(name === "SQLite" ? 8 : 2);
    const memory = (await openMemories(open)).person("ada");
    expect(await memory.check()).toEqual([]);
    expect((await memory.history()).map(({ id }) => id)).toEqual(left);
  });
});
