/** Asking: a recall, and what is always known about the person. */
import type { CoreSummaryOptions, RecallOptions } from "mnemosyne-edge";
import { coreSummary } from "../core-schema.js";
import { recallAnswer, recallRequest } from "../schemas.js";
import { coreQuery, definedOnly } from "./queries.js";
import { type Answer, type Call, type Route, personPath, route } from "./route.js";

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
    answers: {
      200: { description: "What was recalled; as text, the context.", schema: recallAnswer, isAlsoText: true },
    },
    handle: async ({ person, body, signal, header }) => {
      const { query, trace: isTraced, ...given } = body;
      const options = definedOnly({ ...given, signal }) as RecallOptions;
      const { trace, ...answer } = await person.recall(query, options);
      const ids = answer.memories.map(({ id }) => id);
      if (wantsText(header)) return textAnswer(answer.context, ids);
      return { body: { ...answer, seed: trace.seed, ...(isTraced === true ? { trace } : {}) }, ids };
    },
  }),
  route({
    operationId: "getCoreSummary",
    method: "get",
    path: `${personPath}/core`,
    tag: "Recall",
    summary: "Facts learned about the person",
    need: "read",
    action: "read",
    query: coreQuery,
    answers: {
      200: {
        description: 'As text, and as facts in areas; "N/A" also for a person who has told nothing yet.',
        schema: coreSummary,
        isAlsoText: true,
      },
    },
    handle: async ({ person, query: { update, at }, header }) => {
      const options = { ...(update === "true" ? { update: true } : {}), ...definedOnly({ at }) } as CoreSummaryOptions;
      const summary = await person.coreSummary(options);
      return wantsText(header) ? textAnswer(summary.text) : { body: summary };
    },
  }),
];

/** For a person with curl: `Accept: text/plain`. */
function wantsText(header: Call["header"]): boolean {
  return /^text\/plain\b/iu.test(header("accept") ?? "");
}

async function* once(text: string): AsyncGenerator<string> {
  yield `${text}\n`;
}

function textAnswer(text: string, ids?: readonly string[]): Answer {
  const answer = { body: null, stream: once(text), headers: { "content-type": "text/plain; charset=utf-8" } };
  return ids === undefined ? answer : { ...answer, ids };
}
