/** The core summary and every memory as resources, listed page by page. */
import {
  type McpServer,
  type Resource,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { type Memory, MnemosyneError, NotFoundError } from "mnemosyne-edge";
import { coreUri, memoryUri, memoryUriTemplate } from "./changes.js";
import { emptyIfUnknown } from "./read-tools.js";
import { type Binding, audited, describeError } from "./tool.js";
import { getShape } from "./tool-shapes.js";

const pageLength = 100;
const titleLength = 80;

const core: Resource = {
  uri: coreUri,
  name: "core",
  title: "Core summary",
  description: "What is always true about the user, in a few lines.",
  mimeType: "text/plain",
};

export function registerResources(server: McpServer, binding: Binding): void {
  const { memory } = binding;
  const { uri: _, name, ...about } = core;
  server.registerResource(name, coreUri, about, () =>
    audited(binding, "read", "resources/read", async () => {
      const { text } = await memory.coreSummary();
      return { result: { contents: [{ uri: coreUri, mimeType: "text/plain", text }] } };
    }).catch(refuse("resources/read", coreUri)),
  );
  const description = "One memory in full, as JSON: who said what, when, and what it was before.";
  const template = new ResourceTemplate(memoryUriTemplate, { list: undefined });
  server.registerResource(
    "memory",
    template,
    { title: "Memory", description, mimeType: "application/json" },
    (uri, { id }) =>
      audited(binding, "read", "resources/read", async () => {
        const detail = await memory.get(decodeId(id, uri.href));
        const text = JSON.stringify(getShape.output.parse(detail), null, 2);
        return { result: { contents: [{ uri: uri.href, mimeType: "application/json", text }] }, ids: [detail.id] };
      }).catch(refuse("resources/read", uri.href)),
  );
  // In place of the SDK's own, which has no pages.
  server.server.setRequestHandler("resources/list", ({ params }) =>
    audited(binding, "read", "resources/list", async () => {
      const { cursor } = params ?? {};
      const page = await emptyIfUnknown(
        memory.list(cursor === undefined ? { limit: pageLength } : { limit: pageLength, cursor }),
      );
      const resources = [...(cursor === undefined ? [core] : []), ...(page ?? []).map(describeMemory)];
      const { nextCursor = null } = page ?? {};
      return { result: nextCursor === null ? { resources } : { resources, nextCursor } };
    }).catch(refuse("resources/list")),
  );
}

function describeMemory({ id, at, summary }: Memory): Resource {
  const characters = [...summary];
  const title = characters.length <= titleLength ? summary : `${characters.slice(0, titleLength - 1).join("")}…`;
  return {
    uri: memoryUri(id),
    name: id,
    title,
    mimeType: "application/json",
    annotations: { audience: ["assistant"], lastModified: at },
  };
}

function decodeId(id: string | string[] | undefined, uri: string): string {
  try {
    return decodeURIComponent(String(id));
  } catch {
    throw new ResourceNotFoundError(uri);
  }
}

/** An error of the protocol, with a message of ours. */
export function refuse(operation: string, uri?: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ProtocolError) throw error;
    if (uri !== undefined && error instanceof NotFoundError) throw new ResourceNotFoundError(uri);
    const isInput = error instanceof MnemosyneError && error.family === "input";
    const code = isInput ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, describeError(error, operation));
  };
}
