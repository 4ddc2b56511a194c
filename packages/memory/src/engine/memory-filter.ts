/**
 * The filter language: which interactions and memories are meant, by their metadata. A filter is parsed once, into a
 * predicate; a scan then costs a few comparisons for each memory. What a memory lacks is not equal to anything and not in
 * any list, so `ne` and `nin` hold for it. A list of the metadata is equal to each of its items. Numbers are compared with
 * numbers and texts with texts, by their characters, which is how dates in ISO 8601 are in order.
 */
import type { Metadata, MetadataValue } from "../graph/metadata.js";
import { InputError } from "../errors.js";
import { describeName, describeValue, isList, readEntries, readItems } from "./given-values.js";

/** Names of metadata with what they must be, all of which have to hold, and `and`, `or`, `not` with further filters. */
export interface MemoryFilter {
  readonly [name: string]: FilterValue | FieldFilter | MemoryFilter | readonly MemoryFilter[];
}

export type FilterValue = string | number | boolean;

/** What a value of the metadata must be, if not just equal to something; each may be written with a `$`, as in `$gte`. */
export interface FieldFilter {
  readonly eq?: FilterValue;
  readonly ne?: FilterValue;
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
  readonly in?: readonly FilterValue[];
  readonly nin?: readonly FilterValue[];
  /** Whether the memory has such a value at all. */
  readonly exists?: boolean;
}

export interface ParsedFilter {
  readonly passes: (metadata: Metadata) => boolean;
  /** False if it says nothing that a memory could fail. */
  readonly restricts: boolean;
}

type Test = ParsedFilter["passes"];
type ValueTest = (value: MetadataValue | undefined) => boolean;

const depthMax = 8;
const conditionCountMax = 64;
const listLengthMax = 1_000;

const operatorNames = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "exists"] as const;
type Operator = (typeof operatorNames)[number];
const operators: ReadonlySet<string> = new Set(operatorNames);
const joins: ReadonlySet<string> = new Set(["and", "or", "not", "AND", "OR", "NOT", "$and", "$or", "$not"]);

export function parseFilter(filter: unknown): ParsedFilter {
  const parser = new FilterParser();
  const passes = parser.parse(filter, "filter", 1);
  return { passes, restricts: parser.conditionCount > 0 };
}

class FilterParser {
  /** Those that can fail. */
  conditionCount = 0;

  parse(filter: unknown, place: string, depth: number): Test {
    if (depth > depthMax) refuse(place, `filters may lie in each other at most ${depthMax} deep`);
    const tests = readEntries(filter, place, "filter_invalid").map(([name, value]) =>
      joins.has(name)
        ? this.#parseJoin(name.replace("$", "").toLowerCase(), value, `${place}.${name}`, depth)
        : this.#parseField(name, value, placeOf(place, name)),
    );
    return every(tests);
  }

