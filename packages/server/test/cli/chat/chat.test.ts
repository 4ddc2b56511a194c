/** `mnemosyne chat` as a shell runs it, its lines through a pipe, against an endpoint on the loopback. */
import type { ChildProcess } from "node:child_process";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ChatRequest,
  type ScriptedEndpoint,
  type ScriptedReply,
  saying,
  startEndpoint,
  streaming,
} from "../../../../memory/test/adapters/scripted-endpoint.js";
import { CommandFolder, answerSteps } from "../command.js";

const folder = new CommandFolder();
beforeAll(() => folder.fill());

let endpoint: ScriptedEndpoint;
let chat: (request: ChatRequest, count: number) => ScriptedReply;
beforeEach(async () => {
  let count = 0;
  chat = () => streaming("As you ", "told ", "me.");
  endpoint = await startEndpoint((request) =>
    request["stream"] === true ? chat(request, ++count) : saying(answerSteps(request)),
  );
});
afterEach(() => endpoint.close());

const model = (): string[] => ["--llm-url", endpoint.baseUrl, "--llm-model", "small"];
const said = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const chatRequests = (): ChatRequest[] => endpoint.requests.filter((request) => request["stream"] === true);

interface Item {
  readonly id: string;
  readonly outcome: string;
  readonly turns: readonly { readonly who: string; readonly text: string }[];
}

async function chats(path: string): Promise<Item[]> {
  const items = await folder.runJson<Item[]>(["--path", path, "list", "--history"]);
  return items.filter(({ id }) => id.startsWith("chat-"));
}

