/** Bodies that would take long to parse and to check are refused before, at every door; others are not. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findTooMuch } from "../../../src/server/security/json-size.js";
import { Caller } from "../rest/http.js";
import { Servers } from "../serving.js";

const servers = new Servers();
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const listOf = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(",")}]`;

it("counts brackets and commas outside of texts", () => {
  expect(findTooMuch(bytesOf("[".repeat(200) + "]".repeat(200)))).toBe(null);
  expect(findTooMuch(bytesOf("[".repeat(201) + "]".repeat(201)))).toBe("is nested more than 200 deep");
  expect(findTooMuch(bytesOf('{"a":'.repeat(201) + "1" + "}".repeat(201)))).toBe("is nested more than 200 deep");
  expect(findTooMuch(bytesOf(listOf(200_000, "1")))).toBe(null);
  expect(findTooMuch(bytesOf(listOf(200_001, "1")))).toBe("has more than 200,000 values");
  expect(findTooMuch(bytesOf(listOf(200_000, "[]")))).toBe("has more than 200,000 values");
  for (const text of ["[".repeat(300), ",".repeat(300_000), `\\"${"[".repeat(300)}`, '\\"'.repeat(9), "\\".repeat(8)]) {
    expect(findTooMuch(bytesOf(`["${text}", 1]`))).toBe(null);
  }
  expect(findTooMuch(bytesOf(`["a\\\\", ${"[".repeat(300)}`))).toBe("is nested more than 200 deep");
});

it("whatever is written as JSON by others is not taken for nested", () => {
  fc.assert(fc.property(fc.json({ maxDepth: 20 }), (json) => findTooMuch(bytesOf(json)) === null));
});

it("is refused by REST and MCP", async () => {
  const { url } = await servers.start();
  const http = new Caller(url);
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  const wide = listOf(1_000_000, "1");
  for (const raw of [deep, wide]) {
    const asked = { raw: `{"interactions":${raw}}`, headers };
    const { body } = await http.refused(413, "body_too_large", "POST", "/v1/persons/ada/interactions:batch", asked);
    expect(body.detail).toMatch(/nested more than 200 deep|more than 200,000 values/u);
    const call = { raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${raw}}`, headers };
    expect((await http.call("POST", "/mcp", call)).status).toBe(413);
  }
});