  #parseJoin(join: string, value: unknown, place: string, depth: number): Test {
    if (join === "not") {
      const test = this.parse(value, place, depth + 1);
      return (metadata) => !test(metadata);
    }
    const filters = this.#readList(value, place, "a list of filters");
    if (filters.length === 0) refuse(place, "an empty list; it needs at least one filter");
    const tests = filters.map((each, i) => this.parse(each, `${place}[${i}]`, depth + 1));
    return join === "and" ? every(tests) : (metadata) => tests.some((test) => test(metadata));
  }

  #parseField(name: string, value: unknown, place: string): Test {
    if (name.startsWith("$")) {
      refuse(place, `there is no ${describeName(name)}; there are and, or, not, and for a value ${operatorList()}`);
    }
    const tests = isFilterValue(value) ? [this.#parseOperator("eq", value, place)] : this.#parseOperators(value, place);
    const [test] =
      tests.length === 1 ? tests : [(value: MetadataValue | undefined) => tests.every((each) => each(value))];
    // Every object has a "toString" that nobody noted; other names need no such check, which would take longest of all.
    if (name in Object.prototype)
      return (metadata) => test!(Object.hasOwn(metadata, name) ? metadata[name] : undefined);
    return (metadata) => test!(metadata[name]);
  }

  #parseOperators(value: unknown, place: string): ValueTest[] {
    if (isList(value)) refuse(place, "a list; write { in: [...] } for any of these, or one item for a list with it");
    if (value === null || value === undefined) {
      refuse(place, `${String(value)}; leave the name out, or write { exists: false } for memories without it`);
    }
    if (typeof value !== "object") {
      refuse(
        place,
        `${describeValue(value)}; it must be text, a finite number, true, false, or an object of operators`,
      );
    }
    const entries = readEntries(value, place, "filter_invalid");
    if (entries.length === 0) refuse(place, `an object without operators; there are: ${operatorList()}`);
    return entries.map(([name, operand]) => {
      const operator = name.startsWith("$") ? name.slice(1) : name;
      if (!operators.has(operator)) {
        refuse(placeOf(place, name), `there is no such operator; there are: ${operatorList()}`);
      }
      return this.#parseOperator(operator as Operator, operand, placeOf(place, name));
    });
  }

  #parseOperator(operator: Operator, operand: unknown, place: string): ValueTest {
    if (operator === "in" || operator === "nin") {
      const values = this.#readList(operand, place, "a list").map((item, i) => readValue(item, `${place}[${i}]`));
      // Nothing fails `nin` with an empty list.
      if (operator === "in" || values.length > 0) this.#count(place);
      return memberTest(new Set(values), operator === "in");
    }
    this.#count(place);
    if (operator === "exists") {
      if (typeof operand !== "boolean") refuse(place, `${describeValue(operand)}; it must be true or false`);
      return (value) => (value !== undefined) === operand;
    }
    const operandValue = readValue(operand, place);
    if (operator === "eq" || operator === "ne") return equalityTest(operandValue, operator === "eq");
    if (typeof operandValue === "boolean") refuse(place, `${operandValue}; it must be a number or text`);
    return rangeTest(operator, operandValue);
  }

  #readList(value: unknown, place: string, what: string): unknown[] {
    if (!isList(value)) refuse(place, `${describeValue(value)}; it must be ${what}`);
    return readItems(value, place, "filter_invalid", (count) => {
      if (count > listLengthMax) refuse(place, `a list of ${count} items; it may have at most ${listLengthMax}`);
    });
  }

  #count(place: string): void {
    if (++this.conditionCount > conditionCountMax) {
      refuse(place, `the filter has more than ${conditionCountMax} conditions; \`in\` takes many values at once`);
    }
  }
}

function every(tests: readonly Test[]): Test {
  if (tests.length === 1) return tests[0]!;
  return (metadata) => tests.every((test) => test(metadata));
}

/** Whether a value, or an item of a list, is another. */
function equalityTest(other: FilterValue, expected: boolean): ValueTest {
  return (value) => (value === other || (typeof value === "object" && value.includes(other as string))) === expected;
}

/** Whether a value, or an item of a list, is among some. */
function memberTest(values: ReadonlySet<unknown>, expected: boolean): ValueTest {
  return (value) =>
    (typeof value === "object" ? value.some((item) => values.has(item)) : values.has(value)) === expected;
}

function rangeTest(operator: "gt" | "gte" | "lt" | "lte", limit: string | number): ValueTest {
  const kind = typeof limit;
  const compare = {
    gt: (value: string | number) => value > limit,
    gte: (value: string | number) => value >= limit,
    lt: (value: string | number) => value < limit,
    lte: (value: string | number) => value <= limit,
  }[operator];
  return (value) => typeof value === kind && compare(value as string | number);
}

function readValue(value: unknown, place: string): FilterValue {
  if (isFilterValue(value)) return value;
  return refuse(place, `${describeValue(value)}; it must be text, a finite number, true or false`);
}

function isFilterValue(value: unknown): value is FilterValue {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function operatorList(): string {
  return operatorNames.join(", ");
}

/** "filter.n", or 'filter["my name"]'. */
function placeOf(place: string, name: string): string {
  return /^[\p{L}$_][\p{L}\p{N}$_]{0,63}$/u.test(name) ? `${place}.${name}` : `${place}[${describeName(name)}]`;
}

function refuse(place: string, reason: string): never {
  throw new InputError("filter_invalid", `${place}: ${reason}`);
}
