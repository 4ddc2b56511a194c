/** A thin server that speaks OpenAI's `/v1/chat/completions` over a model in this process, on the loopback. */
import { createServer } from "node:http";

export async function serveModel(model) {
  const server = createServer((request, response) => {
    answer(model, request, response).catch((error) => {
      if (response.headersSent) response.destroy(error);
      else sendJson(response, 500, { error: { message: error.message } });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(model, request, response) {
  if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
    return sendJson(response, 404, { error: { message: `no ${request.method} ${request.url} here` } });
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { messages, response_format, stream } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const gone = new AbortController();
  response.on("close", () => gone.abort(new Error("the client went away")));
  const schema = response_format?.json_schema?.schema;
  if (schema !== undefined) {
    const [{ content: instruction }, { content: text }] = messages;
    const content = await model.complete({ instruction, text, schema, signal: gone.signal });
    return sendJson(response, 200, { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] });
  }
  const turns = messages.map(({ role, content }) => ({ role, text: content }));
  if (stream !== true) {
    const content = await model.reply(turns, () => {}, gone.signal);
    return sendJson(response, 200, { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] });
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta, finish_reason) =>
    response.write(`data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`);
  await model.reply(turns, (content) => send({ content }, null), gone.signal);
  send({}, "stop");
  response.end("data: [DONE]\n\n");
}

function sendJson(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
