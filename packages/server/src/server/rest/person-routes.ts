/** People: who there is, and everything about one of them at once. */
import { RequestError } from "../problem.js";
import { forgettingReceipt, importResult, personPage, pruningReport, pruningRequest, statistics } from "../schemas.js";
import { definedOnly, exportQuery, pageOptions, pageQuery, readSelectionQuery } from "./queries.js";
import { beginLines, readLines } from "./line-streams.js";
import { type Route, personPath, route } from "./route.js";
import { streamEvents } from "./event-stream.js";

const linesType = "application/x-ndjson";
/** All lines of an import are checked before the first is stored, so each of them may hold what a stream may have. */
const importsAtOnceMax = 2;
/** Of one key: who sends slowly must not keep all others from it. */
const importsOfKeyMax = 1;
const importing: (string | null)[] = [];

export const personRoutes: readonly Route[] = [
  route({
    operationId: "listPersons",
    method: "get",
    path: "/v1/persons",
    tag: "Persons",
    summary: "Everybody in the store, for an admin; else the persons of the key",
    need: "key",
    action: "read",
    query: pageQuery,
    answers: {
      200: {
        description: "A page of names, and what the key may do. Patterns of the key are listed as they are.",
        schema: personPage,
      },
    },
    handle: async ({ mnemosyne, access, query }) => {
      // Whether the people of a key exist is not looked up, nor how many others there are.
      const { isAdmin, isReadOnly } = access;
      if (!isAdmin) return { body: { persons: access.persons, nextCursor: null, isAdmin, isReadOnly } };
      const page = await mnemosyne.persons(pageOptions(query));
      return { body: { persons: page, nextCursor: page.nextCursor, isAdmin, isReadOnly } };
    },
  }),
  route({
    operationId: "forgetPerson",
    method: "delete",
    path: personPath,
    tag: "Persons",
    summary: "Forget everything about a person, for good",
    need: "write",
    action: "forget",
    answers: { 200: { description: "What was removed.", schema: forgettingReceipt } },
    handle: async ({ person }) => ({ body: await person.forgetAll() }),
  }),
  route({
    operationId: "getStatistics",
    method: "get",
    path: `${personPath}/stats`,
    tag: "Persons",
    summary: "Counts and bytes",
    need: "read",
    action: "read",
    answers: { 200: { description: "The counts.", schema: statistics } },
    handle: async ({ person }) => ({ body: await person.statistics() }),
  }),
  route({
    operationId: "prune",
    method: "post",
    path: `${personPath}/prune`,
    tag: "Data",
    summary: "Prune to limits: outdated memories first, then the weakest; they can be restored",
    need: "write",
    action: "change",
    body: pruningRequest,
    answers: { 200: { description: "What was pruned.", schema: pruningReport } },
    handle: async ({ person, body }) => {
      const report = await person.prune(definedOnly(body) as object);
      return { body: report, ids: report.pruned.map(({ id }) => id) };
    },
  }),
  route({
    operationId: "exportPerson",
    method: "get",
    path: `${personPath}/export`,
    tag: "Data",
    summary: "Everything about a person, or the part that is selected, as JSON Lines",
    need: "read",
    action: "read",
    query: exportQuery,
    answers: { 200: { description: "One JSON object per line.", mediaType: linesType } },
    isUnlimited: true,
    handle: async ({ person, query }) => {
      const sealed = query.sealed === "true";
      const stream = await beginLines(person.export({ ...readSelectionQuery(query), sealed }));
      return { body: null, stream, headers: { "content-type": linesType } };
    },
  }),
  route({
    operationId: "importPerson",
    method: "post",
    path: `${personPath}/import`,
    tag: "Data",
    summary: "Read an export, or interactions, as JSON Lines",
    need: "write",
    action: "commit",
    streamedBody: linesType,
    answers: { 200: { description: "What was taken.", schema: importResult } },
    isUnlimited: true,
    handle: async ({ person, stream, access: { keyId } }) => {
      refuseIfBusy(keyId);
      importing.push(keyId);
      try {
        return { body: await person.import(readLines(stream)) };
      } finally {
        importing.splice(importing.indexOf(keyId), 1);
      }
    },
  }),
  route({
    operationId: "streamEvents",
    method: "get",
    path: `${personPath}/events`,
    tag: "Data",
    summary: "Changes of a memory, as they happen (server-sent events)",
    need: "read",
    action: "read",
    answers: { 200: { description: "Events of this server process.", mediaType: "text/event-stream" } },
    isUnlimited: true,
    handle: async ({ person, context, signal }) => streamEvents(person, [signal, context.stopping]),
  }),
];

function refuseIfBusy(keyId: string | null): void {
  const ownCount = keyId === null ? 0 : importing.filter((each) => each === keyId).length;
  if (importing.length < importsAtOnceMax && ownCount < importsOfKeyMax) return;
  const whose = ownCount < importsOfKeyMax ? `${importsAtOnceMax} imports are` : "an import of this key is";
  throw new RequestError("too_busy", `${whose} running; send it again when one has ended`);
}
