/** Random metadata and filters, and a filter that is read word by word each time it is asked: the naive version. */
import fc from "fast-check";
import type { Metadata } from "mnemosyne-edge";

/** Few names and values, so that filters meet them; "toString" is one that every object has. */
const names = ["agent", "n", "tags", "done", "toString"];
const texts = fc.constantFrom("", "a", "b", "2025-01-08", "2025-03-01");
const numbers = fc.constantFrom(-1, 0, 2, 3.5);
const scalars = fc.oneof(texts, numbers, fc.boolean());

export const someMetadata: fc.Arbitrary<Metadata> = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(scalars, fc.uniqueArray(texts, { maxLength: 3 })),
  { noNullPrototype: true },
);

const dollars = <Name extends string>(...each: Name[]): fc.Arbitrary<string> =>
  fc.constantFrom(...each.flatMap((name) => [name, `$${name}`]));

const operators = fc.oneof(
  fc.tuple(dollars("eq", "ne"), scalars),
  fc.tuple(dollars("gt", "gte", "lt", "lte"), fc.oneof(texts, numbers)),
  fc.tuple(dollars("in", "nin"), fc.array(scalars, { maxLength: 3 })),
  fc.tuple(dollars("exists"), fc.boolean()),
);
const conditions = fc.oneof(
  scalars,
  fc.array(operators, { minLength: 1, maxLength: 2 }).map((pairs) => Object.fromEntries(pairs)),
);

/** As a caller without types would write it. */
export type AnyFilter = Record<string, unknown>;

export const someFilter: fc.Arbitrary<AnyFilter> = fc.letrec<{ filter: AnyFilter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.dictionary(fc.constantFrom(...names), conditions, { maxKeys: 2, noNullPrototype: true }),
    fc
      .tuple(
        fc.constantFrom("and", "AND", "$and", "or", "OR", "$or"),
        fc.array(tie("filter"), { minLength: 1, maxLength: 3 }),
      )
      .map(([join, filters]) => ({ [join]: filters })),
    fc.tuple(fc.constantFrom("not", "NOT", "$not"), tie("filter")).map(([join, filter]) => ({ [join]: filter })),
  ),
})).filter;

export function naivePasses(filter: AnyFilter, metadata: Metadata): boolean {
  for (const [name, value] of Object.entries(filter)) {
    const join = name.replace("$", "").toLowerCase();
    if (join === "and" && !(value as AnyFilter[]).every((each) => naivePasses(each, metadata))) return false;
    if (join === "or" && !(value as AnyFilter[]).some((each) => naivePasses(each, metadata))) return false;
    if (join === "not" && naivePasses(value as AnyFilter, metadata)) return false;
    if (["and", "or", "not"].includes(join)) continue;
    const own = Object.keys(metadata).includes(name) ? metadata[name] : undefined;
    const conditionsOf = typeof value === "object" ? (value as Record<string, unknown>) : { eq: value };
    for (const [operator, operand] of Object.entries(conditionsOf)) {
      if (!naiveCondition(own, operator.replace("$", ""), operand)) return false;
    }
  }
  return true;
}

function naiveCondition(own: unknown, operator: string, operand: unknown): boolean {
  const owned = Array.isArray(own) ? (own as unknown[]) : [own];
  const isComparable = typeof own === typeof operand;
  if (operator === "eq") return owned.some((each) => each === operand);
  if (operator === "ne") return owned.every((each) => each !== operand);
  if (operator === "in") return owned.some((each) => (operand as unknown[]).some((other) => other === each));
  if (operator === "nin") return owned.every((each) => (operand as unknown[]).every((other) => other !== each));
  if (operator === "exists") return operand === (own !== undefined);
  if (operator === "gt") return isComparable && (own as number) > (operand as number);
  if (operator === "gte") return isComparable && (own as number) >= (operand as number);
  if (operator === "lt") return isComparable && (own as number) < (operand as number);
  if (operator === "lte") return isComparable && (own as number) <= (operand as number);
  throw new Error(`no operator ${operator}`);
}
