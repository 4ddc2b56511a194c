/** Which conversation a chat belongs to, and which turns of it are new. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mnemosyne } from "../../../../memory/src/index.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { ProxyServer, eventually } from "./proxy-server.js";
import {
  ScriptedUpstream,
  anthropicMessage,
  chatMessage,
  completion,
  json,
  responseBody,
  responseMessage,
} from "./scripted-upstream.js";

const scratch = new ScratchFolder();
let upstream: ScriptedUpstream;
let proxy: ProxyServer;
let person = "";
let personCount = 0;

beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
  proxy = await ProxyServer.start({ path: scratch.next(), upstream: { url: upstream.origin } });
});
afterAll(async () => {
  await proxy.stop();
  await upstream.stop();
});
beforeEach(() => {
  person = `person ${++personCount}`;
});

interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
}

const user = (content: unknown): ChatMessage => ({ role: "user", content });
const assistant = (content: unknown): ChatMessage => ({ role: "assistant", content });

/** Sends a chat, waits until its reply is stored, and returns the conversation's id. */
async function chat(
  messages: readonly object[],
  reply: string,
  headers: Record<string, string> = {},
  on: ProxyServer = proxy,
): Promise<string> {
  upstream.answer = completion(reply);
  const body = { user: person, messages };
  const response = await on.post("/v1/chat/completions", body, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get("mnemosyne-commit")).toBe("stored");
  await response.arrayBuffer();
  await settle(on);
  return response.headers.get("mnemosyne-conversation")!;
}

/** All that was sent has been stored. */
async function settle(on: ProxyServer): Promise<void> {
  await eventually(
    () => on.audited.filter(({ action }) => action === "commit").length,
    (count) => count === on.postCount,
  );
}

