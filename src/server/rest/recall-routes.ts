/** Asking: a recall, and what is always known about the person. */
import type { RecallOptions } from "../../index.js";
import { coreSummary, recallAnswer, recallRequest } from "../schemas.js";
import { coreQuery } from "./query-schemas.js";
import { definedOnly } from "./query-reading.js";
import { type Route, personPath, route } from "./route.js";

export const recallRoutes: readonly Route[] = [
  route({
    operationId: "recall",
    method: "post",
    path: `${personPath}/recall`,
    tag: "Recall",
    summary: "The memories that answer a question, and a context for a model",
    need: "read",
    action: "read",
    body: recallRequest,
    answers: { 200: { description: "What was recalled.", schema: recallAnswer } },
    handle: async ({ person, body, signal }) => {
      const { query, trace: isTraced, ...given } = body;
      const options = definedOnly({ ...given, signal }) as RecallOptions;
      const { trace, ...answer } = await person.recall(query, options);
      const ids = answer.memories.map(({ id }) => id);
      return { body: { ...answer, seed: trace.seed, ...(isTraced === true ? { trace } : {}) }, ids };
    },
  }),
  route({
    operationId: "getCoreSummary",
    method: "get",
    path: `${personPath}/core`,
    tag: "Recall",
    summary: "What the assistant has learned about the person",
    need: "read",
    action: "read",
    query: coreQuery,
    answers: { 200: { description: "As text, and as facts in areas.", schema: coreSummary } },
    handle: async ({ person, query: { update, at } }) => ({
      body: await person.coreSummary({
        ...(update === "true" ? { update: true } : {}),
        ...definedOnly({ at }),
      } as object),
    }),
  }),
];
