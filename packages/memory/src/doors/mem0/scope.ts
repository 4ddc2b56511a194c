/**
 * Whose memories a call is about. A user is a person; agents and runs are metadata. What belongs to no user has a person
 * of its own, whose name no user can have: mem0 refuses blanks in ids.
 */
import { InputError } from "../../errors.js";
import type { MemoryFilter } from "../../index.js";
import type { Entity, SearchFilters } from "./mem0-types.js";

export const personWithoutUser = "mem0 without user";

export interface Scope {
  readonly userId: string | undefined;
  readonly agentId: string | undefined;
  readonly runId: string | undefined;
}

/** The ids of a call; at least one is needed. */
export function readScope(entity: Entity, filters: SearchFilters = {}, method = "add"): Scope {
  const scope = {
    userId: readId(entity.userId ?? filters.user_id, "userId"),
    agentId: readId(entity.agentId ?? filters.agent_id, "agentId"),
    runId: readId(entity.runId ?? filters.run_id, "runId"),
  };
  if (Object.values(scope).some((id) => id !== undefined)) return scope;
  throw new InputError("option_invalid", `${method} needs at least one of userId, agentId and runId`);
}

function readId(id: unknown, name: string): string | undefined {
  if (id === undefined || id === null) return undefined;
  const trimmed = String(id).trim();
  if (trimmed !== "" && !/\s/u.test(trimmed)) return trimmed;
  throw new InputError("option_invalid", `${name} is ${JSON.stringify(id)}; it must be text without blanks`);
}

/** As metadata, and as the fields of a result. */
export function scopeFields({ userId, agentId, runId }: Scope): Record<string, string> {
  return {
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(runId === undefined ? {} : { run_id: runId }),
  };
}

export interface Selection {
  /** Undefined for everybody. */
  readonly person: string | undefined;
  readonly filter: MemoryFilter;
}

/** mem0's filters as ours; one user's are looked up with that person only. */
export function readFilters(filters: SearchFilters | undefined, method: string): Selection {
  const conditions = conjunction(filters ?? {});
  const users = conditions.filter(([name, value]) => name === "user_id" && typeof value === "string");
  const names = new Set(users.map(([, value]) => readId(value, "user_id")!));
  const isNamed = conditions.some(([name]) => name === "user_id" || name === "agent_id" || name === "run_id");
  if (!isNamed) {
    throw new InputError(
      "filter_invalid",
      `${method} needs filters with at least one of user_id, agent_id and run_id, such as { user_id: "u1" }`,
    );
  }
  const others = names.size === 1 ? conditions.filter((condition) => !users.includes(condition)) : conditions;
  const [person] = names.size === 1 ? names : [];
  return { person, filter: conjoin(others) };
}

type Condition = readonly [name: string, value: unknown];

/** All conditions that must hold; what stands under AND is one of them. */
function conjunction(filters: Readonly<Record<string, unknown>>): Condition[] {
  return Object.entries(filters).flatMap(([name, value]): Condition[] => {
    if (value === undefined) return [];
    if (name !== "AND" || !Array.isArray(value)) return [[name, value]];
    return value.flatMap((part: unknown) => conjunction(part as Record<string, unknown>));
  });
}

function conjoin(conditions: readonly Condition[]): MemoryFilter {
  const parts = conditions.map(([name, value]) => readCondition(name, value));
  return parts.length === 0 ? {} : { and: parts };
}

function readCondition(name: string, value: unknown): MemoryFilter {
  if ((name === "OR" || name === "NOT") && Array.isArray(value)) {
    const parts = value.map((part: unknown) => conjoin(conjunction(part as Record<string, unknown>)));
    return name === "OR" ? { or: parts } : { not: { or: parts } };
  }
  if (value === "*") return { [name]: { exists: true } };
  if (Array.isArray(value)) return { [name]: { in: value as string[] } };
  return { [name]: value } as MemoryFilter;
}
