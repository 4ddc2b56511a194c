/** The parts that read: instructions that are added, events in pieces, and turns that are new. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatCompletions } from "../../../src/server/proxy/chat-completions.js";
import { messages as anthropic } from "../../../src/server/proxy/messages.js";
import { responses } from "../../../src/server/proxy/responses.js";
import { ReplyReader } from "../../../src/server/proxy/reply-reader.js";
import { lastQuestion, readSaidTurns, readTurns } from "../../../src/server/proxy/said-turns.js";
import { EventReader } from "../../../src/server/proxy/server-sent-events.js";
import { findNewTurns } from "../../../src/server/proxy/turn-matching.js";

const added = 'Data: "x"\n\\ <<<MEMORY\u2028';
const members = fc.dictionary(
  fc.string().filter((name) => !["messages", "system", "instructions", "__proto__"].includes(name)),
  fc.jsonValue(),
);

describe("instructions that are added", () => {
  const content = fc.oneof(fc.string(), fc.array(fc.record({ type: fc.constant("text"), text: fc.string() })));
  const message = fc.record({ role: fc.constantFrom("system", "developer", "user", "assistant"), content });

  it("change one message of a chat, or come before all", () => {
    fc.assert(
      fc.property(members, fc.array(message), (others, messages) => {
        const [first, ...rest] = messages;
        const isInstruction = first?.role === "system" || first?.role === "developer";
        const expected = !isInstruction
          ? [{ role: "system", content: added }, ...messages]
          : typeof first.content === "string"
            ? [{ ...first, content: `${first.content}\n\n${added}` }, ...rest]
            : [{ ...first, content: [...first.content, { type: "text", text: added }] }, ...rest];
        expect(chatCompletions.addInstructions({ ...others, messages }, added)).toEqual({
          ...others,
          messages: expected,
        });
      }),
    );
  });

  it.each([
    ["instructions", responses],
    ["system", anthropic],
  ] as const)("come after those in %s", (name, shape) => {
    fc.assert(
      fc.property(members, fc.option(fc.string({ minLength: 1 })), (others, text) => {
        const changed = shape.addInstructions({ ...others, [name]: text }, added);
        expect(changed).toEqual({ ...others, [name]: text === null ? added : `${text}\n\n${added}` });
      }),
    );
  });
});

describe("events", () => {
  function read(pieces: readonly string[]): string[] {
    const found: string[] = [];
    const reader = new EventReader((data) => found.push(data));
    for (const piece of pieces) reader.add(piece);
    reader.end();
    return found;
  }

  it("are the same however they are cut and however their lines end", () => {
    const text = ": hello\n\nevent: a\ndata: one\ndata:two\n\n\nid: 1\n\ndata: three";
    const expected = ["one\ntwo", "three"];
    fc.assert(
      fc.property(fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat({ max: 12 })), (end, sizes) => {
        let rest = text.replaceAll("\n", end);
        const pieces = sizes.map((size) => {
          const piece = rest.slice(0, size);
          rest = rest.slice(size);
          return piece;
        });
        expect(read([...pieces, rest])).toEqual(expected);
      }),
    );
  });

  it("that are too long are passed over, and the next one is read", () => {
    const long = "x".repeat(300_000);
    expect(read(["data: ", long, long, long, long, "\n\ndata: next\n\n"])).toEqual(["next"]);
    expect(read([...[1, 2, 3, 4].map(() => `data: ${long}\n`), "\ndata: next\n\n"])).toEqual(["next"]);
  });
});

/** A client that shows a tree of messages: it goes on, asks again, edits, and goes back to other branches. */
describe("turns that are new", () => {
  const steps = fc.array(fc.record({ branch: fc.nat(), cut: fc.nat({ max: 3 }), isRepeated: fc.boolean() }), {
    maxLength: 30,
  });

  it("are each stored once, in whichever branch the client goes on", () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 3 }), (walk, skippedPairs) => {
        const before = Array.from({ length: skippedPairs }, (_, i) => [
          { role: "user", content: `before ${i}` },
          { role: "assistant", content: `reply before ${i}` },
        ]).flat();
        const branches: { role: string; content: string }[][] = [before];
        const stored: { who: string; text: string }[] = [];
        const told: string[] = [];
        let count = 0;
        for (const { branch, cut, isRepeated } of walk) {
          const base = branches[branch % branches.length]!;
          const shown = base.slice(0, Math.max(before.length, base.length - 2 * cut));
          const asked =
            isRepeated && base[shown.length] !== undefined ? base[shown.length]!.content : `question ${++count}`;
          if (!told.includes(asked)) told.push(asked);
          const sent = [...shown, { role: "user", content: asked }];
          const said = readSaidTurns(sent, 100_000);
          stored.push(...findNewTurns(said, stored, { skipped: before.length, position: null }).turns);
          const reply = `answer ${++count}`;
          stored.push({ who: "assistant", text: reply });
          branches.push([...sent, { role: "assistant", content: reply }]);
        }
        expect(stored.filter(({ who }) => who === "user").map(({ text }) => text)).toEqual(told);
        expect(new Set(stored.map(({ text }) => text)).size).toBe(stored.length);
      }),
    );
  });
});

describe("whatever is sent", () => {
  const names =
    "messages input role content type text system instructions user metadata user_id choices delta index tool_calls function name arguments output item response id output_index content_block partial_json refusal message function_call conversation previous_response_id call_id parts";
  const words = [
    "user",
    "assistant",
    "system",
    "tool",
    "text",
    "input_text",
    "message",
    "function_call",
    "tool_use",
    "tool_result",
    "reasoning",
  ];
  const types = [
    "content_block_start",
    "content_block_delta",
    "response.output_text.delta",
    "response.output_item.done",
  ];
  const value = fc.object({
    key: fc.constantFrom(...names.split(" ")),
    values: [
      fc.constantFrom(...words, ...types),
      fc.string(),
      fc.integer({ min: -1, max: 3 }),
      fc.constant(null),
      fc.double(),
    ],
    maxDepth: 5,
    maxKeys: 6,
  });
  const shapes = [chatCompletions, responses, anthropic];

  it("a request can be read", () => {
    const body = fc.oneof(
      value as fc.Arbitrary<Readonly<Record<string, unknown>>>,
      fc.array(value).map((messages) => ({ messages, input: messages })),
    );
    fc.assert(
      fc.property(body, fc.constantFrom(...shapes), (sent, shape) => {
        const { messages } = shape.readRequest(sent);
        for (const { who, text } of readSaidTurns(messages, 1_000))
          expect([typeof who, typeof text]).toEqual(["string", "string"]);
        lastQuestion(messages);
        shape.addInstructions(sent, added);
      }),
      { numRuns: 2_000 },
    );
  });

  it("a reply can be read, whole, in pieces and packed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(value),
        fc.constantFrom(...shapes),
        fc.constantFrom("json", "events"),
        fc.constantFrom("", "gzip", "br", "zstd"),
        async (events, shape, kind, contentEncoding) => {
          const text =
            kind === "json"
              ? JSON.stringify(events[0] ?? {})
              : events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
          const contentType = kind === "json" ? "application/json" : "text/event-stream";
          const reader = new ReplyReader(shape.createReply(), { contentType, contentEncoding });
          const bytes = contentEncoding === "gzip" ? gzipSync(text) : Buffer.from(text);
          for (let i = 0; i < bytes.length; i += 50) reader.add(bytes.subarray(i, i + 50));
          expect(Array.isArray(readTurns(reader.end(), 1_000))).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
