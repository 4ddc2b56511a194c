// What may be changed in a node of the syntax tree: for each, the source text that replaces it.

const opposites = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
};

/** Methods without which a list or a text stays what it was. */
const leftOut = new Set("filter slice sort toSorted reverse toReversed concat trim toLowerCase".split(" "));
const counterparts = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  startsWith: "endsWith",
  endsWith: "startsWith",
  find: "findLast",
  findLast: "find",
};

/** Mutations of a node: where each is, and the text that replaces it. `parents` has the nearest last. */
export function mutationsOf(node, parents, code) {
  const text = (part) => code.slice(part.start, part.end);
  const found = kinds[node.type]?.(node, parents, text) ?? [];
  return found.map(({ at = node, text: replacement }) => ({ start: at.start, end: at.end, text: replacement }));
}

const kinds = {
  BinaryExpression({ left, right, operator }, _parents, text) {
    if (operator === "+" && (isText(left) || isText(right))) return [];
    return (opposites[operator] ?? []).map((other) => ({ text: `${text(left)} ${other} ${text(right)}` }));
  },
  AssignmentExpression: (_node, parents) => removal(parents.at(-1)),
  LogicalExpression({ left, right, operator }, _parents, text) {
    if (operator === "??") return [{ text: `(${text(left)})` }];
    const other = operator === "&&" ? "||" : "&&";
    return [`((${text(left)}) ${other} (${text(right)}))`, text(left), text(right)].map((each) => ({ text: each }));
  },
  UnaryExpression: ({ operator, argument }, _parents, text) =>
    operator === "!" || operator === "-" ? [{ text: text(argument) }] : [],
  IfStatement: ({ test }) => constants(test),
  ConditionalExpression: ({ test }) => constants(test),
  ArrowFunctionExpression: ({ body }) => (isCondition(body) ? constants(body) : []),
  ReturnStatement: ({ argument }) => (argument !== null && isCondition(argument) ? constants(argument) : []),
  Literal({ value }) {
    if (typeof value === "boolean") return [{ text: String(!value) }];
    if (typeof value !== "number") return [];
    const others = Number.isInteger(value) ? [value - 1, value + 1] : [value / 2, value * 2];
    return others.filter((other) => other >= 0).map((other) => ({ text: String(other) }));
  },
  CallExpression({ callee, optional }, parents, text) {
    const found = removal(parents.at(-1).type === "AwaitExpression" ? parents.at(-2) : parents.at(-1));
    if (optional || callee.type !== "MemberExpression" || callee.computed) return found;
    const method = callee.property.name;
    if (leftOut.has(method)) found.push({ text: text(callee.object) });
    if (Object.hasOwn(counterparts, method)) found.push({ at: callee.property, text: counterparts[method] });
    return found;
  },
  ArrayExpression: ({ elements }) =>
    elements.some((element) => element !== null && element.type !== "SpreadElement") ? [{ text: "[]" }] : [],
};

function removal(statement) {
  return statement.type === "ExpressionStatement" ? [{ at: statement, text: ";" }] : [];
}

function constants(at) {
  return ["true", "false"].map((text) => ({ at, text }));
}

function isCondition({ type, operator }) {
  if (type === "LogicalExpression") return operator !== "??";
  if (type === "BinaryExpression") return /^(?:[<>]=?|[!=]==?|in|instanceof)$/u.test(operator);
  return type === "UnaryExpression" && operator === "!";
}

function isText({ type, value }) {
  return type === "TemplateLiteral" || (type === "Literal" && typeof value === "string");
}
