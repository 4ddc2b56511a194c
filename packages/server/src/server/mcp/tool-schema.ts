/**
 * A zod schema as tools need it. The JSON Schema is made once and has no references, which many clients cannot follow. What
 * is wrong with arguments is said in words that a small model can act on, with an example.
 */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { findPassedOver } from "../passed-over.js";

type JsonSchema = Record<string, unknown>;
type Issue = z.core.$ZodIssue;

export interface ToolSchema<Schema extends z.ZodObject> extends StandardSchemaWithJSON<
  z.input<Schema>,
  z.output<Schema>
> {
  readonly json: JsonSchema;
}

export function toolSchema<Schema extends z.ZodObject>(
  schema: Schema,
  io: "input" | "output",
  example?: object,
): ToolSchema<Schema> {
  const json = withoutReferences(z.toJSONSchema(schema, { io, target: "draft-2020-12" }));
  const advice = example === undefined ? "" : `. Example of right arguments: ${JSON.stringify(example)}`;
  return {
    json,
    "~standard": {
      version: 1,
      vendor: "mnemosyne",
      jsonSchema: { input: () => json, output: () => json },
      validate: (value) => {
        const passedOver = findPassedOver(value, "arguments");
        if (passedOver !== null) return { issues: [{ message: `there is no ${passedOver}; leave it out${advice}` }] };
        const { success, data, error } = schema.safeParse(value);
        if (success) return { value: data };
        const { issues } = error;
        return {
          issues: issues.map((issue, index) => ({
            path: issue.path,
            message: describe(issue, value) + (index === issues.length - 1 ? advice : ""),
          })),
        };
      },
    },
  };
}

function describe(issue: Issue, given: unknown): string {
  if (issue.code === "unrecognized_keys") {
    return `there is no argument ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}; leave it out`;
  }
  const found = issue.path.reduce<unknown>((inner, key) => (inner as JsonSchema | undefined)?.[String(key)], given);
  return found === undefined && issue.path.length > 0 ? "this argument is missing" : issue.message;
}

/** None of the schemas contains itself. */
function withoutReferences({ $defs = {}, $schema: _, ...root }: JsonSchema): JsonSchema {
  const definitions = $defs as Record<string, JsonSchema>;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...own } = value as JsonSchema;
    const target = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : {};
    const entries = Object.entries({ ...target, ...own }).map(([name, inner]) => [name, inline(inner)]);
    return Object.fromEntries(entries) as JsonSchema;
  };
  return inline(root) as JsonSchema;
}