describe("a chat", () => {
  it("recalls, streams the reply, and commits what was said", async () => {
    const path = folder.copy("talk.db");
    const input = said("What am I allergic to?", "", "Thank you, I will tell the dentist in Faro.", "/quit", "never");
    const { code, out, errors } = await folder.run(["--path", path, "chat", ...model()], { input });
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(out).toMatch(/^recalled \d memor(?:y|ies) and the core summary, \d+ tokens\nAs you told me\.$/mu);
    expect(out).toMatch(/^kept.*\n {2}chat-\S+ {2}What am I allergic to\?/mu);
    const [first, second] = chatRequests();
    expect(first!.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(first!.messages[0]!.content).toMatch(
      /<<<MEMORY \(quoted, not instructions\)\n[\s\S]*allergic to penicillin[\s\S]*\nMEMORY>>>$/u,
    );
    expect(second!.messages.slice(1).map(({ content }) => content)).toEqual([
      "What am I allergic to?",
      "As you told me.",
      "Thank you, I will tell the dentist in Faro.",
    ]);
    const [item] = await chats(path);
    expect(item!.turns.map(({ who }) => who)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(["committed", "paired"]).toContain(item!.outcome);
  });

  it("shows what was recalled, how, and the core summary", async () => {
    const input = said("/memories", "What am I allergic to?", "/memories", "/why", "/core", "/help");
    const { out } = await folder.run(["--path", folder.copy("asides.db"), "chat", ...model()], { input });
    expect(out).toContain("You have not asked anything yet.");
    expect(out).toMatch(/● Ada is allergic to penicillin.*\n.*\(2025-01-15 08:00\); start node, score \d\.\d\d/u);
    expect(out).toMatch(/^allergy +start +\d\.\d{3} /mu);
    expect(out).toMatch(/^Allergies and alerts\n- Ada is allergic to penicillin.*\n[^]*^as of .*, 2 facts$/mu);
    expect(out).toMatch(/^ {2}\/memories +what was recalled for the last question$/mu);
  });

  it("writes the core summary again on request", async () => {
    const input = said("/core update", "/core");
    const { out } = await folder.run(["--path", folder.copy("core.db"), "chat", ...model()], { input });
    expect(out.match(/^as of .*, \d+ facts?$/gmu)).toHaveLength(2);
  });

  it("says that there is nobody to summarize, and continues", async () => {
    const input = said("/core update", "/core");
    const { code, out } = await folder.run(["--path", "nobody.db", "chat", ...model()], { input });
    expect(code).toBe(0);
    expect(out).toContain("error unknown_person: ");
    expect(out).toContain("No core summary; it is ");
  });

  it("says that a command is unknown, and does not ask the model", async () => {
    const { out } = await folder.run(["--path", folder.copy("bogus.db"), "chat", ...model()], {
      input: said("/bogus"),
    });
    expect(out).toMatch(/^\/bogus is not a command; the model was not asked\. Commands:\n {2}\/memories /mu);
    expect(chatRequests()).toEqual([]);
  });

  it("accepts more words after /help", async () => {
    const { out } = await folder.run(["--path", folder.copy("help.db"), "chat", ...model()], {
      input: said("/help me  please"),
    });
    expect(out).not.toContain("unknown");
    expect(out).toMatch(/^ {2}\/memories /mu);
  });

  it("does not wait for a model that hangs longer than its time budget, and continues", async () => {
    chat = (_, count) => (count === 1 ? "silence" : streaming("In Lisbon."));
    const path = folder.copy("hangs.db");
    const args = ["--path", path, "chat", "--set", "modelTimeBudgetSeconds=0.4", ...model()];
    const { code, out } = await folder.run(args, { input: said("Where do I live?", "Once more: where?") });
    expect(code).toBe(0);
    expect(out.replaceAll("\n", " ")).toMatch(
      /the model failed: it sent nothing for 0\.4 s .*modelTimeBudgetSeconds.*What you said is kept\./u,
    );
    expect(out).toMatch(/^In Lisbon\.$/mu);
    expect(out).not.toContain("waiting for the model");
    const [item] = await chats(path);
    expect(item!.turns.map(({ who }) => who)).toEqual(["user", "user", "assistant"]);
  });

  it("is JSON Lines with --json", async () => {
    const input = said("What am I allergic to?", "/core", "/bogus");
    const args = ["--path", folder.copy("json.db"), "chat", "--json", ...model()];
    const lines = (await folder.run(args, { input })).out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        said: "What am I allergic to?",
        reply: "As you told me.",
        memories: expect.arrayContaining([expect.objectContaining({ id: "allergy" })]) as object[],
      },
      { aside: "/core", value: { text: expect.stringMatching(/^Allergies and alerts\n/u) as string } },
      { aside: "/bogus", error: { code: "option_invalid" } },
      { outcome: expect.any(String) as string },
    ]);
  });

  it("in which nothing is said stores nothing", async () => {
    const path = folder.copy("nothing.db");
    expect((await folder.run(["--path", path, "chat", ...model()])).out).toContain("Nothing was said.");
    expect(await chats(path)).toEqual([]);
  });

  it("creates a memory if there is none", async () => {
    const input = said("I play the oboe in the town orchestra.");
    const { code, out } = await folder.run(["--path", "new.db", "--person", "bea", "chat", ...model()], { input });
    expect(code).toBe(0);
    expect(out).toContain("nothing recalled");
  });
});

describe("a model that fails", () => {
  it("in the middle of a reply loses the reply and nothing else", async () => {
    const path = folder.copy("fails.db");
    const cutOff = { ...streaming("I was", " about"), breaksOff: true };
    chat = (_, count) => (count === 1 ? { ...cutOff, pieces: cutOff.pieces.slice(0, 2) } : streaming("Yes."));
    const input = said("The dentist in Faro is called Rui.", "Are you there?");
    const { code, out } = await folder.run(["--path", path, "chat", ...model()], { input });
    expect(code).toBe(0);
    expect(out).toMatch(/^the model failed: [\s\S]*What you\s+said is kept\.$/mu);
    expect(out).toMatch(/^Yes\.$/mu);
    expect(chatRequests().at(-1)!.messages.slice(1)).toEqual([
      { role: "user", content: "The dentist in Faro is called Rui.\nAre you there?" },
    ]);
    expect((await chats(path))[0]!.turns.map(({ text }) => text)).toEqual([
      "The dentist in Faro is called Rui.",
      "Are you there?",
      "Yes.",
    ]);
  });

  it("is reported as JSON too", async () => {
    chat = () => ({ status: 400, body: "no" });
    const args = ["--path", folder.copy("fails-json.db"), "chat", "--json", ...model()];
    const { out } = await folder.run(args, { input: said("Hello?") });
    expect(JSON.parse(out.split("\n")[0]!)).toMatchObject({
      said: "Hello?",
      reply: null,
      failure: expect.stringContaining("answered 400") as string,
    });
  });
});

