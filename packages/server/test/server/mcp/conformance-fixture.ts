/**
 * What the conformance suite expects of a server that is made for it, so that its scenarios reach our routes and sessions:
 * tools that return every kind of content, report progress, and ask the client; resources; prompts.
 */
import {
  type CallToolResult,
  McpServer,
  ResourceTemplate,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const image = { type: "image", data: pixel, mimeType: "image/png" } as const;
const text = (value: string): { type: "text"; text: string } => ({ type: "text", text: value });
const say = (value: string): CallToolResult => ({ content: [text(value)] });
const resourceOf = (uri: string, mimeType: string, value: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: value } }) as const;

export function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: "fixture", version: "1.0.0" },
    { capabilities: { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true } } },
  );
  registerContents(server);
  registerConversations(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}

function registerContents(server: McpServer): void {
  const contents: Record<string, CallToolResult["content"]> = {
    test_simple_text: [text("This is a simple text response for testing.")],
    test_image_content: [image],
    test_audio_content: [{ type: "audio", data: silence, mimeType: "audio/wav" }],
    test_embedded_resource: [
      resourceOf("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ],
    test_multiple_content_types: [
      text("Multiple content types test:"),
      image,
      resourceOf("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: name }, () => ({ content }));
  }
  server.registerTool("test_error_handling", { description: "Fails." }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_tool_with_progress", { description: "Reports progress." }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return say("Done.");
  });
}

/** As our own forget_all_memories asks: the SDK turns it into what the client's protocol version knows. */
function registerConversations(server: McpServer): void {
  const username = { type: "string", description: "User's response" } as const;
  const email = { type: "string", description: "User's email address" } as const;
  server.registerTool(
    "test_elicitation",
    { description: "Asks the user.", inputSchema: z.object({ message: z.string() }) },
    ({ message }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, "user");
      if (answer.kind === "elicit") return say(`User response: ${JSON.stringify(answer)}`);
      const requestedSchema = {
        type: "object",
        properties: { username, email },
        required: ["username", "email"],
      } as const;
      const schema = { ...requestedSchema, required: [...requestedSchema.required] };
      return inputRequired({ inputRequests: { user: inputRequired.elicit({ message, requestedSchema: schema }) } });
    },
  );
  server.registerTool(
    "test_sampling",
    { description: "Asks the model.", inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, { mcpReq }) => askModel(mcpReq.inputResponses, "model", prompt),
  );
  server.registerTool("test_input_required_result_sampling", { description: "Asks the model." }, ({ mcpReq }) =>
    askModel(mcpReq.inputResponses, "capital_question", "What is the capital of France?"),
  );
  server.registerTool("test_input_required_result_elicitation", { description: "Asks for a name." }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "user_name");
    const name = answer.kind === "elicit" ? answer.content?.["name"] : undefined;
    if (typeof name === "string") return say(`Hello, ${name}!`);
    const properties = { name: { type: "string" as const } };
    const requestedSchema = { type: "object" as const, properties, required: ["name"] };
    const question = inputRequired.elicit({ message: "What is your name?", requestedSchema });
    return inputRequired({ inputRequests: { user_name: question } });
  });
  server.registerTool("test_input_required_result_list_roots", { description: "Asks for roots." }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "client_roots");
    if (answer.kind === "roots") return say(JSON.stringify(answer.roots));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
}

function askModel(
  responses: Record<string, unknown> | undefined,
  key: string,
  prompt: string,
): CallToolResult | ReturnType<typeof inputRequired> {
  const answer = inputResponse(responses, key);
  if (answer.kind === "sampling") return say(`LLM response: ${JSON.stringify(answer.result.content)}`);
  const question = inputRequired.createMessage({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 });
  return inputRequired({ inputRequests: { [key]: question } });
}

function registerResources(server: McpServer): void {
  const plain = "text/plain";
  server.registerResource("text", "test://static-text", { mimeType: plain }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: plain, text: "This is the content of the static text resource." }],
  }));
  server.registerResource("binary", "test://static-binary", { mimeType: "image/png" }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "image/png", blob: pixel }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href: uri }, { id }) => {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
    return { contents: [{ uri, mimeType: "application/json", text: data }] };
  });
}

function registerPrompts(server: McpServer): void {
  const asUser = <Content>(content: Content): { role: "user"; content: Content } => ({ role: "user", content });
  server.registerPrompt("test_simple_prompt", { description: "Simple." }, () => ({
    messages: [asUser(text("This is a simple prompt for testing."))],
  }));
  const argsSchema = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt("test_prompt_with_arguments", { description: "Arguments.", argsSchema }, ({ arg1, arg2 }) => ({
    messages: [asUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }));
  const embedded = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A resource.", argsSchema: embedded },
    ({ resourceUri }) => ({
      messages: [
        asUser(resourceOf(resourceUri, "text/plain", "Embedded resource content for testing.")),
        asUser(text("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "An image." }, () => ({
    messages: [asUser(image), asUser(text("Please analyze the image above."))],
  }));
}
