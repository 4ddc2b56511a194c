/**
 * The shapes of requests and answers, once: routes check them, the OpenAPI document and the MCP tools are made from them.
 * They check the form; what a value may be is checked by the memory itself, whose errors say more. `meta.id` is the name in
 * the OpenAPI document.
 */
import { z } from "zod";

const labelLengthMax = 200;

export const personName = z
  .string()
  .min(1)
  .max(labelLengthMax)
  .describe("Whose memory: 1 to 200 characters without control characters.");
export const memoryId = z.string().min(1).max(labelLengthMax).describe("The id of an interaction or a memory.");
/** Also in an address, where the # is written %23. */
export const memoryOrStatementId = z
  .string()
  .min(1)
  .max(labelLengthMax)
  .describe('The id of an interaction or a memory, or of a statement, such as "20250108-0915#0".');

const time = z
  .union([z.string().max(100), z.number()])
  .describe('ISO 8601, such as "2025-01-08T09:15:00Z", or milliseconds since 1970. Without a zone: the memory\'s own.')
  .meta({ id: "Time" });

/** Bounded here, so that no address is too long; checked by the memory. */
export const memoryFilter = z
  .record(z.string(), z.unknown())
  .describe('Conditions on metadata, such as {"agent": "office", "urgency": {"gte": 2}}; and, or, not combine them.')
  .meta({ id: "MemoryFilter" });

const metadata = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .describe("What to find or filter it by later: texts, numbers, true or false, lists of texts.")
  .meta({ id: "Metadata" });

const turn = z
  .looseObject({
    who: z.string().optional().describe('Who says it: "user", "assistant" or a name.'),
    text: z.string().optional(),
    role: z.string().optional().describe("As in chat messages, with content."),
    content: z.union([z.string(), z.array(z.looseObject({})), z.null()]).optional(),
  })
  .describe("A turn ({who, text}), or a message of OpenAI, Anthropic or the AI SDK ({role, content}).")
  .meta({ id: "Turn" });

const circumstances = {
  at: time.optional().describe("When it took place. Default: now."),
  state: z.string().optional().describe('State at that time, such as "post-surgery recovery phase".'),
  metadata: metadata.optional(),
  expiresAt: time.optional().describe("When it is to be forgotten. Default: never."),
};

export const interactionInput = z
  .strictObject({
    text: z.string().optional().describe("What the user says; or use turns, messages or summary."),
    turns: z.array(turn).optional(),
    messages: z.array(turn).optional(),
    summary: z.string().optional().describe("Default: made from the turns."),
    id: memoryId
      .optional()
      .describe("The same id twice is stored once. Default: made from the Idempotency-Key or the content."),
    ...circumstances,
    keep: z.boolean().optional().describe("Makes a memory of it whatever the substance filter says."),
    updates: z
      .union([memoryOrStatementId, z.array(memoryOrStatementId)])
      .optional()
      .describe("Earlier interactions, or statements of them, that it ends."),
  })
  .meta({ id: "InteractionInput" });

export const interactionBatch = z
  .strictObject({ interactions: z.array(interactionInput).min(1).max(1_000) })
  .meta({ id: "InteractionBatch" });

export const outcome = z
  .enum(["open", "queued", "committed", "paired", "discarded", "forgetAsked", "replaced", "pruned"])
  .meta({ id: "Outcome" });

export const accepted = z
  .object({
    id: memoryOrStatementId,
    isNew: z.boolean().describe("False if the id was known already; then nothing changed."),
    operation: z.object({
      href: z.string().describe("Where to ask what became of it."),
      outcome,
    }),
  })
  .meta({ id: "Accepted" });

const decision = {
  id: memoryId,
  outcome,
  reason: z.string().describe("In words for people."),
  probability: z.number().nullable().describe("The reader's, that it tells something worth remembering."),
  repeats: z.string().nullable().describe("The memory that says the same, if it was paired with one."),
  updates: z.array(z.string()).describe("The memories in which it ended something."),
  ended: z.array(z.string()).describe("What it ended: statements, or whole memories."),
  forgetAsked: z
    .array(z.string())
    .describe("What it asks to be forgotten: held back until it is forgotten or restored, or the wish is restored."),
};

export const commitResult = z.object({ ...decision, isNew: z.boolean() }).meta({ id: "CommitResult" });
export const updateResult = z.object({ ...decision, isChanged: z.boolean() }).meta({ id: "UpdateResult" });
export const acceptedBatch = z
  .object({ ids: z.array(memoryId), acceptedCount: z.int(), knownCount: z.int() })
  .meta({ id: "AcceptedBatch" });

