// What may be changed in a node of the syntax tree: for each, the source text that replaces it. One node has a handful of
// changes at most; changes that say the same (a condition replaced by true and its operand dropped) are made once.

const opposites = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "|=": ["&="],
  "&=": ["|="],
  "^=": ["&="],
};

/** Methods without which a list or a text stays what it was. */
const leftOut = new Set(
  "filter slice sort toSorted map flatMap flat reverse toReversed with concat trim trimStart trimEnd toLowerCase toUpperCase normalize replace replaceAll padStart".split(
    " ",
  ),
);
const counterparts = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  round: "floor",
  trunc: "ceil",
  startsWith: "endsWith",
  endsWith: "startsWith",
  find: "findLast",
  findLast: "find",
  findIndex: "findLastIndex",
  findLastIndex: "findIndex",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
  union: "intersection",
};
const unwrapped = new Set(["abs", "sqrt", "log", "log2", "log1p", "exp", "floor", "round", "ceil"]);

/** Mutations of a node: what it is called, where it is, and the text that replaces it. `parents` has the nearest last. */
export function mutationsOf(node, parents, code) {
  const kind = kinds[node.type];
  if (kind === undefined) return [];
  const text = (part) => code.slice(part.start, part.end);
  return kind(node, parents, text).map(({ at = node, ...rest }) => ({ start: at.start, end: at.end, ...rest }));
}

const kinds = {
  BinaryExpression(node, _parents, text) {
    if (node.operator === "+" && (isText(node.left) || isText(node.right))) return [];
    return (opposites[node.operator] ?? []).map((operator) => swapOperator(node, operator, text));
  },
  AssignmentExpression(node, parents, text) {
    const removed = isStatement(parents.at(-1)) ? [removal(parents.at(-1))] : [];
    if (node.operator === "=") return removed;
    if (/^(?:\?\?|\|\||&&)=$/u.test(node.operator)) return [...removed, swapOperator(node, "=", text)];
    if (node.operator === "+=" && isText(node.right)) return removed;
    return [...removed, ...(opposites[node.operator] ?? []).map((operator) => swapOperator(node, operator, text))];
  },
  LogicalExpression(node, _parents, text) {
    const left = { name: "operand dropped", text: text(node.left) };
    if (node.operator === "??") return [{ name: "?? dropped", text: `(${text(node.left)})` }];
    const other = node.operator === "&&" ? "||" : "&&";
    const flipped = { name: "logical operator", text: `((${text(node.left)}) ${other} (${text(node.right)}))` };
    return [flipped, left, { name: "operand dropped", text: text(node.right) }];
  },
  UnaryExpression(node, _parents, text) {
    if (node.operator !== "!" && node.operator !== "-") return [];
    return [{ name: "negation removed", text: text(node.argument) }];
  },
  UpdateExpression(node, parents) {
    const parent = parents.at(-1);
    // The step of a for loop turned round would only make it endless.
    if (parent.type === "ForStatement") return [];
    if (isStatement(parent)) return [removal(parent)];
    const other = node.operator === "++" ? "--" : "++";
    const at = node.prefix ? { start: node.start, end: node.start + 2 } : { start: node.end - 2, end: node.end };
    return [{ name: "step", at, text: other }];
  },
  IfStatement: conditions,
  ConditionalExpression: conditions,
  WhileStatement: conditions,
  DoWhileStatement: conditions,
  ForStatement: conditions,
  ArrowFunctionExpression(node) {
    return isCondition(node.body) ? constants(node.body) : [];
  },
  ReturnStatement(node) {
    return node.argument !== null && isCondition(node.argument) ? constants(node.argument) : [];
  },
  Literal(node, parents) {
    if (typeof node.value === "boolean") return [{ name: "constant", text: String(!node.value) }];
    if (typeof node.value === "number") return numbers(node.value);
    if (node.regex !== undefined) return patterns(node);
    if (typeof node.value === "string" && decides(node, parents)) return [{ name: "text emptied", text: '""' }];
    return [];
  },
  TemplateLiteral(node, parents) {
    const parent = parents.at(-1);
    return parent.type === "TaggedTemplateExpression" ? [] : [{ name: "text emptied", text: '""' }];
  },
  CallExpression(node, parents, text) {
    const statement = parents.at(-1).type === "AwaitExpression" ? parents.at(-2) : parents.at(-1);
    const removed = isStatement(statement) ? [removal(statement)] : [];
    const chained = node.optional ? [unchained(node, text)] : [];
    const { callee } = node;
    if (callee.type !== "MemberExpression" || callee.computed) return [...removed, ...chained];
    const method = callee.property.name;
    const found = [...removed, ...chained];
    if (leftOut.has(method)) found.push({ name: `${method} left out`, text: text(callee.object) });
    if (Object.hasOwn(counterparts, method)) {
      found.push({ name: "method", at: callee.property, text: counterparts[method] });
    }
    if (text(callee.object) === "Math" && unwrapped.has(method) && node.arguments.length === 1) {
      found.push({ name: `${method} left out`, text: `(${text(node.arguments[0])})` });
    }
    return found;
  },
  MemberExpression(node, _parents, text) {
    return node.optional ? [unchained(node, text)] : [];
  },
  ArrayExpression(node) {
    const isPlain = node.elements.length > 0 && node.elements.some((element) => element?.type !== "SpreadElement");
    return isPlain ? [{ name: "list emptied", text: "[]" }] : [];
  },
  SpreadElement(node, parents) {
    const list = parents.at(-1).elements ?? parents.at(-1).properties;
    if (list === undefined) return [];
    return [{ name: "spread dropped", text: parents.at(-1).type === "ArrayExpression" ? "...[]" : "...{}" }];
  },
  BreakStatement: removedJump,
  ContinueStatement: removedJump,
};

