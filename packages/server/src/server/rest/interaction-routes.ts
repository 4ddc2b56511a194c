/** Submitting interactions, and what became of them. */
import type { CommitInput, HistoryItem, InteractionInput, PersonMemory } from "mnemosyne-edge";
import { placeNamed } from "mnemosyne-edge/internal/graph/statement.js";
import {
  accepted,
  acceptedBatch,
  commitResult,
  historyItem,
  historyPage,
  interactionBatch,
  interactionInput,
} from "../schemas.js";
import { definedOnly, historyQuery, pageOptions, readIds, readSelectionQuery, waitQuery } from "./queries.js";
import { type Answer, type Route, personPath, route } from "./route.js";
import { InputError, NotFoundError, type Outcome } from "mnemosyne-edge";
import { z } from "zod";

type Given = z.output<typeof interactionInput>;

export const interactionRoutes: readonly Route[] = [
  route({
    operationId: "commitInteraction",
    method: "post",
    path: `${personPath}/interactions`,
    tag: "Interactions",
    summary: "Submit an interaction",
    need: "write",
    action: "commit",
    query: waitQuery,
    body: interactionInput,
    answers: {
      202: {
        description: "Stored durably; it becomes a memory soon after.",
        schema: accepted,
        headers: { location: "Where to ask what became of it." },
      },
      200: { description: "With wait=true: what became of it.", schema: commitResult },
    },
    handle: async ({ person, body, query, keptId, signal }) => {
      const input = toCommitInput(body, keptId);
      if (query.wait === "true") {
        const result = await person.commit(input, { wait: true, signal });
        return { body: result, ids: [result.id] };
      }
      const { id, isNew } = await person.commit(input);
      return acceptedAnswer(person.name, { id, isNew });
    },
  }),
  route({
    operationId: "commitInteractions",
    method: "post",
    path: `${personPath}/interactions:batch`,
    tag: "Interactions",
    summary: "Submit many interactions",
    need: "write",
    action: "commit",
    body: interactionBatch,
    answers: { 202: { description: "All are stored durably.", schema: acceptedBatch } },
    handle: async ({ person, body, keptId, signal }) => {
      const idOf = (i: number): string | undefined => (keptId === undefined ? undefined : `${keptId}-${i}`);
      const inputs = body.interactions.map((each, i) => toCommitInput(each, idOf(i)));
      const result = await person.commitMany(inputs, { signal });
      return { status: 202, body: result, ids: result.ids };
    },
  }),
  route({
    operationId: "getInteraction",
    method: "get",
    path: `${personPath}/interactions/{id}`,
    tag: "Interactions",
    summary: "Outcome of an interaction",
    need: "read",
    action: "read",
    answers: { 200: { description: "It, with its outcome and why.", schema: historyItem } },
    handle: async ({ person, id }) => {
      const [item] = await person.history({ ids: [id] });
      if (item === undefined) throw new NotFoundError("unknown_id", `"${person.name}" has no interaction "${id}"`);
      return { body: item, ids: [id] };
    },
  }),
  route({
    operationId: "restoreInteraction",
    method: "post",
    path: `${personPath}/interactions/{id}:restore`,
    tag: "Interactions",
    summary: "Make a memory of what was discarded, replaced or pruned; let what ended or is held back hold again",
    need: "write",
    action: "change",
    answers: { 202: { description: "It holds again, or is processed again.", schema: accepted } },
    handle: async ({ person, id }) => {
      const before = await findInteraction(person, id);
      await person.restore(id);
      const after = await findInteraction(person, id);
      // What is processed again may be done already.
      const outcome = after?.outcome === before?.outcome ? after?.outcome : "queued";
      return acceptedAnswer(person.name, { id, isNew: false, of: after?.id, outcome });
    },
  }),
  route({
    operationId: "listHistory",
    method: "get",
    path: `${personPath}/history`,
    tag: "Interactions",
    summary: "All submitted interactions with their outcomes, in the order they came or the newest first",
    need: "read",
    action: "read",
    query: historyQuery,
    answers: { 200: { description: "A page.", schema: historyPage } },
    handle: async ({ person, query }) => {
      const outcomes = query.outcomes === undefined ? {} : { outcomes: query.outcomes.split(",") as Outcome[] };
      const ids = query.ids === undefined ? {} : { ids: readIds(query.ids) };
      const order = query.newestFirst === "true" ? { newestFirst: true } : {};
      const selected = { ...readSelectionQuery(query), ...outcomes, ...ids, ...order };
      const page = await person.history({ ...pageOptions(query), ...selected });
      return { body: { interactions: page, nextCursor: page.nextCursor } };
    },
  }),
];

function toCommitInput(given: Given, keptId?: string): CommitInput {
  const { text, turns, messages, summary, id = keptId } = given;
  if ([text, turns, messages, summary].every((each) => each === undefined)) {
    throw new InputError("interaction_empty", "an interaction needs text, turns, messages or a summary");
  }
  return definedOnly({ ...given, id }) as InteractionInput;
}

/** The interaction, or that of the statement. */
async function findInteraction(person: PersonMemory, id: string): Promise<HistoryItem | undefined> {
  const [item] = await person.history({ ids: [id] });
  const place = item === undefined ? placeNamed(id) : null;
  return place === null ? item : (await person.history({ ids: [place.memory] }))[0];
}

interface Accepted {
  readonly id: string;
  readonly isNew: boolean;
  /** The interaction, if the id is that of a statement. */
  readonly of?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

function acceptedAnswer(person: string, { id, isNew, of = id, outcome = "queued" }: Accepted): Answer {
  const href = `/v1/persons/${encodeURIComponent(person)}/interactions/${encodeURIComponent(of)}`;
  const body = { id, isNew, operation: { href, outcome } };
  return { status: 202, body, headers: { location: href }, ids: [id] };
}
