/** Every row of "Coming from mem0, LangGraph or Mastra" in docs/api.md, done. */
import { readFileSync } from "node:fs";
import { Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { ScriptedModel, answerWell } from "../engine/scripted-model.js";

const said = (text: string) => [{ role: "user", content: text }];
const harbour = "My sister Inês keeps a boat in the harbour of Setúbal.";
const piano = "I practise the piano every Thursday evening.";

async function open(): Promise<Mnemosyne> {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), judge: false });
  onTestFinished(() => mnemosyne.close());
  return mnemosyne;
}

/** Two memories, in two threads. */
async function openTold(): Promise<{ mnemosyne: Mnemosyne; person: PersonMemory }> {
  const mnemosyne = await open();
  const person = mnemosyne.person("ada");
  await person.commitMany([
    { id: "boat", messages: said(harbour), metadata: { thread: "a" }, keep: true },
    { id: "piano", messages: said(piano), metadata: { thread: "b" }, keep: true },
  ]);
  await person.settled();
  return { mnemosyne, person };
}

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).sort();

async function copyThread(from: PersonMemory, to: PersonMemory): Promise<void> {
  await to.import(from.export({ filter: { thread: "a" } }));
  await to.settled();
}

const rows: Readonly<Record<string, () => Promise<void>>> = {
  "mem0 add": async () => {
    const person = (await open()).person("ada");
    const { outcome } = await person.commit({ messages: said(harbour), keep: true }, { wait: true });
    expect(outcome).toBe("committed");
  },
  "mem0 search": async () => {
    const { person } = await openTold();
    const { memories } = await person.recall("Where is the boat?", { filter: { thread: "a" }, limit: 1 });
    expect(idsOf(memories)).toEqual(["boat"]);
    expect((await person.recall("Where is the boat?", { filter: { thread: "b" } })).memories).not.toContainEqual(
      expect.objectContaining({ id: "boat" }),
    );
  },
  "mem0 get": async () => {
    const { person } = await openTold();
    expect((await person.get("boat")).turns).toEqual([{ who: "user", text: harbour }]);
  },
  "mem0 getAll": async () => {
    const { person } = await openTold();
    expect(idsOf(await person.list({ filter: { thread: "b" } }))).toEqual(["piano"]);
    const first = await person.list({ limit: 1 });
    const second = await person.list({ limit: 1, cursor: first.nextCursor! });
    expect(idsOf([...first, ...second])).toEqual(["boat", "piano"]);
  },
  "mem0 update": async () => {
    const { person } = await openTold();
    const expiresAt = new Date(Date.now() + 3_600_000);
    await person.update("boat", { text: "The boat is in Sines now.", metadata: { thread: "c" }, expiresAt });
    expect(await person.get("boat")).toMatchObject({
      turns: [{ who: "user", text: "The boat is in Sines now." }],
      metadata: { thread: "c" },
      expiresAt: expiresAt.toISOString(),
    });
  },
  "mem0 delete": async () => {
    const { person } = await openTold();
    await person.forget("boat");
    expect(idsOf(await person.history())).toEqual(["piano"]);
  },
  "mem0 deleteAll": async () => {
    const { mnemosyne, person } = await openTold();
    await person.forget({ filter: { thread: "a" } });
    expect(idsOf(await person.history())).toEqual(["piano"]);
    await person.forgetAll();
    expect(await mnemosyne.persons()).toEqual([]);
  },
  "mem0 history": async () => {
    const { person } = await openTold();
    await person.update("boat", { text: "The boat is in Sines now." });
    const [item] = await person.history({ ids: ["boat"] });
    expect(item!.versions).toMatchObject([{ turns: [{ who: "user", text: harbour }] }]);
  },
  "mem0 reset": async () => {
    const { mnemosyne } = await openTold();
    for await (const name of mnemosyne.persons()) await mnemosyne.person(name).forgetAll();
    expect(await mnemosyne.persons()).toEqual([]);
  },
  "mem0 updateProject": async () => {
    const options = { path: ":memory:", embedder: new HashingEmbedder(), judge: false } as const;
    const mnemosyne = await Mnemosyne.open({ ...options, profile: "healthcare", parameters: { startCountMax: 4 } });
    onTestFinished(() => mnemosyne.close());
    expect((await mnemosyne.describe()).profile).toBe("healthcare");
    expect(mnemosyne.parameters.startCountMax).toBe(4);
  },
  "mem0 platform ping": async () => {
    expect((await (await open()).describe()).store.kind).toBe("memory");
  },
  "mem0 platform users": async () => {
    expect(await (await openTold()).mnemosyne.persons()).toEqual(["ada"]);
  },
  "mem0 platform deleteUser": async () => {
    const { mnemosyne, person } = await openTold();
    expect((await person.forgetAll()).removed.memories).toBe(2);
    expect(await mnemosyne.persons()).toEqual([]);
  },
  "mem0 platform batchUpdate": async () => {
    const { person } = await openTold();
    for (const id of ["boat", "piano"]) await person.update(id, { metadata: { thread: "both" } });
    expect(idsOf(await person.list({ filter: { thread: "both" } }))).toEqual(["boat", "piano"]);
  },
  "mem0 platform batchDelete": async () => {
    const { person } = await openTold();
    expect((await person.forget(["boat", "piano"])).forgotten).toEqual(["boat", "piano"]);
  },
  "mem0 platform getWebhooks": async () => {
    const mnemosyne = await open();
    const heard: string[] = [];
    const end = mnemosyne.on("committed", ({ person, id }) => void heard.push(`${person} ${id}`));
    const tell = (id: string) =>
      mnemosyne.person("ada").commit({ id, turns: said(harbour), keep: true }, { wait: true });
    await tell("boat");
    end();
    await mnemosyne.person("ada").forget("boat");
    await tell("again");
    expect(heard).toEqual(["ada boat"]);
  },
  "mem0 platform createMemoryExport": async () => {
    const { person } = await openTold();
    const lines: string[] = [];
    for await (const line of person.export({ filter: { thread: "a" } })) lines.push(line);
    expect(lines.join("\n")).toContain("Setúbal");
    expect(lines.join("\n")).not.toContain("piano");
  },
  "mem0 platform feedback": async () => {
    const { person } = await openTold();
    const { id } = await person.correct("boat", "Inês sold her boat.");
    expect((await person.get("boat")).outdatedBy).toEqual([id]);
    await person.unlink(id, "boat");
    expect((await person.get("boat")).outdatedBy).toEqual([]);
  },
  "mem0 platform getProfile": async () => {
    const { person } = await openTold();
    expect((await person.coreSummary({ update: true })).text).toContain("boat");
  },
  "LangGraph put": async () => {
    const { person } = await openTold();
    await expect(person.commit({ id: "boat", turns: said("Sold.") })).rejects.toMatchObject({ code: "id_taken" });
    await person.update("boat", { turns: [{ who: "user", text: "Sold." }] });
    expect((await person.get("boat")).turns).toEqual([{ who: "user", text: "Sold." }]);
  },
  "LangGraph get": async () => {
    const { person } = await openTold();
    expect((await person.get("piano")).metadata).toEqual({ thread: "b" });
    await expect(person.get("nothing")).rejects.toMatchObject({ code: "unknown_id" });
  },
  "LangGraph search": async () => {
    const { person } = await openTold();
    const { memories } = await person.recall("piano", { filter: { thread: { in: ["b", "c"] } } });
    expect(idsOf(memories)).toEqual(["piano"]);
    expect(idsOf(await person.list({ filter: { thread: { ne: "a" } } }))).toEqual(["piano"]);
  },
  "LangGraph delete": async () => {
    const { person } = await openTold();
    await person.forget("piano");
    await expect(person.get("piano")).rejects.toMatchObject({ code: "unknown_id" });
  },
  "LangGraph listNamespaces": async () => {
    const { mnemosyne } = await openTold();
    await mnemosyne.person("bea").commit(harbour);
    expect(await mnemosyne.persons({ limit: 1 })).toEqual(["ada"]);
    expect(await mnemosyne.persons()).toEqual(["ada", "bea"]);
  },
  "LangGraph batch": async () => {
    const person = (await open()).person("ada");
    const { ids } = await person.commitMany([harbour, piano]);
    await person.forget(ids);
    expect(await person.history().catch(() => [])).toEqual([]);
  },
  "LangGraph start": async () => {
    const options = { path: ":memory:", embedder: new HashingEmbedder(), judge: false } as const;
    const mnemosyne = await Mnemosyne.open(options);
    await mnemosyne.close();
    await expect(mnemosyne.person("ada").commit(harbour)).rejects.toMatchObject({ code: "store_closed" });
  },
  "Mastra recall": async () => {
    const { person } = await openTold();
    const { memories } = await person.recall("When do I practise?", { filter: { thread: "b" } });
    expect(idsOf(memories)).toEqual(["piano"]);
  },
  "Mastra saveMessages": async () => {
    const person = (await open()).person("ada");
    const conversation = await person.conversation({ id: "t1", metadata: { thread: "t1" } });
    await conversation.add({ role: "user", content: harbour });
    await conversation.add({ role: "assistant", content: "A sailing boat?" });
    await conversation.end();
    await person.settled();
    const [item] = await person.history({ filter: { thread: "t1" } });
    expect(item!.turns.map(({ who }) => who)).toEqual(["user", "assistant"]);
  },
  "Mastra updateMessages": async () => {
    const { person } = await openTold();
    await person.update("piano", { turns: [{ who: "user", text: "I practise the cello." }] });
    expect((await person.get("piano")).summary).toContain("cello");
  },
  "Mastra deleteMessages": async () => {
    const { person } = await openTold();
    expect((await person.forget(["boat"])).removed.memories).toBe(1);
  },
  "Mastra listMessagesByResourceId": async () => {
    const { person } = await openTold();
    const first = await person.history({ limit: 1 });
    const rest = await person.history({ limit: 5, cursor: first.nextCursor! });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(["boat", "piano"]);
  },
  "Mastra saveThread": async () => {
    const person = (await open()).person("ada");
    const conversation = await person.conversation({ id: "t1", metadata: { title: "Boats" } });
    await conversation.add({ who: "user", text: harbour });
    expect((await person.history({ ids: ["t1"] }))[0]).toMatchObject({ outcome: "open", metadata: { title: "Boats" } });
  },
  "Mastra getThreadById": async () => {
    const { person } = await openTold();
    expect(idsOf(await person.history({ ids: ["boat"] }))).toEqual(["boat"]);
    expect(idsOf(await person.history({ filter: { thread: "a" } }))).toEqual(["boat"]);
  },
  "Mastra listThreads": async () => {
    const { person } = await openTold();
    const found = await person.history({ outcomes: ["committed", "paired"], filter: { thread: { exists: true } } });
    expect(idsOf(found)).toEqual(["boat", "piano"]);
  },
  "Mastra updateThread": async () => {
    const { person } = await openTold();
    await person.update("boat", { metadata: { thread: "a", title: "Boats" } });
    expect((await person.get("boat")).metadata).toEqual({ thread: "a", title: "Boats" });
  },
  "Mastra updateThreadResourceId": async () => {
    const { mnemosyne, person } = await openTold();
    const bea = mnemosyne.person("bea");
    await copyThread(person, bea);
    await person.forget({ filter: { thread: "a" } });
    expect([idsOf(await person.list()), idsOf(await bea.list())]).toEqual([["piano"], ["boat"]]);
  },
  "Mastra deleteThread": async () => {
    const { person } = await openTold();
    await person.forget({ filter: { thread: "b" } });
    expect(idsOf(await person.list())).toEqual(["boat"]);
  },
  "Mastra cloneThread": async () => {
    const { mnemosyne, person } = await openTold();
    const bea = mnemosyne.person("bea");
    await copyThread(person, bea);
    await bea.update("boat", { metadata: { thread: "a2", clonedFrom: "a" } });
    expect(idsOf(await bea.list({ filter: { clonedFrom: "a" } }))).toEqual(["boat"]);
    expect(idsOf(await person.list())).toEqual(["boat", "piano"]);
  },
  "Mastra getWorkingMemory": async () => {
    const { person } = await openTold();
    const { text, sourceIds } = await person.coreSummary({ update: true });
    expect(text).toContain("boat");
    expect(sourceIds).toContain("boat");
  },
  "Mastra updateWorkingMemory": async () => {
    const { person } = await openTold();
    await person.pin("boat", "People");
    expect((await person.get("boat")).pinnedArea).not.toBeNull();
    expect((await person.coreSummary()).text).toContain("Setúbal");
  },
  "Mastra getSystemMessage": async () => {
    const { person } = await openTold();
    expect((await person.recall("Where is the boat?")).context).toContain("Setúbal");
  },
  "Mastra summarizeThread": async () => {
    const languageModel = new ScriptedModel(answerWell);
    const options = { path: ":memory:", embedder: new HashingEmbedder(), judge: false } as const;
    const mnemosyne = await Mnemosyne.open({ ...options, languageModel });
    onTestFinished(() => mnemosyne.close());
    const person = mnemosyne.person("ada");
    await person.commit(
      { id: "boat", turns: said("Penicillin gave me a rash when I was seven."), keep: true },
      { wait: true },
    );
    expect((await mnemosyne.describe()).languageModel!.counts).not.toEqual({});
    expect(await person.refine()).toMatchObject({ failedIds: [], gaveUpBecause: null });
  },
  "Mastra settled": async () => {
    const person = (await open()).person("ada");
    await person.commit({ id: "boat", turns: said(harbour), keep: true });
    await person.settled();
    expect((await person.get("boat")).outcome).toBe("committed");
  },
  "Mastra listTools": async () => {
    expect((await open()).parameters.startCountMax).toBeGreaterThan(0);
  },
};

/** The row's library and its first method. */
const documented = readFileSync(new URL("../../../../docs/api.md", import.meta.url), "utf8")
  .split("## Coming from mem0, LangGraph or Mastra\n")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .flatMap((line) => /^\| ((?:mem0|LangGraph|Mastra)(?: platform)?) `(\w+)`/u.exec(line)?.slice(1).join(" ") ?? []);

it("has a test for each row of the table, and no other", () => {
  expect(documented).toEqual(Object.keys(rows));
});

it.each(Object.entries(rows))("%s", async (_, run) => run());