function swapOperator(node, operator, text) {
  return { name: `${node.operator} to ${operator}`, text: `${text(node.left)} ${operator} ${text(node.right)}` };
}

function removal(statement) {
  return { name: "statement removed", at: statement, text: ";" };
}

function removedJump(node, parents) {
  return parents.at(-1).type === "SwitchCase" ? [] : [removal(node)];
}

function unchained(node, text) {
  const whole = text(node);
  const from = (node.callee ?? node.object).end - node.start;
  return { name: "?. to .", text: whole.slice(0, from) + whole.slice(from).replace(/\?\.(?=[[(])|\?(?=\.)/u, "") };
}

/** A loop is never made endless on purpose. */
function conditions(node) {
  if (node.test === null) return [];
  const isLoop = /While|For/u.test(node.type);
  const found = isLoop || isConstant(node.test, true) ? [] : [{ name: "condition", at: node.test, text: "true" }];
  return isConstant(node.test, false) ? found : [...found, { name: "condition", at: node.test, text: "false" }];
}

function constants(at) {
  return ["true", "false"].map((text) => ({ name: "condition", at, text }));
}

function isConstant(node, value) {
  return node.type === "Literal" && node.value === value;
}

function isCondition({ type, operator }) {
  if (type === "LogicalExpression") return operator !== "??";
  if (type === "BinaryExpression") return /^(?:[<>]=?|[!=]==?|in|instanceof)$/u.test(operator);
  return type === "UnaryExpression" && operator === "!";
}

function numbers(value) {
  if (value === 0) return [{ name: "number", text: "1" }];
  if (value === 1) return ["0", "2"].map((text) => ({ name: "number", text }));
  const others = Number.isInteger(value) ? [value - 1, value + 1] : [value / 2, value * 2];
  return others.map((other) => ({ name: "number", text: String(other) }));
}

/** A text that is compared, looked up, listed or given; not a key or a name of a module. */
function decides(node, parents) {
  const parent = parents.at(-1);
  if (node.value === "") return false;
  if (parent.type === "Property") return parent.value === node;
  if (parent.type === "MemberExpression") return false;
  return !/^(?:Import|Export)|Directive|ExpressionStatement|PropertyDefinition/u.test(parent.type);
}

/** Anchors, quantifiers and negations of a regular expression, one dropped at a time. */
function patterns(node) {
  const { pattern, flags } = node.regex;
  const found = new Set();
  let isInClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i);
    const without = (length, put = "") => found.add(pattern.slice(0, i) + put + pattern.slice(i + length));
    if (rest[0] === "\\") {
      if (/^\\[dswb]/u.test(rest)) without(2, rest[1] === "b" ? "" : `\\${rest[1].toUpperCase()}`);
      i++;
    } else if (isInClass) {
      isInClass = rest[0] !== "]";
    } else if (rest[0] === "[") {
      isInClass = true;
      if (rest[1] === "^") without(2, "[");
    } else if (/^(?:[$^]|[+*]\??)/u.test(rest) || (rest[0] === "?" && !/[(*+}?]/u.test(pattern[i - 1] ?? "("))) {
      without(1);
    } else if (/^\(\?<?[!=]/u.test(rest)) {
      without(
        rest[2] === "<" ? 4 : 3,
        rest.slice(0, rest[2] === "<" ? 3 : 2) + (/[!]/u.test(rest[rest[2] === "<" ? 3 : 2]) ? "=" : "!"),
      );
    }
  }
  return [...found].map((other) => ({ name: "pattern", text: `/${other === "" ? "(?:)" : other}/${flags}` }));
}

function isText(node) {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

function isStatement(node) {
  return node.type === "ExpressionStatement";
}
