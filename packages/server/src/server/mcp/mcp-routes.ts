/**
 * `/mcp`: MCP over streamable HTTP. Each request stands alone, as the protocol has it since version 2026-07-28; clients of
 * older versions are answered without a session. The person comes from the key, a header or the address, never from a
 * tool's arguments.
 */
import { createMcpHandler, isJsonContentType, readRequestBody } from "@modelcontextprotocol/server";
import type { Hono } from "hono";
import { RequestError, problemOf, respondWithProblem } from "../problem.js";
import { type Access, allows, onlyPerson } from "../security/access.js";
import { findTooMuch } from "../security/json-size.js";
import type { ServerContext, ServerEnv } from "../server-context.js";
import { createMemoryServer } from "./memory-server.js";

const personHeader = "mnemosyne-person";

export function addMcpRoutes(app: Hono<ServerEnv>, context: ServerContext): void {
  const { mnemosyne, audit, log, settings } = context;
  const { bodyBytesMax } = settings.limits;
  app.all("/mcp", async (c) => {
    c.set("operation", "mcp");
    const { access } = c.var;
    const request = c.req.raw;
    try {
      const person = c.req.header(personHeader) || c.req.query("person") || onlyPerson(access) || "default";
      checkAccess(context, access, person);
      const body = await readBody(request, bodyBytesMax);
      if (body instanceof Response) return body;
      // A server for this request: nothing is shared between persons.
      const handler = createMcpHandler(() => createMemoryServer({ mnemosyne, person, access, audit, log }), {
        maxRequestBodySize: bodyBytesMax,
        maxSubscriptions: 0,
        onerror: ({ message }) => log.debug({ reason: message }, "an MCP request was refused"),
      });
      return await handler.fetch(request, { parsedBody: body.parsed });
    } catch (error) {
      if (problemOf(error).code === "internal") log.error({ err: error }, "an MCP request failed");
      return respondWithProblem(error);
    }
  });
}

/** Before anything about that person is looked up. A name that cannot be one is refused here, too. */
function checkAccess({ mnemosyne, audit }: ServerContext, access: Access, person: string): void {
  if (!allows(access, "read", person)) {
    audit.record({ action: "refuse", operation: "mcp", keyId: access.keyId, person, outcome: 403 });
    throw new RequestError("not_allowed", "This key may not use the memory of this person.");
  }
  mnemosyne.person(person);
}

async function readBody(request: Request, bytesMax: number): Promise<{ parsed: unknown } | Response> {
  if (request.method !== "POST") return { parsed: undefined };
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return refuse(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
  }
  const body = await readRequestBody(request, bytesMax);
  if (body.tooLarge) return refuse(413, -32_000, `The request body has more than ${bytesMax} bytes.`);
  const tooMuch = findTooMuch(new TextEncoder().encode(body.text));
  if (tooMuch !== null) return refuse(413, -32_000, `The request body ${tooMuch}.`);
  try {
    return { parsed: JSON.parse(body.text) as unknown };
  } catch {
    return refuse(400, -32_700, "Parse error: the request body is not valid JSON");
  }
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
