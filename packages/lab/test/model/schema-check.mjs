/** Whether a value follows a JSON schema; supports what the memory's schemas use. */

const typeChecks = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
};

/** What is wrong with the value, or null. */
export function findSchemaFault(value, schema, path = "the reply") {
  const check = typeChecks[schema.type];
  if (check === undefined) throw new Error(`schema type ${schema.type} is not supported`);
  if (!check(value)) return `${path} is not of type ${schema.type}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${path} is none of ${schema.enum.join(", ")}`;
  if (schema.type === "array") return findListFault(value, schema, path);
  if (schema.type !== "object") return null;
  const missing = schema.required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path} lacks ${missing}`;
  const faults = Object.entries(schema.properties).map(([name, inner]) => findSchemaFault(value[name], inner, name));
  return faults.find((fault) => fault !== null) ?? null;
}

function findListFault(list, { items, minItems = 0, maxItems = Infinity }, path) {
  if (list.length < minItems || list.length > maxItems) return `${path} has ${list.length} items`;
  return list.map((item, i) => findSchemaFault(item, items, `${path}[${i}]`)).find((fault) => fault !== null) ?? null;
}

/** The same for a reply as text. */
export function findReplyFault(reply, schema) {
  try {
    return findSchemaFault(JSON.parse(reply), schema);
  } catch (error) {
    return error.message;
  }
}
