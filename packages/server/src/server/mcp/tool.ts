/** A tool: what clients are told about it, and one call of it, checked, audited and with errors in plain words. */
import type {
  InputRequiredResult,
  CallToolResult,
  ServerContext,
  Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { type McpServer, isInputRequiredResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { MnemosyneError, type PersonMemory } from "mnemosyne-edge";
import { RequestError, problemOf } from "../problem.js";
import { type Access, allows } from "../security/access.js";
import type { AuditEntry, AuditLog, ServerLog } from "../server-context.js";
import { type ToolSchema, toolSchema } from "./tool-schema.js";

/** Whose memory it is, and what watches over its use. Bound once, so that no call can be about somebody else. */
export interface Binding {
  readonly memory: PersonMemory;
  readonly access: Access;
  readonly audit: AuditLog;
  readonly log: ServerLog;
}

export interface Call extends Binding {
  readonly context: ServerContext;
  readonly server: McpServer;
  /** Of the request: aborted if the client cancels it or goes. */
  readonly signal: AbortSignal;
}

interface Answer {
  /** At least what the shape of the output has; the rest is left out. */
  readonly structured: object;
  /** For people and models that do not read the structure. */
  readonly texts: readonly string[];
  /** For the audit. */
  readonly ids?: readonly string[];
}

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly shape: { readonly input: Input; readonly output: Output };
  readonly example: z.input<Input>;
  readonly action: "read" | "commit" | "change" | "forget";
  readonly isIdempotent: boolean;
  run(input: z.output<Input>, call: Call): Promise<Answer | InputRequiredResult>;
}

export interface Tool {
  readonly listed: ListedTool;
  readonly isWriting: boolean;
  register(server: McpServer, binding: Binding): void;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, shape, action } = definition;
  const inputSchema = toolSchema(shape.input, "input", definition.example);
  const outputSchema = toolSchema(shape.output, "output");
  const annotations = {
    title,
    readOnlyHint: action === "read",
    destructiveHint: action === "change" || action === "forget",
    idempotentHint: definition.isIdempotent,
    openWorldHint: false,
  };
  const listedAs = (schema: ToolSchema<z.ZodObject>): ListedTool["inputSchema"] =>
    schema.json as ListedTool["inputSchema"];
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: listedAs(inputSchema),
      outputSchema: listedAs(outputSchema),
      annotations,
    },
    isWriting: action !== "read",
    register: (server, binding) => {
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema, annotations },
        (input: z.output<Input>, context: ServerContext) =>
          runTool(definition, input, { ...binding, context, server, signal: context.mcpReq.signal }),
      );
    },
  };
}

async function runTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  { name, action, shape, run }: ToolDefinition<Input, Output>,
  input: z.output<Input>,
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const answer = await audited<Answer | InputRequiredResult>(call, action, name, async () => {
      const result = await run(input, call);
      return isInputRequiredResult(result) ? { result, outcome: "asked" } : { result, ids: result.ids ?? [] };
    });
    if (isInputRequiredResult(answer)) return answer;
    const structuredContent = shape.output.parse(answer.structured) as Record<string, unknown>;
    return { content: answer.texts.map((text) => ({ type: "text", text })), structuredContent };
  } catch (error) {
    return { content: [{ type: "text", text: describeError(error, name) }], isError: true };
  }
}

/** Checks the access and records what was done with the memory, without what it says. */
async function audited<Result>(
  { access, audit, log, memory, signal }: Binding & { readonly signal?: AbortSignal },
  action: Exclude<AuditEntry["action"], "refuse">,
  operation: string,
  work: () => Promise<{ result: Result; ids?: readonly string[]; outcome?: string }>,
): Promise<Result> {
  const entry = { operation, keyId: access.keyId, person: memory.name };
  if (!allows(access, action === "read" ? "read" : "write", memory.name)) {
    audit.record({ ...entry, action: "refuse", outcome: 403 });
    throw new RequestError("not_allowed", `${operation} is not allowed here: this connection may only read.`);
  }
  try {
    const { result, ...more } = await work();
    audit.record({ ...entry, action, outcome: "ok", ...more });
    return result;
  } catch (error) {
    const { status, code } = problemOf(error);
    const isCancelled = signal?.aborted === true;
    audit.record({ ...entry, action, outcome: isCancelled ? "cancelled" : status });
    if (code === "internal" && !isCancelled) log.error({ err: error, operation }, "an MCP call failed");
    throw error;
  }
}

const hints: Readonly<Partial<Record<string, string>>> = {
  unknown_id: "Call recall_memories or list_memories to get the ids that exist.",
  unknown_person: "Nothing is remembered yet. Call commit_memory first.",
  query_empty: "Put the user's question into query.",
  time_invalid: 'Write times as ISO 8601, such as "2025-01-08".',
  store_busy: "Nothing is lost. Try the same call again in a few seconds.",
};

function describeError(error: unknown, operation: string): string {
  if (!(error instanceof MnemosyneError) && !(error instanceof RequestError)) {
    return `${operation} failed inside the memory server; its log says why. Trying again may help.`;
  }
  const hint = hints[error.code];
  const message = /[.!?]$/u.test(error.message) ? error.message : `${error.message}.`;
  return `${error.code}: ${message}${hint === undefined ? "" : ` ${hint}`}`;
}
