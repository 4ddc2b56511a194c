/**
 * Writes that a process may have begun before it died. Each notes what is so before it is done; when it is sent again, what
 * is so now tells whether it was done. Only what was accepted before the note counts: what came later under the same id,
 * or for the same person, is not touched. In doubt about forgetting, it is done again.
 */
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { type HistoryItem, type MemorySelection, NotFoundError, type PersonMemory } from "mnemosyne-edge";
import type { forgetRequest, memoryEdit } from "../schemas.js";
import { definedOnly } from "./query-reading.js";
import type { Again, Answer, Note } from "./route.js";

type Edit = z.output<typeof memoryEdit>;
type Forgetting = z.output<typeof forgetRequest>;
type Item = Pick<HistoryItem, "acceptedAt">;

/** Null for one that is not there. */
export async function findItem(person: PersonMemory, id: string): Promise<HistoryItem | null> {
  const [item] = await orNone(person.history({ ids: [id] }));
  return item ?? null;
}

async function orNone<Entry>(entries: PromiseLike<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await entries;
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

export const forgettingOne: Again = {
  note: async ({ person, id }) => noteOf(await findItem(person, id)),
  wasDone: async ({ person, id }, { acceptedAt }) =>
    (await findItem(person, id))?.acceptedAt === acceptedAt ? null : { body: receiptFor([id]), ids: [id] },
};

export const forgettingSome: Again<unknown, Forgetting> = {
  note: async ({ person, body }) => noteOf(latest(await selected(person, body))),
  wasDone: async ({ person, body }, { acceptedAt }) => {
    const left = (await selected(person, body)).filter((item) => item.acceptedAt <= acceptedAt!);
    const ids = body.ids ?? [];
    return left.length > 0 ? null : { body: receiptFor(ids), ids };
  },
};

export const forgettingAll: Again = {
  // The first and the last tell: a history may be long.
  note: async ({ person }) => {
    const last = await orNone(person.history({ limit: 1, newestFirst: true }));
    return noteOf(latest([...(await orNone(person.history({ limit: 1 }))), ...last]));
  },
  wasDone: async ({ person }, { acceptedAt }) => {
    const left = (await orNone(person.history({ limit: 1 }))).filter((item) => item.acceptedAt <= acceptedAt!);
    return left.length > 0 ? null : { body: receiptFor([]) };
  },
};

async function selected(person: PersonMemory, { ids, ...selection }: Forgetting): Promise<readonly Item[]> {
  return orNone(person.history(ids === undefined ? (definedOnly(selection) as MemorySelection) : { ids }));
}

function latest(items: readonly Item[]): Item | null {
  return items.reduce<Item | null>(
    (last, item) => (last !== null && last.acceptedAt > item.acceptedAt ? last : item),
    null,
  );
}

function noteOf(item: Item | null): Note | null {
  return item === null ? null : { acceptedAt: item.acceptedAt };
}

/** Nobody counted what was removed: who did has died. */
function receiptFor(forgotten: readonly string[]): object {
  const removed = { interactions: 0, queueEntries: 0, memories: 0, edges: 0, vectors: 0, lexicalEntries: 0 };
  return { forgotten, removed, remainingPairs: [], coreSummaryRebuilt: false };
}

/** An edit makes a version of what was there before, so those that were made since are its own or later ones. */
export const editing: Again<unknown, Edit> = {
  note: async ({ person, id }) => {
    const item = await findItem(person, id);
    return item === null ? null : { acceptedAt: item.acceptedAt, versionCount: item.versions.length };
  },
  wasDone: async ({ person, id, body }, { acceptedAt, versionCount }) => {
    const item = await findItem(person, id);
    if (item?.acceptedAt !== acceptedAt) return null;
    const states = [...item!.versions, item!].slice(Number(versionCount) + 1);
    const isSince = states.some((state) => isAsEdited(state, body));
    // That something expires makes no version.
    const isUnversioned = states.length === 0 && body.expiresAt !== undefined && isAsEdited(item!, body);
    if (!isSince && !isUnversioned) return null;
    // What is so already is not changed: it only says what became of it.
    const decided = await person.update(id, { metadata: item!.metadata });
    return { body: { ...decided, isChanged: true }, ids: [id] };
  },
};

type EditedState = Pick<HistoryItem, "turns" | "summary" | "state" | "at" | "metadata"> &
  Partial<Pick<HistoryItem, "expiresAt">>;

function isAsEdited(is: EditedState, edit: Edit): boolean {
  const given = edit.text === undefined ? edit.turns : [{ who: "user", text: edit.text }];
  const turns = given?.map((each) => ({ who: each.who, text: each.text }));
  return (
    (turns === undefined ||
      isDeepStrictEqual(
        is.turns.map(({ who, text }) => ({ who, text })),
        turns,
      )) &&
    (edit.summary === undefined || is.summary === edit.summary) &&
    (edit.state === undefined || is.state === edit.state) &&
    (edit.metadata === undefined || isDeepStrictEqual(is.metadata, edit.metadata ?? {})) &&
    isTime(edit.at, is.at) &&
    (is.expiresAt === undefined || isTime(edit.expiresAt, is.expiresAt))
  );
}

/** A time without a zone is not compared: which it is depends on the memory. */
function isTime(given: Edit["expiresAt"], is: string | null): boolean {
  if (given === undefined || (typeof given === "string" && !/(?:Z|[+-]\d\d:?\d\d)$/iu.test(given))) return true;
  return given === null || is === null ? given === is : new Date(given).getTime() === Date.parse(is);
}

const restorable: ReadonlySet<string> = new Set(["discarded", "replaced", "pruned"]);

export function restoring(answer: (person: string, id: string) => Answer): Again {
  return {
    note: async ({ person, id }) => {
      const item = await findItem(person, id);
      return item !== null && restorable.has(item.outcome) ? noteOf(item) : null;
    },
    wasDone: async ({ person, id }, { acceptedAt }) => {
      const item = await findItem(person, id);
      const isDone = item?.acceptedAt === acceptedAt && !restorable.has(item!.outcome);
      return isDone ? answer(person.name, id) : null;
    },
  };
}

export const unlinking: Again<{ readonly outdated: string }> = {
  note: async ({ person, id, query }) => {
    const item = await findItem(person, id);
    return item?.updates?.includes(query.outdated) === true ? noteOf(item) : null;
  },
  wasDone: async ({ person, id, query }, { acceptedAt }) => {
    const item = await findItem(person, id);
    const isLinked = item?.updates?.includes(query.outdated) === true;
    return isLinked || item?.acceptedAt !== acceptedAt ? null : { status: 204, body: null, ids: [id, query.outdated] };
  },
};

export const unpinning: Again = {
  note: async ({ person, id }) => ((await person.get(id)).pinnedArea === null ? null : { pinned: id }),
  wasDone: async ({ person, id }) =>
    (await person.get(id)).pinnedArea === null ? { status: 204, body: null, ids: [id] } : null,
};