describe("a chat", () => {
  it("that goes on is one conversation, and each turn is stored once", async () => {
    const first = await chat([user("I row on Sundays.")], "Nice.");
    const messages = [user("I row on Sundays."), assistant("Nice."), user("With my brother Tom.")];
    const second = await chat(messages, "How is Tom?");
    await chat([...messages, assistant("How is Tom?"), user("He is well.")], "Good.");
    expect(second).toBe(first);
    expect(await proxy.said(person)).toEqual([
      [
        "user: I row on Sundays.",
        "assistant: Nice.",
        "user: With my brother Tom.",
        "assistant: How is Tom?",
        "user: He is well.",
        "assistant: Good.",
      ],
    ]);
  });

  it("keeps nothing of the system's and nothing that the proxy added", async () => {
    await proxy.mnemosyne
      .person(person)
      .commit({ turns: [{ who: "user", text: "My boat is called Gull." }], keep: true }, { wait: true });
    const system = { role: "system", content: "SECRET RULES" };
    await chat([system, user("What is my boat called?")], "Gull.");
    expect(upstream.last.text).toContain("<<<MEMORY");
    expect(upstream.last.text).toContain("My boat is called Gull.");
    const exported: string[] = [];
    for await (const line of proxy.mnemosyne.person(person).export()) exported.push(line);
    expect(exported.join("\n")).toContain("What is my boat called?");
    expect(exported.join("\n")).not.toMatch(/<<<|>>>|‹‹‹|SECRET|not instructions|is remembered from earlier/u);
  });

  it("keeps nothing of it even if the model repeats it", async () => {
    const turns = [{ who: "user", text: "My boat is called Gull." }];
    await proxy.mnemosyne.person(person).commit({ turns, keep: true }, { wait: true });
    upstream.answer = (response, asked) =>
      completion(`You told me: ${asked.json.messages[0].content} So, Gull.`)(response, asked);
    const first = user("What is my boat called?");
    const body = { user: person, messages: [first] };
    const { choices } = (await (await proxy.post("/v1/chat/completions", body)).json()) as {
      choices: { message: ChatMessage }[];
    };
    expect(choices[0]!.message.content).toContain("<<<MEMORY");
    await settle(proxy);
    await chat([first, choices[0]!.message, user("Thanks.")], "Welcome.");
    const [, said] = await proxy.said(person);
    expect(said).toEqual([
      "user: What is my boat called?",
      "assistant: You told me: \n So, Gull.",
      "user: Thanks.",
      "assistant: Welcome.",
    ]);
  });

  it("whose answer is asked for again keeps both answers, and the question once", async () => {
    await chat([user("Name a bird.")], "Gull.");
    await chat([user("Name a bird.")], "Heron.");
    await chat([user("Name a bird.")], "Heron.");
    await chat([user("Name a bird."), assistant("Heron."), user("Another.")], "Swift.");
    expect(await proxy.said(person)).toEqual([
      ["user: Name a bird.", "assistant: Gull.", "assistant: Heron.", "user: Another.", "assistant: Swift."],
    ]);
  });

  it("with an edited message adds that message only, in whichever branch it goes on", async () => {
    const start = [user("Plan my week."), assistant("Which days?")];
    await chat([start[0]!], "Which days?");
    const left = [...start, user("Monday."), assistant("Swim.")];
    await chat(left.slice(0, 3), "Swim.");
    const right = [...start, user("Tuesday."), assistant("Row.")];
    await chat(right.slice(0, 3), "Row.");
    await chat([...left, user("And then?")], "Rest.");
    await chat([...right, user("And after that?")], "Sleep.");
    expect(await proxy.said(person)).toEqual([
      [
        "user: Plan my week.",
        "assistant: Which days?",
        "user: Monday.",
        "assistant: Swim.",
        "user: Tuesday.",
        "assistant: Row.",
        "user: And then?",
        "assistant: Rest.",
        "user: And after that?",
        "assistant: Sleep.",
      ],
    ]);
  });

  it("with another beginning is another conversation", async () => {
    const first = await chat([user("I like tea.")], "Good.");
    const second = await chat([user("I like coffee.")], "Good.");
    expect(second).not.toBe(first);
    await chat([user("I like tea."), assistant("Good."), user("Green tea.")], "Fine.");
    expect(await proxy.said(person)).toEqual([
      ["user: I like tea.", "assistant: Good.", "user: Green tea.", "assistant: Fine."],
      ["user: I like coffee.", "assistant: Good."],
    ]);
  });

  it("that says the same again later stores it again", async () => {
    const messages = [user("yes"), assistant("ok"), user("yes")];
    await chat(messages.slice(0, 1), "ok");
    await chat(messages, "ok");
    await chat([...messages, assistant("ok"), user("yes")], "ok");
    expect(await proxy.said(person)).toEqual([
      ["user: yes", "assistant: ok", "user: yes", "assistant: ok", "user: yes", "assistant: ok"],
    ]);
  });

  it("that began elsewhere is stored from here on", async () => {
    const messages = [user("u1"), assistant("a1"), user("u2")];
    await chat(messages, "a2");
    await chat([...messages, assistant("a2"), user("u1")], "a1");
    await chat([...messages, assistant("a2"), user("u1"), assistant("a1"), user("u4")], "a4");
    expect(await proxy.said(person)).toEqual([
      ["user: u2", "assistant: a2", "user: u1", "assistant: a1", "user: u4", "assistant: a4"],
    ]);
  });

  it("of which the client leaves out the beginning goes on", async () => {
    const messages = [user("u1"), assistant("a1"), user("u2"), assistant("a2"), user("u3")];
    await chat(messages.slice(0, 1), "a1");
    await chat(messages.slice(0, 3), "a2");
    await chat(messages.slice(2), "a3");
    expect(await proxy.said(person)).toEqual([
      ["user: u1", "assistant: a1", "user: u2", "assistant: a2", "user: u3", "assistant: a3"],
    ]);
  });

  it("whose answer the client sends back in other words keeps the one that came", async () => {
    await chat([user("u1")], "<think>hm</think>A  long\nanswer");
    await chat([user("u1"), assistant("answer"), user("u2")], "a2");
    await chat([user("u1"), assistant("answer"), user("u2"), assistant(" a2 "), user("u3")], "a3");
    const [said] = await proxy.said(person);
    expect(said!.filter((turn) => turn.startsWith("user"))).toEqual(["user: u1", "user: u2", "user: u3"]);
    expect(said).toHaveLength(6);
  });

  it("with what no store takes is stored without it", async () => {
    const named = { role: "user", name: "x".repeat(300), content: "I live in Faro.\0 \ud800" };
    await chat([named], "Fine.\0");
    await chat(
      [named, assistant("Fine.\0"), { role: 7, content: "odd" }, { role: "user", content: 5 }, user("u2")],
      "a2",
    );
    const [said] = await proxy.said(person);
    expect(said!.slice(0, 2)).toEqual(["user: I live in Faro. \ufffd", "assistant: Fine."]);
    expect(said!.slice(-2)).toEqual(["user: u2", "assistant: a2"]);
  });

  it("in two tabs at the same time loses and doubles nothing", async () => {
    const tabs = Array.from({ length: 8 }, (_, i) => [user("Hello"), assistant("Hi"), user(`I am in tab ${i}.`)]);
    await chat([user("Hello")], "Hi");
    upstream.answer = (response, { json: body }) =>
      completion(`reply to ${body.messages.at(-1).content}`)(response, upstream.last);
    const twice = [...tabs, ...tabs];
    const responses = await Promise.all(
      twice.map((messages) => proxy.post("/v1/chat/completions", { user: person, messages })),
    );
    await Promise.all(responses.map((response) => response.arrayBuffer()));
    await settle(proxy);
    const said = await proxy.said(person);
    expect(said).toHaveLength(1);
    expect(said[0]!.toSorted()).toEqual(
      [
        "user: Hello",
        "assistant: Hi",
        ...tabs.flatMap((_, i) => [`user: I am in tab ${i}.`, `assistant: reply to I am in tab ${i}.`]),
      ].toSorted(),
    );
  });

  it("with the same question many times at once stores it once", async () => {
    upstream.answer = completion("Noted.");
    const send = (): Promise<Response> =>
      proxy.post("/v1/chat/completions", { user: person, messages: [user("I moved to Faro.")] });
    await Promise.all((await Promise.all(Array.from({ length: 20 }, send))).map((response) => response.arrayBuffer()));
    await settle(proxy);
    expect(await proxy.said(person)).toEqual([["user: I moved to Faro.", "assistant: Noted."]]);
  });
});

