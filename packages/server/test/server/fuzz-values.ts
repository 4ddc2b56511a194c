/**
 * Values that fit a JSON Schema of the OpenAPI document. A schema cannot say everything (that a text is a time, that an id
 * is there), so names of fields have values that make sense; which fields there are, and their types, is the schema's.
 */
import type { Draw } from "./fuzz-draw.js";
import { type JsonSchema, type Schemas, resolveSchema } from "./schema-check.js";

/** What is known of a person, from the answers so far. */
export interface KnownPerson {
  readonly name: string;
  readonly ids: Set<string>;
  readonly pruned: Set<string>;
  readonly pinned: Set<string>;
  /** A later interaction and the one it made outdated. */
  readonly links: (readonly [string, string])[];
  readonly conversations: Set<string>;
  readonly cursors: Map<string, string>;
  readonly tags: Map<string, string>;
}

const people = ["Marta", "Oskar", "Ines", "Žofie", "李娜", "Bronwen"];
const things = ["knee", "garden", "choir", "violin", "bakery", "insulin", "staircase", "Käsekuchen", "🎻 concert"];
const times = [
  "2025-06-08T09:15:00Z",
  "2025-07-01",
  "2025-11-30T23:59:59+02:00",
  1_750_000_000_000,
  "2025-10-26T02:30:00",
];
const filters = [
  { agent: "office" },
  { urgency: { gte: 2 } },
  { and: [{ agent: "home" }, { not: { urgency: { lt: 1 } } }] },
  { or: [{ agent: { in: ["office", "home"] } }, { open: true }] },
];

export class ValueMaker {
  readonly #draw: Draw;
  readonly #schemas: Schemas;
  #idCount = 0;

  constructor(draw: Draw, schemas: Schemas) {
    this.#draw = draw;
    this.#schemas = schemas;
  }

  sentence(): string {
    const draw = this.#draw;
    return `${draw.pick(people)} told me about the ${draw.pick(things)} and the ${draw.pick(things)} number ${draw.below(500)}.`;
  }

  newId(): string {
    return `${this.#draw.pick(["n", "id with space ", "a/b?c#", "ü", "%2F", "...", "__proto__", "x:close"])}${this.#idCount++}`;
  }

  knownId({ ids }: KnownPerson): string {
    return ids.size === 0 ? "nothing-yet" : this.#draw.pick([...ids]);
  }

  value(given: JsonSchema, name: string, person: KnownPerson): unknown {
    const sensible = this.#sensible(name, person);
    if (sensible !== undefined) return sensible;
    const schema = resolveSchema(given, this.#schemas);
    if (schema.anyOf !== undefined) return this.value(this.#draw.pick(schema.anyOf), name, person);
    if (schema.enum !== undefined) return this.#draw.pick(schema.enum);
    const type = this.#draw.pick([schema.type ?? "string"].flat());
    if (type === "object") return this.object(given, person);
    if (type === "array") {
      const count = Math.max(schema.minItems ?? 0, this.#draw.below(4));
      return Array.from({ length: count }, () => this.value(schema.items ?? {}, name.replace(/s$/u, ""), person));
    }
    if (type === "boolean") return this.#draw.isLikely(0.5);
    if (type === "integer") return Math.max(schema.minimum ?? 0, 1 + this.#draw.below(50));
    if (type === "number") return this.#draw.below(100) / 4;
    return type === "null" ? null : this.sentence();
  }

  object(given: JsonSchema, person: KnownPerson): Record<string, unknown> {
    const { properties = {}, required = [] } = resolveSchema(given, this.#schemas);
    const made: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(properties)) {
      if (required.includes(name) || this.#draw.isLikely(0.35)) made[name] = this.value(schema, name, person);
    }
    return this.#mended(made, given.$ref?.split("/").at(-1) ?? "", person);
  }

  #sensible(name: string, person: KnownPerson): unknown {
    const draw = this.#draw;
    switch (name) {
      case "at":
        return draw.pick(times);
      case "from":
        return draw.pick(times.slice(0, 2));
      case "to":
        return draw.pick(times.slice(2, 4));
      case "expiresAt":
        return "2031-01-01T00:00:00Z";
      case "id":
        return this.newId();
      case "updates":
        return draw.isLikely(0.5) ? this.knownId(person) : [this.knownId(person)];
      case "ids":
        return [this.knownId(person)];
      case "filter":
        // What breaks a request changes it.
        return structuredClone(draw.pick(filters));
      case "metadata":
        return { agent: draw.pick(["office", "home"]), urgency: draw.below(4), open: true, tags: ["a", "b"] };
      case "minScore":
        return draw.below(3) / 10;
      case "tokenBudget":
        return 100 + draw.below(900);
      case "limit":
        return 1 + draw.below(20);
      case "rewrite":
        return false;
      case "memoryCountMax":
        return 8 + draw.below(12);
      case "memoryBytesMax":
        return 0;
      case "area":
        return "Health";
      default:
        return undefined;
    }
  }

  /** Fields that exclude each other, which a schema does not say. */
  #mended(made: Record<string, unknown>, schemaName: string, person: KnownPerson): Record<string, unknown> {
    const draw = this.#draw;
    const only = (...names: string[]): void => {
      const kept = draw.pick(names);
      for (const name of names) if (name !== kept) delete made[name];
      made[kept] ??= kept === "turns" || kept === "messages" ? [this.#turn()] : this.sentence();
    };
    if (schemaName === "InteractionInput") {
      only("text", "turns", "messages", "summary");
      for (const list of ["turns", "messages"]) if (made[list] !== undefined) made[list] = [this.#turn(), this.#turn()];
      if (person.ids.size === 0) delete made["updates"];
    }
    if (schemaName === "MemoryEdit") {
      only("text", "turns", "summary");
      if (made["turns"] !== undefined) made["turns"] = [this.#turn()];
    }
    if (schemaName === "TurnInput") return { ...this.#turn(), ...(draw.isLikely(0.2) ? { state: "resting" } : {}) };
    if (schemaName === "ForgetRequest") {
      if (draw.isLikely(0.8)) return { ids: [this.knownId(person)] };
      return { filter: { agent: "nobody has this one" } };
    }
    if (schemaName === "PinRequest") return {};
    return made;
  }

  #turn(): Record<string, unknown> {
    if (this.#draw.isLikely(0.5)) return { who: this.#draw.pick(["user", "assistant"]), text: this.sentence() };
    return { role: this.#draw.pick(["user", "assistant"]), content: this.sentence() };
  }
}