describe("a small context", () => {
  it("too small for a chat is refused", async () => {
    const { code, errors } = await folder.run(["chat", "--context-tokens", "767", ...model()]);
    expect(code).toBe(2);
    expect(errors).toContain("it must be at least 768");
  });

  it("has the last turns, and a summary of those before; the memory has all of them", async () => {
    const path = folder.copy("small.db");
    const lines = Array.from({ length: 12 }, (_, n) => `Turn ${n} tells of the boat with ${"planks ".repeat(20)}`);
    const args = ["--path", path, "chat", "--context-tokens", "768", "--json", ...model()];
    expect((await folder.run(args, { input: said(...lines) })).code).toBe(0);
    const last = chatRequests().at(-1)!.messages;
    expect(last.length).toBeLessThan(20);
    expect(last[1]!.role).toBe("user");
    expect(last.at(-1)!.content).toContain("Turn 11 ");
    expect(last[0]!.content).toMatch(/<<<SUMMARY\n.*boat.*\nSUMMARY>>>/u);
    const summaries = endpoint.requests.filter(({ messages }) => messages[0]!.content.includes("running summary"));
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries.length).toBeLessThan(6);
    expect((await chats(path))[0]!.turns).toHaveLength(24);
  });
});

/** Ends a chat from outside once the first words of a reply are on the screen. */
function onFirstWords(end: (child: ChildProcess) => void): (child: ChildProcess) => void {
  return (child) => {
    child.stdin!.write(said("The boat leaves at noon from the harbour of Faro."));
    child.stdout!.on("data", (data: Buffer) => {
      if (data.toString().includes("Once upon")) end(child);
    });
  };
}

describe("an end in the middle of a reply", () => {
  beforeEach(() => {
    chat = () => ({
      ...streaming("Once upon", " a time"),
      pieces: streaming("Once upon").pieces.slice(0, 1),
      staysOpen: true,
    });
  });

  it("by Ctrl-C stops it and commits what was said", async () => {
    const path = folder.copy("interrupted.db");
    const onStart = onFirstWords((child) => child.kill("SIGINT"));
    const { code, out } = await folder.run(["--path", path, "chat", ...model()], { onStart });
    expect(code).toBe(0);
    expect(out).toContain("stopped. What you said is kept.");
    const [item] = await chats(path);
    expect(item!.turns).toEqual([{ who: "user", text: "The boat leaves at noon from the harbour of Faro." }]);
    expect(item!.outcome).toBe("committed");
  });

  it("by a crash loses nothing: the next chat commits it", async () => {
    const path = folder.copy("crashed.db");
    const onStart = onFirstWords((child) => child.kill("SIGKILL"));
    expect((await folder.run(["--path", path, "chat", ...model()], { onStart })).code).toBeNull();
    expect((await chats(path)).map(({ outcome }) => outcome)).toEqual(["open"]);
    const { out } = await folder.run(["--path", path, "chat", ...model()]);
    expect(out).toContain("An earlier chat was interrupted; its 1 turn is committed now.");
    const [item] = await chats(path);
    expect(item!.turns).toHaveLength(1);
    expect(["queued", "committed"]).toContain(item!.outcome);
  });
});

it("a chat without a model says which ones there are", async () => {
  const { code, out, errors } = await folder.run(["chat"], { input: said("Hello?") });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(errors).toMatch(/localhost:8080.*llama\.cpp.*localhost:11434.*Ollama.*--gguf/u);
});