describe("tools", () => {
  it("are noted as the library notes them, once", async () => {
    const call = { id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city":"Faro"}' } };
    upstream.answer = json(chatMessage({ content: null, tool_calls: [call] }));
    const messages: object[] = [user("Will it rain?")];
    const send = async (): Promise<void> => {
      await (await proxy.post("/v1/chat/completions", { user: person, messages })).arrayBuffer();
      await settle(proxy);
    };
    await send();
    messages.push(
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "sunny" },
    );
    upstream.answer = completion("No.");
    await send();
    messages.push(assistant("No."), user("Good."));
    await send();
    expect(await proxy.said(person)).toEqual([
      [
        "user: Will it rain?",
        'assistant: [called get_weather {"city":"Faro"}]',
        "assistant: [get_weather returned sunny]",
        "assistant: No.",
        "user: Good.",
        "assistant: No.",
      ],
    ]);
  });

  it("and images of Anthropic are, too", async () => {
    const use = { type: "tool_use", id: "t1", name: "look", input: { at: "sky" } };
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    upstream.answer = json(
      anthropicMessage([{ type: "thinking", thinking: "hm" }, { type: "text", text: "I look." }, use]),
    );
    const messages: object[] = [user([{ type: "text", text: "What is this?" }, image])];
    const send = async (): Promise<void> => {
      const body = { metadata: { user_id: person }, messages };
      await (await proxy.post("/v1/messages", body)).arrayBuffer();
      await settle(proxy);
    };
    await send();
    messages.push(
      assistant([{ type: "text", text: "I look." }, use]),
      user([{ type: "tool_result", tool_use_id: "t1", content: "blue" }]),
    );
    upstream.answer = json(anthropicMessage([{ type: "text", text: "It is the sky." }]));
    await send();
    expect(await proxy.said(person)).toEqual([
      [
        "user: What is this?\n[image]",
        'assistant: I look.\n[called look {"at":"sky"}]',
        "assistant: [look returned blue]",
        "assistant: It is the sky.",
      ],
    ]);
  });
});

