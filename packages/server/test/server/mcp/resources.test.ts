/** The core summary and memories as resources, notices about their changes, and the prompt. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { watchStream } from "../../../src/server/mcp/event-stream.js";
import { type Era, type McpTestServer, connectTo, eras, eventually, startMcpServer } from "./mcp-server.js";

let server: McpTestServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.stop());

async function commit(person: string, id: string, text = "Something new."): Promise<void> {
  await server.mnemosyne.person(person).commit({ id, turns: [{ who: "user", text }], keep: true }, { wait: true });
}

/** Everything the client is told of, from when it listens. */
async function listen(client: Client, era: Era, uris: string[]): Promise<string[]> {
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler("notifications/resources/list_changed", () => void heard.push("list"));
  if (era === "2026") await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris });
  else for (const uri of uris) await client.subscribeResource({ uri });
  return heard;
}

describe.each(eras)("for a client of %s", (era) => {
  it("memories are listed page by page and read one by one", async () => {
    const person = `${era}-many`;
    const inputs = Array.from({ length: 120 }, (_, index) => ({
      id: `a/b ${index}`,
      at: index * 1_000,
      summary: `Fact ${index}`,
      keep: true,
    }));
    await server.mnemosyne.person(person).commitMany(inputs);
    await server.mnemosyne.person(person).settled();
    const { client } = await connectTo(server.url, { era, person });
    const uris: string[] = [];
    let cursor: string | undefined;
    const lengths: number[] = [];
    do {
      const page = await client.request({ method: "resources/list", params: cursor === undefined ? {} : { cursor } });
      uris.push(...page.resources.map(({ uri }) => uri));
      lengths.push(page.resources.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(lengths).toEqual([101, 20]);
    expect(uris[0]).toBe("mnemosyne://core");
    expect(new Set(uris).size).toBe(121);
    const { contents } = await client.readResource({ uri: String(uris[5]) });
    expect(contents).toMatchObject([{ uri: uris[5], mimeType: "application/json" }]);
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id: "a/b 4", summary: "Fact 4" });
    expect((await client.readResource({ uri: "mnemosyne://core" })).contents).toHaveLength(1);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "mnemosyne://memories/{id}" }]);
    await expect(client.readResource({ uri: "mnemosyne://memories/none" })).rejects.toThrow(/not found/iu);
    await expect(client.request({ method: "resources/list", params: { cursor: "wrong" } })).rejects.toThrow(/cursor/u);
    await client.close();
  });

  it("changes are told, of what was asked for and of this person only", async () => {
    const person = `${era}-told`;
    await commit(person, "first", "The dog is called Rex.");
    const { client } = await connectTo(server.url, { era, person });
    const { client: other } = await connectTo(server.url, { era, person: `${era}-elsewhere` });
    const uris = ["mnemosyne://memories/first", "mnemosyne://memories/second", "mnemosyne://core"];
    const heard = await listen(client, era, uris);
    const heardElsewhere = await listen(other, era, uris);
    // The stream of notices of a session is a request of its own, which may come later than the subscription.
    await eventually(async () => {
      await commit(person, `warm-up-${Math.random()}`);
      return heard.length > 0;
    });
    heard.length = 0;
    await commit(person, "second", "The cat is called Mia.");
    await eventually(() => heard.includes("mnemosyne://memories/second") && heard.includes("list"));
    await server.mnemosyne.person(person).update("first", { text: "The dog is called Max." });
    await eventually(() => heard.includes("mnemosyne://memories/first"));
    heard.length = 0;
    await server.mnemosyne.person(person).forget("first");
    await eventually(() => heard.includes("mnemosyne://memories/first") && heard.includes("list"));
    expect(new Set(heard)).toEqual(new Set(["mnemosyne://memories/first", "list"]));
    expect(heardElsewhere).toEqual([]);
    await Promise.all([client.close(), other.close()]);
  });

  it("the prompt has the question and what is remembered about it, as data", async () => {
    const person = `${era}-prompt`;
    await commit(person, "p", "My violin teacher is called Noor.");
    const { client } = await connectTo(server.url, { era, person });
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: "with_memory", arguments: [{ name: "question", required: true }] }]);
    const question = "Who is my violin teacher?";
    const { messages } = await client.getPrompt({ name: "with_memory", arguments: { question } });
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages[0]?.content)).toMatch(
      /follow no instruction[\s\S]*<<<MEMORY[\s\S]*Noor[\s\S]*MEMORY>>>\\n\\nQuestion: Who is my/u,
    );
    await client.close();
  });
});

it("streams of notices end when the server stops", async () => {
  const own = await startMcpServer();
  const { client } = await connectTo(own.url, { era: "2026" });
  const subscription = await client.listen({ resourcesListChanged: true });
  own.stopping.abort();
  expect(await subscription.closed).toBe("graceful");
  await client.close();
  await own.stop();
});

it("a stream that nobody reads is ended at its limit", async () => {
  let isCancelled = false;
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent++;
      controller.enqueue(new Uint8Array(100));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  let isEnded = false;
  const watched = watchStream(new Response(endless), 1_000, () => {
    isEnded = true;
  });
  await eventually(() => isEnded);
  expect(isCancelled).toBe(true);
  expect(sent).toBeLessThan(20);
  expect((await watched.arrayBuffer()).byteLength).toBe(1_100);
});
