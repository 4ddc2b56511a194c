/** What models and servers say when they fail, without what they were sent. */
import { Mnemosyne } from "mnemosyne-edge";
import { expect, it, onTestFinished } from "vitest";
import { withoutQuotes } from "../../src/engine/without-quotes.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";

const secret = "Zanzibar told nobody about the amethyst.";

it("leaves out every stretch that was sent, and nothing else", () => {
  expect(withoutQuotes(`cannot read "${secret}" at 5`, [`user: ${secret}`])).toBe('cannot read "[…]" at 5');
  expect(withoutQuotes(`bad: ${secret.slice(0, 20)}…`, [secret])).toBe("bad: […]…");
  expect(withoutQuotes("connection refused", [secret])).toBe("connection refused");
  expect(withoutQuotes("told nobody", [secret])).toBe("told nobody");
  expect(withoutQuotes("x".repeat(900), [])).toHaveLength(500);
});

it("an embedder's error reaches neither the caller nor the log with what was said", async () => {
  class Quoting extends HashingEmbedder {
    override embed(texts: readonly string[]): Promise<Float32Array[]> {
      return texts.some((text) => text.includes("amethyst"))
        ? Promise.reject(new Error(`cannot embed ${JSON.stringify(texts)}`))
        : super.embed(texts);
    }
  }
  const messages: string[] = [];
  const memories: Mnemosyne = await openMemories({
    path: ":memory:",
    embedder: new Quoting(),
    log: ({ message, cause }) => messages.push(`${message} ${cause instanceof Error ? cause.message : ""}`),
  });
  const memory = memories.person("ada");
  await memory.commit({ summary: secret });
  const failure = await memory.settled().catch((error: unknown) => error as Error);
  expect((failure as Error).message).toMatch(/^embedder "\S+" failed: Error: cannot embed /u);
  expect([...messages, (failure as Error).message].join("\n")).not.toMatch(/amethyst/u);
});

it("a model's error reaches neither the log nor the trace with what was said", async () => {
  const messages: string[] = [];
  const memories = await Mnemosyne.open({
    path: ":memory:",
    embedder: new HashingEmbedder(),
    reader: false,
    parameters: { substanceThreshold: -10 },
    languageModel: { name: "quoting", complete: ({ text }) => Promise.reject(new Error(`400: ${text.slice(-60)}`)) },
    log: ({ message }) => messages.push(message),
  });
  onTestFinished(() => memories.close());
  await memories.person("ada").commit({ summary: secret });
  await memories.settled();
  expect(messages.join("\n")).toMatch(/400/u);
  expect(messages.join("\n")).not.toMatch(/amethyst/u);
});
