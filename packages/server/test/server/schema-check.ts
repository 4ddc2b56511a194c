/**
 * Whether a value is as a JSON Schema of the OpenAPI document says. A keyword that is not known here is an error, so that
 * nothing passes because nobody looked.
 */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

const known = new Set([
  "$ref",
  "type",
  "enum",
  "const",
  "anyOf",
  "properties",
  "required",
  "additionalProperties",
  "propertyNames",
  "items",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "description",
]);

export function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = schemas[schema.$ref.replace("#/components/schemas/", "")];
  if (found === undefined) throw new Error(`${schema.$ref} is not in the document`);
  return found;
}

/** What is wrong, each with its place; empty if nothing is. */
export function findFaults(value: unknown, given: JsonSchema, schemas: Schemas, place = ""): string[] {
  const strange = Object.keys(given).filter((keyword) => !known.has(keyword));
  if (strange.length > 0) throw new Error(`${place}: this check does not know ${strange.join()}`);
  const schema = resolveSchema(given, schemas);
  if (schema !== given) return findFaults(value, schema, schemas, place);
  const fault = (what: string): string[] => [`${place || "value"}: ${what}, but is ${shown(value)}`];
  const { anyOf } = schema;
  if (anyOf !== undefined) {
    return anyOf.some((each) => findFaults(value, each, schemas, place).length === 0)
      ? []
      : fault("fits none of anyOf");
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) return fault(`must be one of ${schema.enum.join()}`);
  if (schema.const !== undefined && schema.const !== value) return fault(`must be ${String(schema.const)}`);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return fault(`must be ${types.join(" or ")}`);
  if (typeof value === "string")
    return isWithin(value.length, schema.minLength, schema.maxLength) ? [] : fault("length");
  if (typeof value === "number") return isWithin(value, schema.minimum, schema.maximum) ? [] : fault("range");
  if (Array.isArray(value)) {
    if (!isWithin(value.length, schema.minItems, schema.maxItems)) return fault("number of items");
    return value.flatMap((each, i) => findFaults(each, schema.items ?? {}, schemas, `${place}[${i}]`));
  }
  return typeof value === "object" && value !== null ? findFaultsOfObject(value, schema, schemas, place) : [];
}

function findFaultsOfObject(value: object, schema: JsonSchema, schemas: Schemas, place: string): string[] {
  const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${place}.${name}: is missing`);
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const inside = `${place}.${name}`;
    const ofName = propertyNames === undefined ? [] : findFaults(name, propertyNames, schemas, `${inside} (name)`);
    if (Object.hasOwn(properties, name)) return [...ofName, ...findFaults(each, properties[name]!, schemas, inside)];
    if (additionalProperties === false) return [`${inside}: is not in the schema`];
    return additionalProperties === true
      ? ofName
      : [...ofName, ...findFaults(each, additionalProperties, schemas, inside)];
  });
  return [...missing, ...wrong];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function isWithin(value: number, min = -Infinity, max = Infinity): boolean {
  return value >= min && value <= max;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 80);
}