describe("Responses", () => {
  async function respond(body: object, id: string, text: string): Promise<void> {
    upstream.answer = json(responseBody(id, [responseMessage(text)]));
    await (await proxy.post("/v1/responses", { user: person, ...body })).arrayBuffer();
    await settle(proxy);
  }

  it("that continue an earlier reply are one conversation", async () => {
    await respond({ input: "u1" }, "resp_a", "a1");
    await respond({ input: "ok", previous_response_id: "resp_a" }, "resp_b", "a2");
    await respond({ input: "ok", previous_response_id: "resp_b" }, "resp_c", "a3");
    await respond({ input: "ok", previous_response_id: "resp_b" }, "resp_d", "a4");
    expect(await proxy.said(person)).toEqual([
      ["user: u1", "assistant: a1", "user: ok", "assistant: a2", "user: ok", "assistant: a3", "assistant: a4"],
    ]);
  });

  it("of another person are not continued", async () => {
    await respond({ input: "mine" }, "resp_x", "a1");
    const other = `${person} other`;
    await (
      await proxy.post("/v1/responses", { user: other, input: "theirs", previous_response_id: "resp_x" })
    ).arrayBuffer();
    expect((await proxy.said(person)).flat()).not.toContain("user: theirs");
    // Not even its name says how the other's chat begins.
    const ids = [...(await proxy.history(person)), ...(await proxy.history(other))].map(({ id }) => id.split(".")[0]);
    expect(new Set(ids).size).toBe(2);
  });

  it("in a conversation that the upstream keeps are one conversation", async () => {
    await respond({ input: "u1", conversation: "conv_1" }, "r1", "a1");
    await respond({ input: "u2", conversation: { id: "conv_1" } }, "r2", "a2");
    await respond({ input: "u1", conversation: "conv_2" }, "r3", "a1");
    expect(await proxy.said(person)).toEqual([
      ["user: u1", "assistant: a1", "user: u2", "assistant: a2"],
      ["user: u1", "assistant: a1"],
    ]);
  });

  it("with items send the whole chat", async () => {
    const items = [
      user("u1"),
      { type: "reasoning", summary: [] },
      responseMessage("a1"),
      user([{ type: "input_text", text: "u2" }]),
    ];
    await respond({ input: items.slice(0, 1) }, "r1", "a1");
    await respond({ input: items }, "r2", "a2");
    expect(await proxy.said(person)).toEqual([["user: u1", "assistant: a1", "user: u2", "assistant: a2"]]);
  });
});

describe("a conversation", () => {
  it("has the name that the client gives it, whatever the chat begins with", async () => {
    const named = { "mnemosyne-conversation": "trip-7" };
    expect(await chat([user("u1")], "a1", named)).toBe("trip-7");
    await chat([user("u2")], "a2", named);
    await chat([user("u2")], "a2", { "mnemosyne-conversation": "trip-8" });
    await chat([user("u1")], "again", named);
    expect(await proxy.said(person)).toEqual([
      ["user: u1", "assistant: a1", "user: u2", "assistant: a2", "assistant: again"],
      ["user: u2", "assistant: a2"],
    ]);
  });

  it("ends when the client says so; the chat goes on in another one, with what is new", async () => {
    const named = { "mnemosyne-conversation": "call" };
    await chat([user("u1")], "a1", { ...named, "mnemosyne-conversation-end": "true" });
    await eventually(
      () => proxy.history(person),
      ([item]) => item!.outcome !== "open",
    );
    const next = await chat([user("u1"), assistant("a1"), user("u2")], "a2", named);
    expect(next).toMatch(/^call\./u);
    await chat([user("u1"), assistant("a1"), user("u2"), assistant("a2"), user("u3")], "a3", named);
    expect(await proxy.said(person)).toEqual([
      ["user: u1", "assistant: a1"],
      ["user: u2", "assistant: a2", "user: u3", "assistant: a3"],
    ]);
  });

  it("that somebody else ended goes on in another one", async () => {
    const id = await chat([user("u1")], "a1");
    await (await proxy.mnemosyne.person(person).conversation({ id })).end();
    await chat([user("u1"), assistant("a1"), user("u2")], "a2");
    expect(await proxy.said(person)).toEqual([
      ["user: u1", "assistant: a1"],
      ["user: u2", "assistant: a2"],
    ]);
  });

  it("that was forgotten does not come back with the client's next request", async () => {
    await chat([user("My secret is x.")], "a1");
    await proxy.mnemosyne.person(person).forgetAll();
    await chat([user("My secret is x."), assistant("a1"), user("u2")], "a2");
    expect(await proxy.said(person)).toEqual([["user: u2", "assistant: a2"]]);
  });

  it.each(["all", "it"])("that is forgotten while the model answers stays so: %s", async (what) => {
    const memory = proxy.mnemosyne.person(person);
    await memory.commit({ turns: [{ who: "user", text: "I row." }], keep: true }, { wait: true });
    upstream.answer = async (response, asked) => {
      if (what === "all") await memory.forgetAll();
      else await memory.forget("forgotten");
      await completion("Your secret is x.")(response, asked);
    };
    const headers = { "mnemosyne-conversation": "forgotten" };
    const body = { user: person, messages: [user("My secret is x.")] };
    await (await proxy.post("/v1/chat/completions", body, { headers })).arrayBuffer();
    await settle(proxy);
    expect((await proxy.said(person)).flat()).toEqual(what === "all" ? [] : ["user: I row."]);
  });

  it("that grows too long goes on in another one, and a very long turn is cut", async () => {
    const long = (name: string): string => `${name} ${"word ".repeat(12_000)}`;
    const messages: object[] = [];
    for (const name of ["a", "b", "c"]) {
      messages.push(user(long(name)));
      await chat(messages, `reply ${name}`);
      messages.push(assistant(`reply ${name}`));
    }
    const said = await proxy.said(person);
    expect(said.length).toBeGreaterThan(1);
    expect(said.flat().map((turn) => turn.slice(0, 16))).toEqual(
      ["a", "b", "c"].flatMap((name) =>
        [`user: ${name} word word`, `assistant: reply ${name}`].map((turn) => turn.slice(0, 16)),
      ),
    );
  });
});

