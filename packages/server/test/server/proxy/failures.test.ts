/** The chat goes on whatever fails, and what is said is kept. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Mnemosyne, type PersonMemory } from "../../../../memory/src/index.js";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type ProxyOptions, ProxyServer, eventually } from "./proxy-server.js";
import { type Answer, ScriptedUpstream, chatPieces, completion } from "./scripted-upstream.js";

const scratch = new ScratchFolder();
let upstream: ScriptedUpstream;

beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
});
afterAll(() => upstream.stop());
beforeEach(() => {
  upstream.answer = completion("Noted.");
});

async function withProxy(options: Partial<ProxyOptions>, use: (proxy: ProxyServer) => Promise<void>): Promise<void> {
  const proxy = await ProxyServer.start({ path: scratch.next(), upstream: { url: upstream.origin }, ...options });
  try {
    await use(proxy);
  } finally {
    await proxy.stop();
  }
}

const said = "My sister Lena lives in Porto.";
const sent = { user: "ada", messages: [{ role: "user", content: said }] };
const path = "/v1/chat/completions";

/** A memory of which some methods of a person are replaced. */
function disturbing(methods: Partial<Record<keyof PersonMemory, unknown>>): NonNullable<ProxyOptions["disturb"]> {
  const wrap = <T extends object>(inner: T, replaced: Partial<Record<PropertyKey, unknown>>): T =>
    new Proxy(inner, {
      get(target, name) {
        if (Object.hasOwn(replaced, name)) return replaced[name];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return (mnemosyne) => wrap(mnemosyne, { person: (name: string) => wrap(mnemosyne.person(name), methods) });
}

describe("the memory", () => {
  it("that fails is left out, and a header says so", async () => {
    const disturb = disturbing({ recall: async () => Promise.reject(new Error("broken")) });
    await withProxy({ disturb }, async (proxy) => {
      const response = await proxy.post(path, sent);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("Noted.");
      expect(response.headers.get("mnemosyne-memory")).toBe("failed");
      expect(response.headers.get("mnemosyne-commit")).toBe("stored");
      expect(upstream.last.text).toBe(JSON.stringify(sent));
      const [line] = proxy.logged;
      expect(line).toMatchObject({ operation: "chat.completions", error: { message: "broken" } });
      expect(line).not.toHaveProperty("person");
      expect(JSON.stringify([proxy.logged, proxy.audited])).not.toContain("Lena");
    });
  });

  it("that takes too long is not waited for", async () => {
    const recall = (_: string, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const settings = { url: upstream.origin, memoryMsMax: 50 };
    await withProxy({ disturb: disturbing({ recall }), upstream: settings }, async (proxy) => {
      const response = await proxy.post(path, sent);
      expect(response.headers.get("mnemosyne-memory")).toBe("timeout");
      expect(await response.text()).toContain("Noted.");
    });
  });

  it("that cannot store is tried again after the reply", async () => {
    let failures = 1;
    const file = scratch.next();
    const disturb: ProxyOptions["disturb"] = (mnemosyne) => {
      const conversation: PersonMemory["conversation"] = (options) =>
        failures-- > 0 ? Promise.reject(new Error("disk full")) : mnemosyne.person("ada").conversation(options);
      return disturbing({ conversation })(mnemosyne);
    };
    await withProxy({ path: file, disturb }, async (proxy) => {
      const response = await proxy.post(path, sent);
      expect(response.headers.get("mnemosyne-commit")).toBe("failed");
      expect(await response.text()).toContain("Noted.");
      const stored = await eventually(
        () => proxy.said("ada"),
        (all) => all.flat().length === 2,
      );
      expect(stored).toEqual([[`user: ${said}`, "assistant: Noted."]]);
    });
  });

  it("that cannot store for a while keeps it and stores it with what comes next, in order", async () => {
    let isBroken = true;
    const disturb: ProxyOptions["disturb"] = (mnemosyne) => {
      const conversation: PersonMemory["conversation"] = async (options) => {
        const inner = await mnemosyne.person("ada").conversation(options);
        const add: typeof inner.add = (turn) => (isBroken ? Promise.reject(new Error("busy")) : inner.add(turn));
        return new Proxy(inner, {
          get: (target, name) => {
            if (name === "add") return add;
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === "function" ? value.bind(target) : value;
          },
        });
      };
      return disturbing({ conversation })(mnemosyne);
    };
    await withProxy({ disturb }, async (proxy) => {
      const named = { headers: { "mnemosyne-conversation": "c" } };
      expect((await proxy.post(path, sent, named)).headers.get("mnemosyne-commit")).toBe("failed");
      await eventually(
        () => proxy.audited.filter(({ action }) => action === "commit"),
        (all) => all.length === 1,
      );
      isBroken = false;
      const next = { ...sent, messages: [{ role: "user", content: "She paints." }] };
      expect((await proxy.post(path, next, named)).headers.get("mnemosyne-commit")).toBe("stored");
      await eventually(
        () => proxy.audited.filter(({ action }) => action === "commit"),
        (all) => all.length === 2,
      );
      expect(await proxy.said("ada")).toEqual([
        [`user: ${said}`, "assistant: Noted.", "user: She paints.", "assistant: Noted."],
      ]);
    });
  });

  it("is asked in the same way for the same message, so that its text stays the same while tools are called", async () => {
    const seeds: unknown[] = [];
    const recall = async (_: string, { seed }: { seed: unknown }): Promise<never> => {
      seeds.push(seed);
      throw new Error("noted");
    };
    await withProxy({ disturb: disturbing({ recall }) }, async (proxy) => {
      const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
      const tools = [
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c", content: "1" },
      ];
      await proxy.post(path, sent);
      await proxy.post(path, { ...sent, messages: [...sent.messages, ...tools] });
      await proxy.post(path, { ...sent, messages: [{ role: "user", content: "Something else." }] });
    });
    expect(seeds).toHaveLength(3);
    expect(seeds[1]).toBe(seeds[0]);
    expect(seeds[2]).not.toBe(seeds[0]);
  });

  it("is not asked if the client does not want it", async () => {
    await withProxy({}, async (proxy) => {
      await proxy.mnemosyne.person("ada").commit({ turns: [{ who: "user", text: said }], keep: true }, { wait: true });
      const states: unknown[] = [];
      for (const mode of ["off", "read", "write", "on"]) {
        const response = await proxy.post(path, sent, { headers: { "mnemosyne-memory": mode } });
        await response.text();
        states.push([mode, response.headers.get("mnemosyne-memory"), response.headers.get("mnemosyne-commit")]);
        expect(upstream.last.text.includes("<<<MEMORY")).toBe(mode === "read" || mode === "on");
      }
      expect(states).toEqual([
        ["off", "off", "off"],
        ["read", "used", "off"],
        ["write", "off", "stored"],
        ["on", "used", "stored"],
      ]);
      expect((await proxy.post(path, sent, { headers: { "mnemosyne-memory": "perhaps" } })).status).toBe(400);
    });
  });
});

describe("the upstream", () => {
  it("that is not there: 502 in both forms, and what was said is kept", async () => {
    const gone = await ScriptedUpstream.start();
    const { origin } = gone;
    await gone.stop();
    await withProxy({ upstream: { url: origin } }, async (proxy) => {
      const response = await proxy.post(path, sent);
      expect(response.status).toBe(502);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      const body = (await response.json()) as Record<string, unknown>;
      expect(body).toMatchObject({ code: "upstream_failed", status: 502, error: { code: "upstream_failed" } });
      expect(JSON.stringify(body)).not.toContain("Lena");
      expect(await proxy.said("ada")).toEqual([[`user: ${said}`]]);
    });
  });

  it("that stays silent is given up, before the reply and within it", async () => {
    await withProxy({ upstream: { url: upstream.origin, silenceSecondsMax: 0.2 } }, async (proxy) => {
      upstream.answer = () => {};
      expect((await proxy.post(path, sent)).status).toBe(502);
      upstream.answer = (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(chatPieces(["Half"]).slice(0, 2).join(""));
      };
      const response = await proxy.post(path, sent);
      await expect(response.text()).rejects.toThrow();
      const stored = await eventually(
        () => proxy.said("ada"),
        (all) => all.flat().length === 2,
      );
      expect(stored).toEqual([[`user: ${said}`, "assistant: Half"]]);
    });
  });

  it("that answers with an error: the question is kept, and stored once when it is asked again", async () => {
    await withProxy({}, async (proxy) => {
      upstream.answer = (response) =>
        void response
          .writeHead(500, { "content-type": "application/json" })
          .end('{"choices":[{"message":{"content":"no"}}]}');
      expect((await proxy.post(path, sent)).status).toBe(500);
      upstream.answer = completion("Noted.");
      await (await proxy.post(path, sent)).text();
      await eventually(
        () => proxy.audited.filter(({ action }) => action === "commit"),
        (all) => all.length === 2,
      );
      expect(await proxy.said("ada")).toEqual([[`user: ${said}`, "assistant: Noted."]]);
    });
  });

  it("that closes a connection it had kept open is called again, once; one that closes a new one is not", async () => {
    await withProxy({}, async (proxy) => {
      const close: Answer = (response) => void response.socket!.destroy();
      const closeOnce: Answer = (response, request) => {
        upstream.answer = completion("Noted.");
        return close(response, request);
      };
      const countCalls = async (answer: Answer): Promise<readonly [status: number, callCount: number]> => {
        upstream.answer = answer;
        const before = upstream.requests.length;
        const response = await proxy.post(path, sent);
        await response.text();
        return [response.status, upstream.requests.length - before];
      };
      expect(await countCalls(close)).toEqual([502, 1]);
      expect(await countCalls(completion("Noted."))).toEqual([200, 1]);
      expect(await countCalls(closeOnce)).toEqual([200, 2]);
      expect(await countCalls(close)).toEqual([502, 2]);
    });
  });

  it("has a version in its address, or gets one", async () => {
    for (const [below, asked] of [
      ["", "/v1/models"],
      ["/", "/v1/models"],
      ["/v1/", "/v1/models"],
      ["/openai", "/openai/v1/models"],
      ["/v1beta/openai", "/v1beta/openai/models"],
    ]) {
      await withProxy({ upstream: { url: upstream.origin + below! } }, async (proxy) => {
        await fetch(`${proxy.origin}/v1/models`);
        expect(upstream.last.path).toBe(asked);
      });
    }
    for (const url of ["ftp://x", "localhost:1", "http://name:word@localhost/v1"]) {
      await expect(ProxyServer.start({ path: scratch.next(), upstream: { url } })).rejects.toThrow(
        /upstream's address/u,
      );
    }
  });
});

it("a chat of too many messages passes as it is, without a memory", async () => {
  const upstream = await ScriptedUpstream.start();
  const proxy = await ProxyServer.start({ path: scratch.next(), upstream: { url: upstream.origin } });
  const chatOf = (count: number): string =>
    JSON.stringify({ messages: Array.from({ length: count }, (_, i) => ({ role: "user", content: `say ${i}` })) });
  for (const [count, memory] of [
    [10_001, "unread"],
    [10_000, "none"],
  ] as const) {
    const response = await proxy.post("/v1/chat/completions", chatOf(count));
    expect({ count, memory: response.headers.get("mnemosyne-memory") }).toEqual({ count, memory });
    expect(upstream.last.text).toBe(chatOf(count));
  }
  await proxy.stop();
  await upstream.stop();
});

it("a body that is too large is refused", async () => {
  await withProxy({ upstream: { url: upstream.origin, bodyBytesMax: 1_000 } }, async (proxy) => {
    const before = upstream.requests.length;
    const response = await proxy.post(path, { ...sent, more: "x".repeat(2_000) });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "body_too_large" });
    expect(upstream.requests).toHaveLength(before);
  });
});

describe("when the server stops", () => {
  it("what has arrived of a reply is stored, and the conversation stays open", async () => {
    const file = scratch.next();
    const proxy = await ProxyServer.start({ path: file, upstream: { url: upstream.origin } });
    upstream.answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chatPieces(["Half"]).slice(0, 2).join(""));
    };
    const response = await proxy.post(path, { ...sent, stream: true });
    await response.body!.getReader().read();
    await proxy.stop();
    const memory = await Mnemosyne.open({ path: file, embedder: new HashingEmbedder(), reader: false });
    const [item] = await memory.person("ada").history();
    expect(item!.outcome).toBe("open");
    expect(item!.turns.map(({ text }) => text)).toEqual([said, "Half"]);
    await memory.close();
  });

  it("by force, in the middle of replies, every question that was forwarded is there, once, and chats go on", async () => {
    const file = scratch.next();
    const program = fileURLToPath(new URL("killed-server.mjs", import.meta.url));
    const users = Array.from({ length: 12 }, (_, i) => `user ${i}`);
    for (let round = 0; round < 3; round++) {
      const child = fork(program, [file, upstream.origin], { stdio: "ignore" });
      const [origin] = (await once(child, "message")) as [string];
      const heard = new Set<string>();
      upstream.answer = (response, { json }) => {
        heard.add(json.user);
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(chatPieces(["Ha"]).slice(0, 2).join(""));
      };
      const calls = users.map(async (user) => {
        const messages = Array.from({ length: round + 1 }, (_, i) => [
          ...(i === 0 ? [] : [{ role: "assistant", content: "cut" }]),
          { role: "user", content: `${user} says ${i}` },
        ]).flat();
        const body = JSON.stringify({ user, stream: true, messages });
        await (await fetch(`${origin}${path}`, { method: "POST", body })).text();
      });
      await eventually(
        () => heard.size,
        (count) => count === users.length,
      );
      child.kill("SIGKILL");
      await Promise.allSettled([...calls, once(child, "exit")]);
    }
    const memory = await Mnemosyne.open({ path: file, embedder: new HashingEmbedder(), reader: false });
    for (const user of users) {
      const items = await memory.person(user).history();
      expect(items).toHaveLength(1);
      const asked = items[0]!.turns.filter(({ who }) => who === "user").map(({ text }) => text);
      expect(asked).toEqual([0, 1, 2].map((i) => `${user} says ${i}`));
    }
    await memory.close();
  });
});
