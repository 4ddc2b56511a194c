/** Each option of the client does what it says: a server that keeps its callers waiting sees what they send and when they leave. */
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ClientOptions, MnemosyneClient, type PersonClient } from "mnemosyne-edge-server/client";

/** Longer than anybody here waits, unless nobody tells the client to leave. */
const patienceMs = 3_000;

const requests: IncomingMessage[] = [];
let leftCount = 0;
let isAnswering = true;
let url = "";
const server = createServer((request, response) => {
  requests.push(request);
  response.on("close", () => (leftCount += response.writableFinished ? 0 : 1));
  if (isAnswering) answer(response);
  else setTimeout(() => answer(response), patienceMs).unref();
});

function answer(response: ServerResponse): void {
  if (!response.destroyed)
    response.end(JSON.stringify({ id: "x", isNew: true, status: "ok", memories: [], nextCursor: null }));
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests.length = 0;
  leftCount = 0;
  isAnswering = true;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const person = (options: Partial<ClientOptions> = {}): PersonClient =>
  new MnemosyneClient({ url, ...options }).person("ada");

/** Resolves when the server has that many requests. */
async function untilAsked(count: number): Promise<void> {
  while (requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function untilLeft(): Promise<void> {
  while (leftCount === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("timeoutMs", () => {
  it("ends an attempt, and the error says after how long", async () => {
    isAnswering = false;
    const impatient = person({ timeoutMs: 600, retries: 1 });
    await expect(impatient.commit("I paint.")).rejects.toMatchObject({
      status: 0,
      code: "timed_out",
      detail: "there was no answer within 600 ms",
    });
    expect(requests.length).toBe(2);
    await untilLeft();
  });
});

describe("retries", () => {
  it.each([0, 2])("of %i are as many attempts after the first", async (retries) => {
    let count = 0;
    const failing: typeof fetch = async () => {
      count++;
      throw new TypeError("cut");
    };
    await expect(person({ retries, fetch: failing }).commit("I paint.")).rejects.toMatchObject({
      code: "network_failed",
    });
    expect(count).toBe(retries + 1);
  });
});

describe("key and headers", () => {
  it("go with every request: reading, writing, a stream and events", async () => {
    const ada = person({ key: "mnk_a", headers: { "x-team": "7", "x-trace": "t" } });
    await ada.list();
    await ada.commit("I paint.");
    for await (const _ of ada.export());
    const controller = new AbortController();
    for await (const _ of ada.events({ signal: controller.signal, onConnect: () => controller.abort() }));
    expect(requests.map(({ method }) => method)).toEqual(["GET", "POST", "GET", "GET"]);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ authorization: "Bearer mnk_a", "x-team": "7", "x-trace": "t" });
    }
  });

  it("cannot take the place of the key, or of what makes a write safe to repeat", async () => {
    const odd = { authorization: "Bearer other", "idempotency-key": "the same for all", "content-type": "text/plain" };
    const ada = person({ key: "mnk_a", headers: odd });
    await ada.commit("I paint.");
    await ada.commit("I sing.");
    const [first, second] = requests.map(({ headers }) => headers);
    expect(first).toMatchObject({ authorization: "Bearer mnk_a", "content-type": "application/json" });
    expect(first!["idempotency-key"]).not.toBe(second!["idempotency-key"]);
  });

  it("are not sent where there are none", async () => {
    await person().list();
    expect(requests[0]!.headers["authorization"]).toBeUndefined();
  });
});

describe("url", () => {
  it("keeps the path before /v1, with or without a slash at its end", async () => {
    for (const end of ["/behind/a", "/behind/a/", "/behind/a//"]) await person({ url: `${url}${end}` }).list();
    for (const { url: path } of requests) expect(path).toMatch(/^\/behind\/a\/v1\/persons\/ada\/memories\?/u);
  });
});

describe("an option that there is not", () => {
  it("is refused by name", () => {
    const given = { url, timeout: 5 } as unknown as ClientOptions;
    expect(() => new MnemosyneClient(given)).toThrow('the client has no option "timeout"');
  });
});

describe("signal", () => {
  const reason = new Error("the user left");

  it.each([0, 3])(
    "ends a request that waits, with its own reason, and it is not sent again (%i retries)",
    async (retries) => {
      isAnswering = false;
      const controller = new AbortController();
      const asked = person({ retries }).recall("What?", { signal: controller.signal });
      await untilAsked(1);
      controller.abort(reason);
      await expect(asked).rejects.toBe(reason);
      await untilLeft();
      expect(requests.length).toBe(1);
    },
  );

  it("ends an import and a batch, too", async () => {
    isAnswering = false;
    for (const work of [
      (signal: AbortSignal) => person().import(['{"summary":"I paint."}'], { signal }),
      (signal: AbortSignal) => person().commitMany(["I paint."], { signal }),
      (signal: AbortSignal) => person().commit("I paint.", { wait: true, signal }),
    ]) {
      const [controller, before] = [new AbortController(), requests.length];
      const working = work(controller.signal);
      await untilAsked(before + 1);
      controller.abort(reason);
      await expect(working).rejects.toBe(reason);
    }
  });

  it("ends the pause before the next attempt", async () => {
    const controller = new AbortController();
    const later: typeof fetch = async () => {
      setTimeout(() => controller.abort(reason), 20);
      return new Response("{}", { status: 503, headers: { "retry-after": "30" } });
    };
    await expect(person({ fetch: later }).commit("I paint.", { signal: controller.signal })).rejects.toBe(reason);
  }, 20_000);

  it("ends an export before it has begun", async () => {
    isAnswering = false;
    const controller = new AbortController();
    const reading = person({ retries: 0 }).export({ signal: controller.signal }).next();
    await untilAsked(1);
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});