describe("a wish to forget", () => {
  const wish = user("Please forget what I said about the boat.");
  const done = assistant("I will.");
  const ending = { "mnemosyne-conversation-end": "true" };

  /** What the answer to a chat names as held back. */
  async function ask(messages: readonly object[], headers: Record<string, string> = {}): Promise<string | null> {
    upstream.answer = completion("Yes.");
    const response = await proxy.post("/v1/chat/completions", { user: person, messages }, { headers });
    await response.arrayBuffer();
    await settle(proxy);
    return response.headers.get("mnemosyne-forget-asked");
  }

  async function tellAndWish(headers: Record<string, string> = {}): Promise<void> {
    const text = "My boat is called Gull.";
    const told = { id: "a boat, told", turns: [{ who: "user", text }], at: "2025-03-01", keep: true };
    await proxy.mnemosyne.person(person).commit(told, { wait: true });
    await chat([wish], "I will.", headers);
  }

  async function committed(): Promise<void> {
    await eventually(
      () => proxy.history(person),
      (items) => items.some(({ outcome }) => outcome === "forgetAsked"),
    );
  }

  it("that has been committed is told with the next answer of its chat, once, by name", async () => {
    await tellAndWish(ending);
    await committed();
    expect(await ask([user("What is my boat called?")])).toBeNull();
    expect(upstream.last.text).not.toContain("Gull");
    const asked = await ask([wish, done, user("Is it gone?")]);
    expect(asked).toBe("a%20boat%2C%20told#0");
    expect(await ask([wish, done, user("Is it gone?"), assistant("Yes."), user("Good.")])).toBeNull();
    await proxy.mnemosyne.person(person).forget(asked!.split(", ").map(decodeURIComponent));
    expect((await proxy.history(person)).map(({ id }) => id)).not.toContain("a boat, told");
  });

  it("is not told before it has been committed, nor to another person", async () => {
    await tellAndWish({ "mnemosyne-conversation": "call" });
    const named = { "mnemosyne-conversation": "call" };
    expect(await ask([wish, done, user("Well?")], { ...named, ...ending })).toBeNull();
    await committed();
    const owner = person;
    person = `${owner} other`;
    expect(await ask([user("Hello.")], named)).toBeNull();
    person = owner;
    expect(await ask([user("And now?")], named)).toBe("a%20boat%2C%20told#0");
  });

  it("is told with an answer that comes, not with one that fails", async () => {
    await tellAndWish(ending);
    await committed();
    upstream.answer = (response) => void response.destroy();
    const body = { user: person, messages: [wish, done, user("Is it gone?")] };
    expect((await proxy.post("/v1/chat/completions", body)).status).toBe(502);
    expect(await ask([wish, done, user("Is it gone?")])).toBe("a%20boat%2C%20told#0");
  });
});