const selection = {
  filter: memoryFilter.optional(),
  from: time.optional().describe("Took place at this time or later."),
  to: time.optional().describe("Took place before this time."),
};

export const recallRequest = z
  .strictObject({
    query: z.string().describe("The question, as the user asks it."),
    at: time.optional().describe("When it is asked. Default: now. Later memories are not seen."),
    seed: z
      .union([z.number(), z.string().max(100)])
      .optional()
      .describe("The same seed gives the same recall."),
    tokenBudget: z.number().optional().describe("Tokens of the context text."),
    limit: z.number().optional().describe("Memories at most."),
    minScore: z.number().optional(),
    ...selection,
    trace: z.boolean().optional().describe("Whether the answer has the trace. Default: false."),
  })
  .meta({ id: "RecallRequest" });

export const recalledMemory = z
  .object({
    id: memoryId,
    at: z.string(),
    naturalizedTime: z.string(),
    summary: z.string(),
    state: z.string().nullable(),
    keywords: z.array(z.string()),
    metadata,
    pairId: z.string().nullable(),
    found: z.enum(["start", "traversal"]),
    fromId: z.string().nullable(),
    score: z.number().nullable(),
    outdated: z.object({ since: z.string(), by: z.array(z.string()) }).nullable(),
    inContext: z.boolean(),
  })
  .meta({ id: "RecalledMemory" });

export const recallAnswer = z
  .object({
    context: z.string().describe("For the model's prompt: data between two marks, no instructions."),
    memories: z.array(recalledMemory).describe("Most relevant first."),
    confidence: z.number().nullable().describe("The probability that the memory holds an answer."),
    seed: z.union([z.number(), z.string()]).describe("Replays this recall."),
    trace: z.looseObject({}).optional().describe("Everything that decided; only if asked for."),
  })
  .meta({ id: "RecallAnswer" });

export const statement = z
  .object({
    id: memoryOrStatementId,
    turn: z.int().nullable(),
    who: z.string().nullable(),
    text: z.string(),
    asked: z.string().nullable().describe("The question that it answers."),
    kind: z.enum(["said", "passage", "written"]),
    reading: z
      .object({
        fact: z.number(),
        about: z.enum(["self", "other", "nobody"]),
        area: z.string(),
        lasting: z.number(),
        alone: z.number(),
      })
      .nullable()
      .describe("How it was read, as probabilities."),
    endedAt: z.string().nullable().describe("Since when it no longer holds."),
    endedBy: z.array(z.string()).describe("The statements, or memories, that ended it."),
    marks: z.array(z.enum(["pinned", "removed", "untrue", "held"])),
  })
  .meta({ id: "Statement" });

const memoryFields = {
  id: memoryId,
  at: z.string(),
  naturalizedTime: z.string(),
  summary: z.string(),
  state: z.string().nullable(),
  keywords: z.array(z.string()),
  statements: z.array(statement),
  hypotheticalQuery: z.string(),
  pairId: z.string().nullable(),
  updates: z.array(z.string()),
  outdatedBy: z.array(z.string()),
  pinnedArea: z.string().nullable(),
  metadata,
  expiresAt: z.string().nullable(),
  edgeCount: z.int(),
};
const saidTurn = z.object({ who: z.string(), text: z.string() });
const version = z.object({
  replacedAt: z.string(),
  at: z.string(),
  turns: z.array(saidTurn),
  summary: z.string().nullable(),
  state: z.string().nullable(),
  metadata,
});

export const memory = z.object(memoryFields).meta({ id: "Memory" });
export const memoryDetail = z
  .object({
    ...memoryFields,
    turns: z.array(saidTurn),
    outcome,
    reason: z.string(),
    trace: z.looseObject({}).nullable(),
    edges: z.array(z.object({ id: z.string(), weight: z.number(), boostDays: z.number() })),
    versions: z.array(version),
    tag: z.string().describe("Its etag, without the quotes."),
  })
  .meta({ id: "MemoryDetail" });

export const memoryEdit = z
  .strictObject({
    text: z.string().optional().describe("One turn of the user, in place of all turns."),
    turns: z.array(turn).optional(),
    summary: z.string().nullable().optional(),
    at: time.optional(),
    state: z.string().nullable().optional(),
    metadata: metadata.nullable().optional(),
    expiresAt: time.nullable().optional(),
  })
  .meta({ id: "MemoryEdit" });

export const correction = z
  .strictObject({
    text: z.string().describe("What the user says now."),
    id: memoryId.optional().describe("Of the correction. Default: made from the Idempotency-Key or the content."),
    at: time.optional(),
    state: z.string().optional(),
  })
  .meta({ id: "Correction" });

