/** Any filter, on any metadata, in every store: recall, list, history, forget and export mean the same interactions. */
import fc from "fast-check";
import type { Listing, MemoryFilter, Metadata, Mnemosyne } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { type AnyFilter, naivePasses, someFilter, someMetadata } from "../engine/filter-scenes.js";
import { engines } from "./engines.js";
import { parseLines } from "./export-lines.js";
import { interactionAt } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";

const hourMs = 3_600_000;

/** One word of each interaction that nobody else says. */
const markOf = (position: number): string => `zeppelin${position}x`;

interface Told {
  readonly metadata: Metadata;
  /** Whether it makes the one before outdated. */
  readonly isUpdate: boolean;
}

interface Asked {
  readonly filter: AnyFilter;
  /** Positions in the journey, in this order. */
  readonly range: readonly [from: number, to: number] | null;
}

const life = fc.array(fc.record({ metadata: someMetadata, isUpdate: fc.boolean() }), { minLength: 3, maxLength: 8 });
const questions = fc.array(
  fc.record({
    filter: someFilter,
    range: fc.option(
      fc
        .tuple(fc.nat(8), fc.nat(8))
        .filter(([from, to]) => from !== to)
        .map(([x, y]): [number, number] => [Math.min(x, y), Math.max(x, y)]),
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

async function live(memories: Mnemosyne, name: string, told: readonly Told[]): Promise<void> {
  const person = memories.person(name);
  for (const [position, { metadata, isUpdate }] of told.entries()) {
    const { id, at } = interactionAt(position);
    // Every third says nearly the same, so that pairs are made.
    const summary = `${interactionAt(position % 3).summary ?? "The garden is in bloom."} Mark: ${markOf(position)}.`;
    const updates = isUpdate && position > 0 ? [interactionAt(position - 1).id!] : [];
    await person.commit({ id: id!, at: at!, summary, metadata, updates });
  }
  await person.settled();
}

/** One page after the other, none of which is empty but the only one. */
async function pagesOf<T>(read: (cursor: { cursor?: string }) => Listing<T>): Promise<T[]> {
  let page = await read({});
  const all = [...page];
  while (page.nextCursor !== null) {
    page = await read({ cursor: page.nextCursor });
    expect(page).not.toEqual([]);
    all.push(...page);
  }
  return all;
}

async function check(memories: Mnemosyne, name: string, told: readonly Told[], asked: readonly Asked[]): Promise<void> {
  await live(memories, name, told);
  const person = memories.person(name);
  let left = told.map((_, position) => position);
  for (const [i, { filter, range }] of asked.entries()) {
    const passing = left.filter(
      (position) =>
        naivePasses(filter, told[position]!.metadata) &&
        (range === null || (position >= range[0] && position < range[1])),
    );
    const expected = new Set(passing.map((position) => interactionAt(position).id!));
    const others = left.filter((position) => !passing.includes(position));
    const hidden = others.flatMap((position) => {
      const id = JSON.stringify(interactionAt(position).id!);
      // A trace is JSON within JSON.
      return [markOf(position), id, JSON.stringify(id).slice(1, -1)];
    });
    const timeAt = (position: number): number => (interactionAt(position).at as number) - hourMs;
    const times = range === null ? {} : { from: timeAt(range[0]), to: timeAt(range[1]) };
    const selection = { filter: filter as MemoryFilter, ...times };
    const all = await person.history();
    const history = await person.history(selection);
    expect(history).toEqual(all.filter(({ id }) => expected.has(id)));
    expect(await pagesOf((cursor) => person.history({ ...selection, limit: 2, ...cursor }))).toEqual(history);
    const list = await person.list(selection);
    expect(await pagesOf((cursor) => person.list({ ...selection, limit: 1, ...cursor }))).toEqual(list);
    expect(list).toEqual((await person.list()).filter(({ id }) => expected.has(id)));
    const recall = await person.recall(`Mark ${left.map(markOf).join(" ")}`, { ...selection, seed: i });
    expect(recall.trace.filter).toEqual({ passedCount: list.length, memoryCount: (await person.list()).length });
    expect(recall.memories.filter(({ id }) => !expected.has(id))).toEqual([]);
    const shown = JSON.stringify({ ...recall, trace: { ...recall.trace, query: "" } });
    expect(hidden.filter((text) => shown.includes(text))).toEqual([]);
    const lines: string[] = [];
    for await (const line of person.export(selection)) lines.push(line);
    const { entries, nodes } = parseLines(lines);
    expect(entries.map(({ interaction }) => interaction.id).sort()).toEqual([...expected].sort());
    expect(nodes.map(({ node }) => node.id)).toEqual(list.map(({ id }) => id));
    expect(hidden.filter((text) => lines.some((line) => line.includes(text)))).toEqual([]);
    if (passing.length === 0) continue;
    const copy = memories.person(`${name}, part ${i}`);
    await copy.import(lines);
    expect(await copy.check()).toEqual([]);
    if (passing.length === left.length) continue;
    const receipt = await person.forget(selection);
    expect(receipt.forgotten).toEqual(history.map(({ id }) => id));
    left = others;
    expect((await person.history()).map(({ id }) => id).sort()).toEqual(
      left.map((position) => interactionAt(position).id!),
    );
    expect(await person.check()).toEqual([]);
  }
}

const inMemory = { name: "memory", next: async () => ({ path: ":memory:" }) };

it.each([inMemory, ...engines()])("filters in $name mean what a naive filter means", async ({ name, next }) => {
  const parameters = { coreSummaryIntervalCommits: 3, redundancyThreshold: 0.5 };
  const memories = await openMemories({ ...(await next()), parameters });
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(life, questions, (told, asked) => check(memories, `life ${++lives}`, told, asked)),
    { numRuns: name === "memory" ? 30 : name === "SQLite" ? 6 : 3 },
  );
});
