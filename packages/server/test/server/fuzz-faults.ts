/** Ways to break a request. Each changes a draft and says what it did. */
import type { Draw } from "./fuzz-draw.js";
import type { DraftRequest } from "./fuzz-requests.js";

type Breaking = (draft: DraftRequest, draw: Draw) => string;

const depthMax = 20_000;
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);
const oddTexts = [
  "",
  " ",
  "\u0000",
  "\u0001\u001f\u007f\u0085",
  "\ud800",
  "a\udfffb",
  "\ufeff",
  "\u202eabc",
  "x".repeat(201),
  "y".repeat(70_000),
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "'; DROP TABLE interactions; --",
  "{{7*7}}",
  "e\u0301",
  "\r\nx-injected: 1",
];
const oddNumbers = [-1, 0, -0, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 1e-320, 99_999_999_999_999];
const oddTimes = [
  "yesterday",
  "2025-13-45",
  "9999999-01-01",
  "0000-00-00",
  8.64e15 + 1,
  -8.64e15,
  "2025-02-30T25:61:61Z",
];
const oddValues: readonly unknown[] = [
  ...oddTexts,
  ...oddNumbers,
  ...oddTimes,
  null,
  true,
  [],
  {},
  [[]],
  [null],
  { a: {} },
];
const protoNames = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toJSON", "then", "length"];