export const pinRequest = z
  .strictObject({
    area: z.string().optional().describe("One of the profile's areas; if omitted, the one it belongs to."),
  })
  .meta({ id: "PinRequest" });

export const withdrawal = z
  .strictObject({
    reason: z
      .enum(["removed", "untrue"])
      .optional()
      .describe('"removed" takes it out of the core summary, "untrue" out of recall, too. Default: removed.'),
  })
  .meta({ id: "Withdrawal" });

const nextCursor = z.string().nullable().describe("For the next page; null if this is the last.");

export const memoryPage = z.object({ memories: z.array(memory), nextCursor }).meta({ id: "MemoryPage" });
export const personPage = z
  .object({
    persons: z.array(z.string()),
    nextCursor,
    isAdmin: z.boolean().describe("Whether the key is for everybody. True where no key is asked for."),
    isReadOnly: z.boolean().describe("Whether the key may only read."),
  })
  .meta({ id: "PersonPage" });

export const historyItem = z
  .object({
    id: memoryId,
    at: z.string(),
    acceptedAt: z.string(),
    outcome,
    reason: z.string(),
    summary: z.string().nullable(),
    turns: z.array(saidTurn),
    state: z.string().nullable(),
    restored: z.boolean(),
    metadata,
    expiresAt: z.string().nullable(),
    versions: z.array(version),
    updates: z.array(z.string()).nullable(),
    outdatedBy: z.array(z.string()).nullable(),
    trace: z.looseObject({}).nullable(),
  })
  .meta({ id: "HistoryItem" });
export const historyPage = z.object({ interactions: z.array(historyItem), nextCursor }).meta({ id: "HistoryPage" });

export const graph = z
  .object({
    memories: z.array(memory),
    edges: z.array(z.looseObject({ a: z.string(), b: z.string(), weight: z.number() })),
  })
  .meta({ id: "Graph" });

export const forgetRequest = z
  .strictObject({ ids: z.array(memoryOrStatementId).min(1).max(1_000).optional(), ...selection })
  .describe(
    "Ids of interactions or statements, or a selection with at least one condition. Statements of one memory are named " +
      "together: when one is forgotten, the numbers after it change.",
  )
  .meta({ id: "ForgetRequest" });

export const forgettingReceipt = z
  .object({
    forgotten: z.array(z.string()),
    removed: z.object({
      interactions: z.int(),
      queueEntries: z.int(),
      memories: z.int(),
      edges: z.int(),
      vectors: z.int(),
      lexicalEntries: z.int(),
    }),
    remainingPairs: z.array(z.string()),
    coreSummaryRebuilt: z.boolean(),
  })
  .meta({ id: "ForgettingReceipt" });

export const turnInput = z
  .looseObject({
    ...turn.shape,
    index: z
      .int()
      .min(0)
      .optional()
      .describe("Its place among the turns, from 0: sent again, it is not added twice, even after a restart."),
    ...circumstances,
  })
  .describe("A turn or a message. at, state, metadata and expiresAt count with the first one of a conversation.")
  .meta({ id: "TurnInput" });

export const conversation = z.object({ id: memoryId, turnCount: z.int(), outcome }).meta({ id: "Conversation" });

export const pruningRequest = z
  .strictObject({
    memoryCountMax: z.number().optional().describe("0 is no limit."),
    memoryBytesMax: z.number().optional().describe("0 is no limit."),
  })
  .meta({ id: "PruningRequest" });
export const pruningReport = z
  .object({ pruned: z.array(z.looseObject({ id: z.string() })), memoryCount: z.int(), byteCount: z.number() })
  .meta({ id: "PruningReport" });

export const statistics = z
  .object({
    person: z.string(),
    revision: z.int(),
    memoryCount: z.int(),
    edgeCount: z.int(),
    pairCount: z.int(),
    boostedEdgeCount: z.int(),
    statementCount: z.int(),
    bytesInMemory: z.number(),
    outcomes: z.partialRecord(outcome, z.int()),
    refinedCount: z.int(),
    firstAt: z.string().nullable(),
    lastAt: z.string().nullable(),
  })
  .meta({ id: "Statistics" });

export const importResult = z
  .object({
    mode: z.enum(["restored", "committed"]),
    acceptedCount: z.int(),
    knownCount: z.int(),
    differentCount: z.int(),
    differentIds: z.array(z.string()),
  })
  .meta({ id: "ImportResult" });

export const health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
export const readiness = z.object({ status: z.literal("ready") }).meta({ id: "Readiness" });

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .describe("RFC 9457.")
  .meta({ id: "Problem" });
