/** Messages of every shape become turns. The samples are written by hand after the types that the packages document. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInteraction } from "../../src/engine/commit-input.js";
import { parseParameters } from "../../src/parameters.js";

const nowMs = Date.parse("2025-05-01T10:00:00Z");
const reading = { parameters: parseParameters(), timeZone: "Europe/Lisbon", clock: { nowMs: () => nowMs } };
const read = (input: unknown): unknown => readInteraction(input as string, reading);
const turnsOf = (input: unknown): [who: string, text: string][] =>
  readInteraction(input as string, reading).turns!.map(({ who, text }) => [who, text]);

const weather = { city: "Lisbon" };
const called = '[called get_weather {"city":"Lisbon"}]';

it("a text is what the user says", () => {
  expect(read("I moved to Lisbon.")).toEqual({ turns: [{ who: "user", text: "I moved to Lisbon." }] });
});

it("turns of our own stay as they are, next to messages", () => {
  const turns = [
    { who: "system", text: "Said in so many words." },
    { role: "user", content: "Hello." },
    { who: "Bea", text: "" },
  ];
  expect(turnsOf({ turns })).toEqual([
    ["system", "Said in so many words."],
    ["user", "Hello."],
    ["Bea", ""],
  ]);
  expect(turnsOf(turns)).toEqual(turnsOf({ messages: turns }));
});

it("OpenAI's chat messages are texts, parts, calls, and what tools returned", () => {
  const messages = [
    { role: "developer", content: "Be brief." },
    { role: "system", content: [{ type: "text", text: "Be kind." }] },
    { role: "user", name: "Ada", content: "What is the weather?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "get_weather", arguments: JSON.stringify(weather) } },
        { id: "c2", type: "custom", custom: { name: "look", input: "out of the window" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: '{"celsius":21}' },
    {
      role: "tool",
      tool_call_id: "c2",
      content: [
        { type: "text", text: "blue" },
        { type: "text", text: "sky" },
      ],
    },
    { role: "assistant", name: "weather-agent", content: "It is warm.", refusal: null },
    {
      role: "user",
      content: [
        { type: "text", text: "And here?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        { type: "file", file: { filename: "plan.pdf", file_data: "AAAA" } },
      ],
    },
    { role: "assistant", content: [{ type: "refusal", refusal: "I cannot say." }] },
    { role: "assistant", content: null, refusal: "Nor that." },
    { role: "assistant", content: null, audio: { id: "a1", transcript: "Spoken." } },
  ];
  expect(turnsOf(messages)).toEqual([
    ["Ada", "What is the weather?"],
    ["assistant", `${called}\n[called look out of the window]`],
    ["assistant", '[get_weather returned {"celsius":21}]'],
    ["assistant", "[look returned blue sky]"],
    ["assistant", "It is warm."],
    ["user", "And here?\n[image]\n[audio]\n[file plan.pdf]"],
    ["assistant", "I cannot say."],
    ["assistant", "Nor that."],
    ["assistant", "Spoken."],
  ]);
});

it("Anthropic's messages are texts and blocks; what a tool returned is not what the user says", () => {
  const messages = [
    { role: "user", content: "What is the weather?" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Let me see.", signature: "x" },
        { type: "redacted_thinking", data: "x" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "t1", name: "get_weather", input: weather },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "t1",
          content: [
            { type: "text", text: "21 degrees" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
        { type: "text", text: "And tomorrow?" },
        { type: "document", title: "Forecast", source: { type: "url", url: "https://example.com/f.pdf" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "rain" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "s1",
          content: [{ type: "web_search_result", title: "Rain" }],
        },
        { type: "text", text: "Rain.", citations: null },
      ],
    },
  ];
  expect(turnsOf(messages)).toEqual([
    ["user", "What is the weather?"],
    ["assistant", `Let me look.\n${called}`],
    ["assistant", "[get_weather returned 21 degrees [image]]"],
    ["user", "And tomorrow?\n[document Forecast]"],
    ["assistant", '[called web_search {"query":"rain"}]\n[web_search returned [source Rain]]\nRain.'],
  ]);
});

it("the AI SDK's UI messages have parts", () => {
  const messages = [
    {
      id: "1",
      role: "user",
      parts: [
        { type: "text", text: "Look." },
        { type: "file", mediaType: "image/png", filename: "dog.png", url: "data:image/png;base64,AAAA" },
        { type: "file", mediaType: "application/pdf", url: "https://example.com/a.pdf" },
        { type: "data-weather", id: "d", data: { a: 1 } },
      ],
    },
    {
      id: "2",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hm." },
        {
          type: "tool-get_weather",
          toolCallId: "c1",
          state: "output-available",
          input: weather,
          output: { celsius: 21, at: undefined },
        },
        { type: "tool-look", toolCallId: "c2", state: "output-error", input: {}, errorText: "it is dark" },
        { type: "dynamic-tool", toolName: "ask", toolCallId: "c3", state: "input-available", input: [1, "a", null] },
        { type: "source-url", sourceId: "s", url: "https://example.com/dogs", title: "Dogs" },
        { type: "source-document", sourceId: "s", mediaType: "text/plain", title: "Breeds", filename: "breeds.txt" },
        { type: "text", text: "A beagle.", state: "done" },
      ],
    },
  ];
  expect(turnsOf(messages)).toEqual([
    ["user", "Look.\n[image dog.png]\n[file]"],
    [
      "assistant",
      [
        called,
        '[get_weather returned {"celsius":21}]',
        "[called look]",
        "[look failed: it is dark]",
        '[called ask [1,"a",null]]',
        "[source Dogs]",
        "[source breeds.txt]",
        "A beagle.",
      ].join("\n"),
    ],
  ]);
});

describe("what is noted", () => {
  it("is the kind of what has no JSON", () => {
    const circular: Record<string, unknown> = { a: 1 };
    circular["self"] = circular;
    const inputs = [circular, { n: 5n }, { bytes: new Uint8Array(9), when: new Date(0) }];
    const notes = inputs.map((input) =>
      turnsOf([{ role: "assistant", content: [{ type: "tool_use", name: "f", input }] }]),
    );
    expect(notes.map(([turn]) => turn![1])).toEqual([
      "[called f an object]",
      "[called f an object]",
      '[called f {"bytes":"(bytes)","when":"1970-01-01T00:00:00.000Z"}]',
    ]);
  });

  it("is JSON as the platform writes it, where it is short", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), (value) => {
        const json = JSON.stringify(value);
        fc.pre(json.length < 150 && !/\s\s|[\p{Cc}\s]$|^"|\\u/u.test(json) && !["{}", "null"].includes(json));
        const content = [{ type: "tool_use", name: "f", input: value }];
        const [[, text]] = turnsOf([{ role: "assistant", content }]) as [[string, string]];
        expect(text).toBe(`[called f ${json}]`);
      }),
    );
  });

  it("is a part that nobody knows yet, by its type or its text", () => {
    const content = [{ type: "hologram", data: 5 }, { type: "poem", text: "Roses." }, {}, "plain"];
    expect(turnsOf([{ role: "user", content }])).toEqual([["user", "[hologram]\nRoses.\n[part]\nplain"]]);
  });
});

describe("what says nothing", () => {
  it("is left out", () => {
    const messages = [
      { role: "user", content: "Hello." },
      { role: "assistant", content: "" },
      { role: "assistant", content: null },
      { role: "assistant", content: [{ type: "reasoning", text: "Hm." }] },
      { role: "assistant", content: [] },
      { role: "assistant", parts: [] },
    ];
    expect(turnsOf(messages)).toEqual([["user", "Hello."]]);
  });

  it("is refused where there is nothing else", () => {
    const system = [{ role: "system", content: "Be brief." }];
    const message =
      "these are messages of the system only, which nobody said; commit what the user and the assistant say";
    for (const input of [system, { messages: system }, { turns: system }]) {
      expect(() => read(input)).toThrow(expect.objectContaining({ code: "interaction_empty", message }));
    }
    expect(read({ messages: system, summary: "A prompt." })).toEqual({ turns: [], summary: "A prompt." });
  });
});

describe("when it was", () => {
  const at = (message: object, fields: object = {}): unknown => {
    const messages = [
      { role: "user", content: "Hello.", createdAt: "2025-01-01" },
      { role: "assistant", content: "Hi.", ...message },
    ];
    return (readInteraction({ messages, ...fields }, reading) as { at?: unknown }).at;
  };
  const noonMs = Date.parse("2025-03-01T12:00:00Z");

  it.each([
    ["a text", { createdAt: "2025-03-01T12:00:00Z" }, noonMs],
    ["a text without a zone, in the memory's", { timestamp: "2025-04-01T12:00" }, Date.parse("2025-04-01T11:00:00Z")],
    ["a Date", { createdAt: new Date(noonMs) }, noonMs],
    ["milliseconds", { timestamp: noonMs }, noonMs],
    ["seconds", { timestamp: noonMs / 1000 }, noonMs],
    ["in the metadata", { metadata: { createdAt: noonMs } }, noonMs],
    ["ahead of the clock, which is now", { createdAt: nowMs + 1 }, nowMs],
    ["nowhere in the last message", {}, undefined],
    ["not to be read", { createdAt: "yesterday" }, undefined],
    ["null", { createdAt: null }, undefined],
  ])("is what the last message says: %s", (_, message, expected) => expect(at(message)).toBe(expected));
});

describe("near misses say what to write:", () => {
  const forms = /write commit\("…"\), commit\(\{ text: "…" \}\) or commit\(\[\{ role: "user", content: "…" \}\]\)/u;
  const form = /turns take who and text; role and content work too/u;
  it.each<[unknown, RegExp]>([
    [{ role: "user", content: "Hello." }, /^the fields of an interaction have no "role"; there are: id, at, text, /u],
    [5, forms],
    [["Hello.", "Hi."], form],
    [["Hello."], /commitMany takes a list of texts$/u],
    [{ turns: "Hello." }, /^turns must be an array, not a text of 6 characters$/u],
    [
      { turns: [{ speaker: "user", text: "Hello." }] },
      /^the fields of turn 1 have no "speaker"; there are: who, text$/u,
    ],
    [[{ type: "human", content: "Hello." }], /^the fields of message 1 have no "type"; there are: who, text$/u],
    [[{ role: "user", content: "Hi." }, "Hello."], /^message 2 must be an object, not a text of 6 characters; turns/u],
    [[{ role: "user", content: 5 }], /^the content of message 1 is 5; it must be text or a list of parts$/u],
    [[{ role: "user", content: [{ type: "text" }] }], /^part 1 of the content of message 1 has the type text and no/u],
    [{ turns: [], messages: [] }, /^the interaction has turns and messages, which are the same; give one$/u],
  ])("%j", (input, message) => {
    expect(() => read(input)).toThrow(message);
    expect(() => read(input)).toThrow(expect.objectContaining({ code: "interaction_invalid" }));
  });
});