/** A field is another value, is gone, or is one that nobody knows. */
export const breakBody: Breaking = (draft, draw) => {
  if (typeof draft.body !== "object" || draft.body === null) {
    draft.body = structuredClone(draw.pick(oddValues));
    return "another body";
  }
  const parent = pickInside(draft.body as Record<string, unknown>, draw);
  const names = Object.keys(parent);
  const unknown = Array.isArray(parent) ? ["0"] : ["unknownField", ...protoNames];
  const name = draw.pick(names.length === 0 || draw.isLikely(0.2) ? unknown : names);
  if (draw.isLikely(0.15) && !Array.isArray(parent)) {
    delete parent[name];
    return `without ${name}`;
  }
  // Assigned, __proto__ would not become a field.
  Object.defineProperty(parent, name, {
    value: structuredClone(draw.pick(oddValues)),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return `another ${name}`;
};

/** The body itself, or an object somewhere inside. */
function pickInside(body: Record<string, unknown>, draw: Draw): Record<string, unknown> {
  let place = body;
  while (draw.isLikely(0.6)) {
    const inner = Object.values(place).filter((each) => typeof each === "object" && each !== null);
    if (inner.length === 0) return place;
    place = draw.pick(inner) as Record<string, unknown>;
  }
  return place;
}

/** What is not JSON, not UTF-8, or JSON that is hard on whoever reads it. */
export const breakBytes: Breaking = (draft, draw) => {
  const text = Buffer.from(JSON.stringify(draft.body ?? {}) ?? "{}");
  const depth = draw.pick([100, 2_000, depthMax]);
  const field = draw.pick(["metadata", "filter", "content", "turns", "unknown"]);
  draft.bytes = draw.pick<() => Buffer>([
    () => Buffer.concat([text, Buffer.from([0xff, 0xfe])]),
    () => Buffer.from(text.toString().replace(/[aeiou]/u, "\u00ff"), "latin1"),
    () => text.subarray(0, draw.below(text.length)),
    () => Buffer.from(""),
    () => Buffer.from(`\ufeff${text.toString()}`),
    () => Buffer.from(text.toString("utf16le"), "utf16le"),
    () => Buffer.from(nested(depth, "[", "]")),
    () => Buffer.from(`{"${field}":${nested(depth, "[", "]")}}`),
    () => Buffer.from(`{"text":"a","${field}":${`{"and":[`.repeat(depth)}${`]}`.repeat(depth)}}`),
    () => Buffer.from(`{"query":"a","filter":${`{"not":`.repeat(depth)}{"a":1}${`}`.repeat(depth)}}`),
    () => Buffer.from(`{"text":"a","text":"b","__proto__":{"isAdmin":true}}`),
    () => Buffer.from(`{"text":"\\ud800\\u0000","query":"\\udc00"}`),
    () => Buffer.from(`{"limit":1e999,"tokenBudget":-1e999,"query":"a","at":1e999}`),
    () => Buffer.from(`{"query":"a","seed":${"9".repeat(400)}}`),
    () => Buffer.from(draw.pick(["null", "NaN", "1", '"text"', "[]", "{,}", "{'a':1}", "undefined", "\0"])),
    () => Buffer.from(`{${Array.from({ length: 3_000 }, (_, i) => `"f${i}":0`).join()}}`),
    () => Buffer.from("a=1&b=2"),
  ])();
  return "other bytes";
};

const oddSegments = [
  "%",
  "%zz",
  "%c3%28",
  "%ed%a0%80",
  "%00",
  "%0d%0a",
  "%2F",
  "%2e%2e",
  "..",
  ".",
  "%252e%252e",
  "%F0%9F%8E",
  "\u00ff\u00fe",
  "\u00c3\u00bc",
  "a;b=c",
  "*",
  "",
  "__proto__",
  "constructor",
  "x".repeat(250),
  "%41".repeat(80),
  "ada ".trim() + "%20",
  "ada.",
  "ADA",
  "x:close",
  ":restore",
  "%3Aclose",
];

export const breakTarget: Breaking = (draft, draw) => {
  const filled = draft.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(draft.places[name] ?? ""),
  );
  const segments = filled.split("/");
  const at = 1 + draw.below(segments.length - 1);
  draft.target = draw.pick<() => string>([
    () => segments.with(at, draw.pick(oddSegments)).join("/"),
    () => segments.with(at, draw.pick(oddSegments)).join("/"),
    () => segments.with(at, `${segments[at]}${draw.pick(oddSegments)}`).join("/"),
    () => segments.toSpliced(at, 0, draw.pick(oddSegments)).join("/"),
    () => segments.toSpliced(at, 1).join("/"),
    () => `${filled}/`,
    () => `/${filled}`,
    () => `${filled}:${draw.pick(["close", "batch", "restore", "unknown"])}`,
    () => filled.toUpperCase(),
    () => filled.replaceAll("/", "\\"),
    () => `http://127.0.0.1${filled}`,
    () => `http://elsewhere.example${filled}`,
    () => `${filled}#fragment`,
    () => "*",
    () => `${filled}?${"q".repeat(draw.pick([5_000, 20_000]))}`,
  ])();
  return `another target`;
};

export const breakQuery: Breaking = (draft, draw) => {
  const names = [
    "limit",
    "cursor",
    "filter",
    "from",
    "to",
    "outcomes",
    "outdated",
    "at",
    "update",
    "wait",
    ...protoNames,
  ];
  const values = [
    ...oddTexts.filter((text) => text.length < 1_000 && !text.includes("\r")),
    ...oddNumbers.map(String),
    ...oddTimes.map(String),
    "1001",
    "1e3",
    "0x10",
    "Infinity",
    "null",
    "{",
    "[]",
    '{"a":{"gte":"x"}}',
    '{"and":{}}',
    '{"__proto__":1}',
    "committed,nonsense",
    Buffer.from('{"v":1}').toString("base64url"),
    "AAAA",
    nested(500, "[", "]"),
    `${`{"not":`.repeat(400)}{"a":1}${"}".repeat(400)}`,
  ];
  const [name, value] = [draw.pick(names), draw.pick(values)];
  draft.query = [...draft.query.filter(([each]) => each !== name), [name, value]];
  if (draw.isLikely(0.2)) draft.query.push([name, value]);
  return `query ${name}`;
};

export const breakHeaders: Breaking = (draft, draw) => {
  const [name, value] = draw.pick<readonly [string, string]>([
    ["content-type", "text/plain"],
    ["content-type", "application/x-www-form-urlencoded"],
    ["content-type", "application/json; charset=utf-16"],
    ["content-type", "application/problem+json"],
    ["content-type", "multipart/form-data; boundary=x"],
    ["content-type", ""],
    ["content-type", "\u00ff"],
    ["idempotency-key", ""],
    ["idempotency-key", " "],
    ["idempotency-key", "k".repeat(256)],
    ["idempotency-key", "\u00ff\u00fe"],
    ["idempotency-key", "__proto__"],
    ["if-match", "*"],
    ["if-match", '"'],
    ["if-match", 'W/"x", "y"'],
    ["if-match", `"${"t".repeat(3_000)}"`],
    ["if-none-match", "*"],
    ["if-none-match", '"__proto__"'],
    ["if-none-match", `"${'"'.repeat(3_000)}`],
    ["host", "elsewhere.example"],
    ["host", "127.0.0.1:99999"],
    ["host", ""],
    ["host", "[::1"],
    ["origin", "https://elsewhere.example"],
    ["origin", "null"],
    ["origin", "\u0080"],
    ["sec-fetch-site", "cross-site"],
    ["x-forwarded-for", "not an address, ,,"],
    ["x-request-id", "\u00e9".repeat(70)],
    ["authorization", "Bearer nonsense"],
    ["authorization", "Basic \u00ff"],
    ["accept", "text/html;q=\u00ff"],
    ["accept-encoding", "gzip, br;q=nonsense"],
    ["content-encoding", "gzip"],
    ["expect", "something"],
    ["range", "bytes=0-1"],
    ["upgrade", "websocket"],
    ["transfer-encoding", "gzip"],
    ["content-length", "-1"],
    ["content-length", "1e3"],
    ["x-long", "l".repeat(20_000)],
    ["cookie", "a=b; __proto__=c"],
  ]);
  draft.headers[name] = value;
  return `header ${name}`;
};

export const breakMethod: Breaking = (draft, draw) => {
  draft.method = draw.pick([
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "PROPFIND",
    "QUERY",
    "FOO",
    "get",
    "",
    "G\u00ffT",
  ]);
  return `method ${draft.method}`;
};