describe("quiet", () => {
  it("ends a conversation, which becomes a memory; what comes later is another one", async () => {
    const quick = await ProxyServer.start({
      path: scratch.next(),
      upstream: { url: upstream.origin, quietSeconds: 0.2 },
    });
    try {
      await chat([user("I keep bees in Sintra.")], "Nice.", {}, quick);
      await eventually(
        () => quick.history(person),
        ([item]) => item!.outcome !== "open" && item!.outcome !== "queued",
      );
      await chat([user("I keep bees in Sintra."), assistant("Nice."), user("Twelve hives.")], "Many.", {}, quick);
      expect(await quick.said(person)).toEqual([
        ["user: I keep bees in Sintra.", "assistant: Nice."],
        ["user: Twelve hives.", "assistant: Many."],
      ]);
    } finally {
      await quick.stop();
    }
  });

  it("does not end one while a reply is on its way", async () => {
    const quick = await ProxyServer.start({
      path: scratch.next(),
      upstream: { url: upstream.origin, quietSeconds: 0.05 },
    });
    try {
      let answerLate = (): void => {};
      upstream.answer = async (response, asked) => {
        const { content } = asked.json.messages.at(-1);
        if (content === "slow") await new Promise<void>((resolve) => (answerLate = resolve));
        await completion(`reply to ${content}`)(response, asked);
      };
      const send = async (content: string): Promise<void> => {
        const headers = { "mnemosyne-conversation": "two" };
        await (
          await quick.post("/v1/chat/completions", { user: person, messages: [user(content)] }, { headers })
        ).text();
      };
      const slow = send("slow");
      await eventually(
        () => quick.said(person),
        (all) => all.flat().length === 1,
      );
      await send("fast");
      await new Promise((resolve) => setTimeout(resolve, 300));
      answerLate();
      await slow;
      await eventually(
        () => quick.history(person),
        ([item]) => item!.outcome !== "open",
      );
      expect(await quick.said(person)).toEqual([
        ["user: slow", "user: fast", "assistant: reply to fast", "assistant: reply to slow"],
      ]);
    } finally {
      await quick.stop();
    }
  });
});

describe("after a restart", () => {
  it("chats go on where they were, and what stays quiet ends", async () => {
    const path = scratch.next();
    const first = await ProxyServer.start({ path, upstream: { url: upstream.origin } });
    const messages = [user("u0"), assistant("a0"), user("u1"), assistant("a1"), user("u2")];
    await chat(messages.slice(0, 3), "a1", {}, first);
    await chat([user("n1")], "m1", { "mnemosyne-conversation": "named" }, first);
    await chat([user("left alone")], "ok", {}, first);
    await first.stop();
    const second = await ProxyServer.start({ path, upstream: { url: upstream.origin, quietSeconds: 0.5 } });
    try {
      await second.handle.recover();
      await chat(messages, "a2", {}, second);
      await chat([user("n1"), assistant("m1"), user("n2")], "m2", { "mnemosyne-conversation": "named" }, second);
      await eventually(
        () => second.history(person),
        (all) => all.every(({ outcome }) => outcome !== "open"),
      );
      expect(await second.said(person)).toEqual([
        ["user: u1", "assistant: a1", "user: u2", "assistant: a2"],
        ["user: n1", "assistant: m1", "user: n2", "assistant: m2"],
        ["user: left alone", "assistant: ok"],
      ]);
    } finally {
      await second.stop();
    }
  });

  it("one person's damage keeps nobody else's from being found", async () => {
    const path = scratch.next();
    const first = await ProxyServer.start({ path, upstream: { url: upstream.origin } });
    await chat([user("u1")], "a1", {}, first);
    person = `a ${person}`;
    await chat([user("u1")], "a1", {}, first);
    await first.stop();
    const damaged = person;
    const second = await ProxyServer.start({
      path,
      upstream: { url: upstream.origin, quietSeconds: 0.1 },
      disturb: (mnemosyne) => {
        const next = (): Promise<never> => Promise.reject(new Error("damaged"));
        const broken = { name: damaged, history: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) };
        const find = (name: string): unknown => (name === damaged ? broken : mnemosyne.person(name));
        return {
          persons: () => mnemosyne.persons(),
          person: find,
          parameters: mnemosyne.parameters,
        } as unknown as Mnemosyne;
      },
    });
    try {
      await second.handle.recover();
      const other = person.slice(2);
      await eventually(
        () => second.history(other),
        ([item]) => item!.outcome !== "open",
      );
      expect(second.logged).toContainEqual(
        expect.objectContaining({ message: "the open chats of a person were not found" }),
      );
    } finally {
      await second.stop();
    }
  });
});
