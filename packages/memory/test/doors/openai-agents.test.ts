/** A session in a memory: items come back exactly, and the Agents SDK itself does the same with it as with its own. */
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { Mnemosyne } from "mnemosyne-edge";
import { MnemosyneSession } from "mnemosyne-edge/openai-agents";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { root } from "../../../../test/docs/project-files.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { DoorsFolder, hasNewestNode } from "./real-packages.js";

const folder = new ScratchFolder();

async function openMemory(path = ":memory:"): Promise<Mnemosyne> {
  const mnemosyne = await Mnemosyne.open({ path, embedder: new HashingEmbedder(), judge: false });
  onTestFinished(() => mnemosyne.close());
  return mnemosyne;
}

async function openSession(path?: string): Promise<MnemosyneSession> {
  return new MnemosyneSession({ person: (await openMemory(path)).person("ada"), sessionId: "s1" });
}

type Session = MnemosyneSession;

const said = (text: string) => ({ role: "user", content: text });

describe("a session", () => {
  it("is a list: what is added, taken from its end and cleared, as with an array", async () => {
    const item = fc.oneof(
      fc.string({ unit: "binary" }).map(said),
      fc.record({ type: fc.constant("reasoning"), content: fc.array(fc.jsonValue()) }),
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => ({ type: "image", bytes: new Uint8Array(bytes) })),
      fc.constantFrom({ $bytes: "x" }, { $plain: { $bytes: "y" } }),
    );
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant("add" as const), items: fc.array(item, { maxLength: 4 }) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant("pop" as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("clear" as const) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("read" as const), limit: fc.integer({ min: -1, max: 5 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const session = await openSession();
        let expected: object[] = [];
        for (const taken of steps) {
          if (taken.do === "add") {
            await session.addItems(taken.items);
            expected.push(...taken.items);
          } else if (taken.do === "pop") expect(await session.popItem()).toEqual(expected.pop());
          else if (taken.do === "clear") {
            await session.clearSession();
            expected = [];
          } else
            expect(await session.getItems(taken.limit)).toEqual(taken.limit <= 0 ? [] : expected.slice(-taken.limit));
          expect(await session.getItems()).toEqual(expected);
        }
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  it("survives closing, goes on, and is apart from others of the person", async () => {
    const path = folder.next();
    const first = await openMemory(path);
    const items = [said("I moved to Lisbon."), { type: "function_call", name: "f", callId: "1", arguments: "{}" }];
    await new MnemosyneSession({ person: first.person("ada"), sessionId: "s1" }).addItems(items);
    await new MnemosyneSession({ person: first.person("ada"), sessionId: "s2" }).addItems([said("other")]);
    await first.close();
    const session = await openSession(path);
    expect(await session.getSessionId()).toBe("s1");
    await session.addItems([said("And now?")]);
    expect(await session.getItems()).toEqual([...items, said("And now?")]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
  });

  it("keeps everything that several objects add at once, each addition in one piece", async () => {
    const person = (await openMemory()).person("ada");
    const sessions = Array.from({ length: 5 }, () => new MnemosyneSession({ person, sessionId: "s1" }));
    const adding = sessions.flatMap((session, i) =>
      [0, 1, 2].map((n) => session.addItems([said(`${i} ${n} a`), said(`${i} ${n} b`)])),
    );
    await Promise.all(adding);
    const items = (await sessions[0]!.getItems()) as { content: string }[];
    expect(new Set(items.map(({ content }) => content)).size).toBe(30);
    items.forEach(({ content }, i) => expect(content.endsWith(i % 2 === 0 ? "a" : "b")).toBe(true));
  });

  it("keeps identical additions apart, also those of two objects at once", async () => {
    const person = (await openMemory()).person("ada");
    const [one, other] = [0, 1].map(() => new MnemosyneSession({ person, sessionId: "s1" })) as [Session, Session];
    await Promise.all([one.addItems([said("yes")]), other.addItems([said("yes")]), one.addItems([said("yes")])]);
    expect(await one.getItems()).toEqual([said("yes"), said("yes"), said("yes")]);
  });

  it("takes calls in their order, without waiting for each", async () => {
    const session = await openSession();
    const adding = ["a", "b", "c"].map((text) => session.addItems([said(text)]));
    const popping = [session.popItem(), session.popItem()];
    const late = session.addItems([said("d")]);
    await Promise.all([...adding, late]);
    expect(await Promise.all(popping)).toEqual([said("c"), said("b")]);
    expect(await session.getItems()).toEqual([said("a"), said("d")]);
  });

  it("divides what is too long for one interaction", async () => {
    const session = await openSession();
    const items = Array.from({ length: 12 }, (_, i) => said(`${i} ${"long text ".repeat(2_000)}`));
    await session.addItems(items);
    expect(await session.getItems()).toEqual(items);
    expect(await session.popItem()).toEqual(items.at(-1));
  });

  it("has forgotten what was popped or cleared, also in the file", async () => {
    const path = folder.next();
    const session = await openSession(path);
    await session.addItems([said("This stays."), said("The word is zanzibar.")]);
    await session.addItems([said("The other word is quokka.")]);
    await session.popItem();
    await session.popItem();
    expect(await session.getItems()).toEqual([said("This stays.")]);
    for (const word of ["zanzibar", "quokka"]) expect(databaseBytes(path).includes(word)).toBe(false);
    await session.clearSession();
    expect(databaseBytes(path).includes("This stays.")).toBe(false);
  });

  it("refuses what would come back as something else, and an id that is too long", async () => {
    const session = await openSession();
    const item = { role: "user", content: "x", at: new Date() };
    await expect(session.addItems([said("first"), item])).rejects.toMatchObject({ code: "interaction_invalid" });
    expect(await session.getItems()).toEqual([]);
    const person = (await openMemory()).person("ada");
    expect(() => new MnemosyneSession({ person, sessionId: "x".repeat(200) })).toThrow("sessionId");
  });
});

describe.runIf(hasNewestNode)("the Agents SDK", () => {
  const doors = hasNewestNode ? new DoorsFolder() : null;
  afterAll(() => doors?.remove());

  it("converses with it as with its own session, and continues after a restart", () => {
    const embedder = pathToFileURL(`${root}test/durability/hashing-embedder.mjs`).href;
    const output = doors!.run("test/doors/openai-agents-child.mjs", embedder, folder.next());
    const { ours, theirs, recalled, continued, popped, afterPop } = JSON.parse(output) as Record<
      string,
      { items: unknown[] }
    >;
    expect(ours!.items).toHaveLength(6);
    expect(ours).toEqual(theirs);
    expect(recalled).toContain("I am allergic to penicillin.");
    expect(continued).toEqual(theirs!.items);
    expect(popped).toEqual(theirs!.items.at(-1));
    expect(afterPop).toEqual(theirs!.items.slice(0, -1));
  });
});
