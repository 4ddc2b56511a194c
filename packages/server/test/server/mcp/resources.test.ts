/** The core summary and memories as resources, and the prompt. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpTestServer, connectTo, eras, startMcpServer } from "./mcp-server.js";

let server: McpTestServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.stop());

async function commit(person: string, id: string, text = "Something new."): Promise<void> {
  await server.mnemosyne.person(person).commit({ id, turns: [{ who: "user", text }], keep: true }, { wait: true });
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
