/** forget_all_memories asks the user where the client can, and wants the name of the person where it cannot. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { type McpTestServer, call, connectTo, eras, startMcpServer } from "./mcp-server.js";

let server: McpTestServer;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.stop());

async function countOf(person: string): Promise<number> {
  return (
    await server.mnemosyne
      .person(person)
      .history()
      .catch(() => [])
  ).length;
}

describe("a client that can ask the user", () => {
  const person = "ada";
  beforeEach(async () => {
    await server.mnemosyne.person(person).commit({ id: "one", summary: "Something.", keep: true }, { wait: true });
  });

  async function forgetAll(answer: ElicitResult, args: Record<string, unknown> = {}): Promise<[string[], string]> {
    const { client } = await connectTo(server.url, {
      era: "2026",
      person,
      capabilities: { elicitation: { form: {} } },
    });
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return answer;
    });
    const { text } = await call(client, "forget_all_memories", args);
    await client.close();
    return [questions, text];
  }

  it("asks, and forgets if the user agrees", async () => {
    const [questions, text] = await forgetAll({ action: "accept", content: { forget: true } });
    expect(questions).toEqual([expect.stringContaining(`"${person}" (memories: 1)? This cannot be undone.`)]);
    expect(text).toContain("Forgotten for good");
    expect(await countOf(person)).toBe(0);
    expect(server.audit.slice(-2)).toMatchObject([
      { action: "forget", operation: "forget_all_memories", outcome: "asked" },
      { action: "forget", operation: "forget_all_memories", outcome: "ok", ids: ["one"] },
    ]);
  });

  it.each<ElicitResult>([
    { action: "decline" },
    { action: "cancel" },
    { action: "accept", content: { forget: false } },
    { action: "accept", content: {} },
  ])("forgets nothing on %j, whatever the model put into confirm", async (answer) => {
    const [questions, text] = await forgetAll(answer, { confirm: person });
    expect(questions).toHaveLength(1);
    expect(text).toMatch(/^not_allowed: Nothing was forgotten/u);
    expect(await countOf(person)).toBe(1);
  });
});

describe.each(eras)("a client of %s that cannot ask", (era) => {
  const person = `${era}-ada`;
  it("needs the name of the person", async () => {
    await server.mnemosyne.person(person).commit({ id: "one", summary: "Something.", keep: true }, { wait: true });
    const { client } = await connectTo(server.url, { era, person });
    const first = await call(client, "forget_all_memories");
    expect(first).toMatchObject({ isError: true });
    expect(first.text).toContain(`call it again with {"confirm": "${person}"}`);
    expect(await call(client, "forget_all_memories", { confirm: "yes" })).toMatchObject({ isError: true });
    expect(await countOf(person)).toBe(1);
    const second = await call(client, "forget_all_memories", { confirm: person });
    expect(second).toMatchObject({ isError: false, structured: { forgotten: ["one"] } });
    expect(await countOf(person)).toBe(0);
    await client.close();
  });
});
