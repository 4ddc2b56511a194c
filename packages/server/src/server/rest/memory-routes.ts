/** Memories: looking at them, changing and forgetting them. */
import { z } from "zod";
import {
  InputError,
  type InteractionEdit,
  type MemorySelection,
  NotFoundError,
  type PersonMemory,
} from "mnemosyne-edge";
import { placeNamed } from "mnemosyne-edge/internal/graph/statement.js";
import { RequestError } from "../problem.js";
import {
  commitResult,
  correction,
  forgetRequest,
  forgettingReceipt,
  graph,
  memoryDetail,
  memoryEdit,
  memoryPage,
  pinRequest,
  updateResult,
  withdrawal,
} from "../schemas.js";
import { definedOnly, memoriesQuery, pageOptions, readSelectionQuery, selectionQuery } from "./queries.js";
import { type Route, personPath, route } from "./route.js";

const memoryPath = `${personPath}/memories/{id}`;

export const memoryRoutes: readonly Route[] = [
  route({
    operationId: "listMemories",
    method: "get",
    path: `${personPath}/memories`,
    tag: "Memories",
    summary: "Memories, oldest first",
    need: "read",
    action: "read",
    query: memoriesQuery,
    answers: { 200: { description: "A page.", schema: memoryPage } },
    handle: async ({ person, query }) => {
      const outdated = query.outdated === undefined ? {} : { outdated: query.outdated === "true" };
      const page = await person.list({ ...pageOptions(query), ...readSelectionQuery(query), ...outdated });
      return { body: { memories: page, nextCursor: page.nextCursor } };
    },
  }),
  route({
    operationId: "getMemory",
    method: "get",
    path: memoryPath,
    tag: "Memories",
    summary: "A memory with its turns, trace, edges and versions",
    need: "read",
    action: "read",
    answers: {
      200: {
        description: "The memory.",
        schema: memoryDetail,
        headers: { etag: "Changes whenever what was submitted changes." },
      },
    },
    handle: async ({ person, id }) => {
      const memory = await person.get(id);
      return { body: memory, headers: { etag: `"${memory.tag}"` }, ids: [id] };
    },
  }),
  route({
    operationId: "updateMemory",
    method: "patch",
    path: memoryPath,
    tag: "Memories",
    summary: "Change an interaction in place; it keeps its id, and the earlier wording becomes a version",
    need: "write",
    action: "change",
    body: memoryEdit,
    requestHeaders: { "if-match": "An etag with its quotes: 412 if the memory is no longer so." },
    answers: { 200: { description: "What became of it.", schema: updateResult } },
    handle: async ({ person, id, body, header }) => {
      const condition = header("if-match");
      const options = condition === undefined || condition === "*" ? {} : { ifTag: readConditions(condition) };
      return { body: await person.update(id, definedOnly(body) as InteractionEdit, options), ids: [id] };
    },
  }),
  route({
    operationId: "forgetMemory",
    method: "delete",
    path: memoryPath,
    tag: "Memories",
    summary: "Forget an interaction, or a statement, and everything made from it, for good",
    need: "write",
    action: "forget",
    answers: { 200: { description: "What was removed.", schema: forgettingReceipt } },
    handle: async ({ person, id }) => ({ body: await person.forget(id), ids: [id] }),
  }),
  route({
    operationId: "correctMemory",
    method: "post",
    path: `${memoryPath}:correct`,
    tag: "Memories",
    summary: "Keep a new statement in place of an earlier interaction or statement, which is ended",
    need: "write",
    action: "change",
    body: correction,
    answers: { 200: { description: "What became of the correction.", schema: commitResult } },
    handle: async ({ person, id, body: { text, ...options }, keptId }) => {
      const result = await person.correct(id, text, definedOnly({ ...options, id: options.id ?? keptId }) as object);
      return { body: result, ids: [id, result.id] };
    },
  }),
  route({
    operationId: "pinMemory",
    method: "put",
    path: `${memoryPath}/pin`,
    tag: "Memories",
    summary: "Fix a memory, or a statement, in the core summary",
    need: "write",
    action: "change",
    body: pinRequest,
    answers: { 204: { description: "It is pinned." } },
    handle: async ({ person, id, body: { area } }) => {
      await checkNamed(person, id);
      await (area === undefined ? person.pin(id) : person.pin(id, area));
      return { status: 204, body: null, ids: [id] };
    },
  }),
  route({
    operationId: "unpinMemory",
    method: "delete",
    path: `${memoryPath}/pin`,
    tag: "Memories",
    summary: "Let what is pinned be chosen or cut like any other",
    need: "write",
    action: "change",
    answers: { 204: { description: "It is not pinned." } },
    handle: async ({ person, id }) => {
      await person.unpin(id);
      return { status: 204, body: null, ids: [id] };
    },
  }),
  route({
    operationId: "withdrawMemory",
    method: "put",
    path: `${memoryPath}/withdrawal`,
    tag: "Memories",
    summary: "Take a memory, or a statement, out of the core summary, or out of recall, too; restoring takes it back",
    need: "write",
    action: "change",
    body: withdrawal,
    answers: { 204: { description: "It is withdrawn." } },
    handle: async ({ person, id, body: { reason = "removed" } }) => {
      await person.withdraw(id, reason);
      return { status: 204, body: null, ids: [id] };
    },
  }),
  route({
    operationId: "unlinkMemory",
    method: "delete",
    path: `${memoryPath}/updates`,
    tag: "Memories",
    summary: "Take back that a memory, or a statement, ended an earlier one",
    need: "write",
    action: "change",
    query: z.strictObject({
      outdated: z.string().min(1).max(200).describe("The id of the earlier one, or of its statement."),
    }),
    answers: { 204: { description: "Both hold." } },
    handle: async ({ person, id, query: { outdated } }) => {
      await person.unlink(id, outdated);
      return { status: 204, body: null, ids: [id, outdated] };
    },
  }),
  route({
    operationId: "forgetMemories",
    method: "post",
    path: `${personPath}/memories:forget`,
    tag: "Memories",
    summary: "Forget several interactions or statements: by id, or all that a selection names",
    need: "write",
    action: "forget",
    body: forgetRequest,
    answers: { 200: { description: "What was removed.", schema: forgettingReceipt } },
    handle: async ({ person, body: { ids, ...given } }) => {
      const selected = definedOnly(given) as MemorySelection;
      if (ids !== undefined && Object.keys(selected).length > 0) {
        throw new RequestError("request_invalid", "name ids, or filter, from and to; not both");
      }
      if (ids === undefined && Object.keys(selected).length === 0) {
        const message = `name ids, or filter, from or to; DELETE ${personPath} forgets everything`;
        throw new InputError("option_invalid", message);
      }
      const receipt = await person.forget(ids ?? selected);
      return { body: receipt, ids: receipt.forgotten };
    },
  }),
  route({
    operationId: "getGraph",
    method: "get",
    path: `${personPath}/graph`,
    tag: "Memories",
    summary: "Memories and the edges between them",
    need: "read",
    action: "read",
    query: selectionQuery,
    answers: { 200: { description: "The graph.", schema: graph } },
    handle: async ({ person, query }) => ({ body: await person.graph(readSelectionQuery(query)) }),
  }),
];

/** Pinning takes a text for something new; an address names something that is there. */
async function checkNamed(person: PersonMemory, id: string): Promise<void> {
  const place = placeNamed(id);
  const isStatement = place !== null && (await person.history({ ids: [id] })).length === 0;
  const { statements } = await person.get(isStatement ? place.memory : id);
  if (!isStatement || statements.some((each) => each.id === id)) return;
  throw new NotFoundError("unknown_id", `"${person.name}" has no statement "${id}"`);
}

const etagPattern = /(W\/)?"([^"]*)"/gu;

/** The tags of If-Match. A weak one says too little for a change; what is no tag would look like somebody else's change. */
function readConditions(header: string): string[] {
  if (/[^\s,]/u.test(header.replaceAll(etagPattern, ""))) {
    const detail =
      'If-Match must be the ETag of an earlier answer with its quotes, such as "3f2a", a list of them, or *';
    throw new RequestError("request_invalid", detail);
  }
  return [...header.matchAll(etagPattern)].flatMap(([, weak, tag]) => (weak === undefined ? tag! : []));
}
