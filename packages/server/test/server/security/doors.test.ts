/** Who gets in: keys, names of the server, pages of other sites, and how often. */
import { afterEach, describe, expect, it } from "vitest";
import { failuresPerMinuteMax } from "../../../src/server/security/authentication.js";
import { FileKeyRing, addKey } from "../../../src/server/security/key-file.js";
import { TokenBuckets } from "../../../src/server/security/request-limits.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { loopbackSettings, recordingLog } from "../hostile-server.js";
import { exchange } from "../raw-client.js";
import { type AppUnderTest, startApp } from "./app-under-test.js";

const scratch = new ScratchFolder();
let app: AppUnderTest;
afterEach(() => app.stop());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** By hand: fetch sets Host and Origin as it likes. */
async function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
  body = "",
): Promise<Answer> {
  const all = { host: `localhost:${app.listening.port}`, connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body !== "") lines.push(`content-length: ${body.length}\r\n`);
  const text = await exchange(app.listening.port, `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [status = "", ...given] = head.split("\r\n");
  const pairs = given.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 2),
  ]);
  return {
    status: Number(status.split(" ")[1]),
    headers: Object.fromEntries(pairs) as Record<string, string>,
    body: rest.join("\r\n\r\n"),
  };
}

function codeOf({ body, headers }: Answer): string {
  expect(headers["content-type"]).toBe("application/problem+json");
  return (JSON.parse(body) as { code: string }).code;
}

async function startWithKeys(settings: Parameters<typeof startApp>[0] = {}): Promise<{ key: string; id: string }> {
  const file = scratch.next(".json");
  const wanted = { label: "", isAdmin: false, persons: ["ada"], isReadOnly: false, expiresAt: null };
  const { key, entry } = await addKey(file, wanted);
  app = await startApp(settings, await FileKeyRing.open(file, recordingLog(), { recheckMs: 0 }));
  return { key, id: entry.id };
}

describe("a key", () => {
  it("opens the door in either header, and says who it is", async () => {
    const { key, id } = await startWithKeys();
    const other = "sk-of-a-model";
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
      { "x-api-key": key },
      { authorization: `Bearer ${other}`, "x-api-key": key },
      { authorization: `Bearer ${key}`, "x-api-key": other },
    ]) {
      const { status, body } = await ask("/v1/who", headers);
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ caller: `key:${id}`, access: { keyId: id, persons: ["ada"] } });
    }
  });

  it("that is missing or wrong is refused with what to send, and noted", async () => {
    const { key } = await startWithKeys();
    const missing = await ask("/v1/who");
    expect([missing.status, codeOf(missing)]).toEqual([401, "key_missing"]);
    expect(missing.headers["www-authenticate"]).toBe('Bearer realm="mnemosyne"');
    for (const headers of [
      { authorization: `Bearer ${key}x` },
      { authorization: "Bearer mnk_aaaaaaaa_" + key.slice(13) },
      { "x-api-key": "x" },
    ] as Record<string, string>[]) {
      const wrong = await ask("/v1/who", headers);
      expect([wrong.status, codeOf(wrong)]).toEqual([401, "key_invalid"]);
      expect(wrong.headers["www-authenticate"]).toContain('error="invalid_token"');
      expect(wrong.body).not.toContain(key.slice(13));
    }
    expect((await ask("/v1/who", { authorization: `Basic ${key}` })).status).toBe(401);
    const refusal = { action: "refuse", operation: "authenticate", keyId: null, person: null, outcome: 401 };
    expect(app.audited).toEqual(Array.from({ length: 5 }, () => refusal));
  });

  it("is guessed so often a minute and no more, while the right one still opens", async () => {
    const { key } = await startWithKeys();
    const statuses: number[] = [];
    for (let tries = 0; tries < failuresPerMinuteMax + 5; tries++) {
      const answer = await ask("/v1/who", { authorization: "Bearer mnk_x" });
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(failuresPerMinuteMax);
    expect(statuses.slice(failuresPerMinuteMax)).toEqual([429, 429, 429, 429, 429]);
    expect(app.audited).toHaveLength(failuresPerMinuteMax);
    expect((await ask("/v1/who", { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it("is not asked for where there are none: everybody on the machine may do everything", async () => {
    app = await startApp();
    const { body } = await ask("/v1/who");
    expect(JSON.parse(body)).toMatchObject({ caller: "ip:127.0.0.1", access: { keyId: null, isAdmin: true } });
  });
});

describe("the address of a caller", () => {
  it("is what a trusted proxy noted last, and nothing that a client claims", async () => {
    app = await startApp({ trustsProxy: true });
    const callerOf = async (forwarded: string): Promise<string> =>
      (JSON.parse((await ask("/v1/who", { "x-forwarded-for": forwarded })).body) as { caller: string }).caller;
    expect(await callerOf("10.9.9.9, 192.0.2.7")).toBe("ip:192.0.2.7");
    expect(await callerOf("2001:db8:1:2:3:4:5:6")).toBe("ip:2001:db8:1:2::/64");
    expect(await callerOf("2001:db8::1")).toBe("ip:2001:db8:0:0::/64");
    expect(await callerOf("not an address")).toBe("ip:127.0.0.1");
    await app.stop();
    app = await startApp();
    expect(await callerOf("192.0.2.7")).toBe("ip:127.0.0.1");
  });
});

describe("the name of the server", () => {
  it.each([
    "localhost",
    "LOCALHOST:80",
    "localhost.:1",
    "127.0.0.1",
    "127.1.2.3:9",
    "[::1]:7373",
    "memory.example:443",
  ])("may be %s", async (host) => {
    app = await startApp({ allowedHosts: ["Memory.example"] });
    expect((await ask("/v1/who", { host })).status).toBe(200);
  });

  it.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example:7373",
    "0.0.0.0",
    "[::]",
    "192.168.0.2",
    "xn--localhost",
    "127.0.0.1evil",
    "memory.example.evil.example",
  ])("may not be %s", async (host) => {
    app = await startApp({ allowedHosts: ["memory.example"] });
    const answer = await ask("/v1/who", { host });
    expect([answer.status, codeOf(answer)]).toEqual([403, "host_not_allowed"]);
  });

  it.each(["", "a b", "localhost@evil.example", "localhost/evil", "[::1", "local\\host"])(
    "that is no name is refused: %j",
    async (host) => {
      app = await startApp();
      const answer = await ask("/v1/who", { host });
      expect([400, 403]).toContain(answer.status);
      expect(["request_invalid", "host_not_allowed"]).toContain(codeOf(answer));
    },
  );
});

describe("a page", () => {
  const page = "https://app.example";

  it("of the server itself may call it", async () => {
    app = await startApp({ allowedHosts: ["memory.example"] });
    const host = `localhost:${app.listening.port}`;
    expect((await ask("/v1/who", { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" })).status).toBe(
      200,
    );
    // A proxy speaks TLS for it.
    const proxied = { host: "memory.example", origin: "https://memory.example" };
    expect((await ask("/v1/who", proxied)).status).toBe(200);
    expect((await ask("/v1/who", { ...proxied, host: "memory.example:443" })).status).toBe(200);
  });

  it.each(["https://evil.example", "null", "http://localhost:1", "http://localhost.evil.example", "file://", "x"])(
    "of %s may not, and gets no CORS header",
    async (origin) => {
      app = await startApp({ allowedOrigins: [page] });
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await ask("/v1/who", { origin, "access-control-request-method": "POST" }, method);
        expect([answer.status, codeOf(answer)]).toEqual([403, "origin_not_allowed"]);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
    },
  );

  it("of another site may lead here by a link, and nothing else", async () => {
    app = await startApp();
    const site = { "sec-fetch-site": "cross-site" };
    expect((await ask("/page", { ...site, "sec-fetch-mode": "navigate" })).status).toBe(200);
    expect((await ask("/v1/who", { ...site, "sec-fetch-mode": "no-cors" })).status).toBe(403);
    expect((await ask("/v1/body", { ...site, "sec-fetch-mode": "navigate" }, "POST", "x")).status).toBe(403);
  });

  it("of an allowed origin may, after asking first", async () => {
    app = await startApp({ allowedOrigins: [`${page}/`] });
    const asked = {
      origin: page,
      "sec-fetch-site": "cross-site",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization,if-match",
    };
    const preflight = await ask("/v1/who", asked, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": page,
      "access-control-allow-headers": "authorization,if-match",
      vary: "Origin, Access-Control-Request-Headers",
    });
    expect(preflight.headers["access-control-allow-methods"]).toContain("PATCH");
    expect(preflight.headers["access-control-allow-credentials"]).toBeUndefined();
    const answer = await ask("/v1/who", { origin: page, "sec-fetch-site": "cross-site" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ "access-control-allow-origin": page, vary: "Origin" });
    // A refusal can be read by the page too.
    const refused = await ask("/v1/body", { origin: page }, "POST", "x".repeat(2_000));
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([413, page]);
  });

  it("of nobody gets a CORS header by default", async () => {
    app = await startApp();
    const { headers } = await ask("/v1/who");
    expect(Object.keys(headers).filter((name) => /access-control|vary/u.test(name))).toEqual([]);
  });
});

describe("a caller's rate", () => {
  it("is limited with 429 and when to try again", async () => {
    app = await startApp({ limits: { ...loopbackSettings.limits, requestsPerMinuteMax: 3 } });
    const answers = [];
    for (let count = 0; count < 5; count++) answers.push(await ask("/v1/who"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(codeOf(answers[3]!)).toBe("rate_limited");
    // A token every 20 s.
    expect(Number(answers[3]!.headers["retry-after"])).toBeGreaterThan(15);
    expect(Number(answers[3]!.headers["retry-after"])).toBeLessThanOrEqual(20);
  });

  it("refills evenly, and the map of callers is bounded", async () => {
    app = await startApp();
    let nowMs = 0;
    const buckets = new TokenBuckets(60, { countMax: 100, now: () => nowMs });
    const taken = Array.from({ length: 61 }, () => buckets.take("ada"));
    expect(taken.filter((seconds) => seconds === 0)).toHaveLength(60);
    expect(taken[60]).toBe(1);
    nowMs += 999;
    expect(buckets.take("ada")).toBe(1);
    nowMs += 1;
    expect(buckets.take("ada")).toBe(0);
    for (let caller = 0; caller < 1_000; caller++) buckets.take(String(caller));
    expect(buckets.size).toBe(100);
  });
});

describe("the headers of an answer", () => {
  it("protect it, also when it is a refusal", async () => {
    app = await startApp();
    for (const [path, headers] of [
      ["/v1/who", {}],
      ["/v1/who", { host: "evil.example" }],
      ["/v1/unknown", {}],
    ] as const) {
      const answer = await ask(path, headers);
      expect(answer.headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
      });
      expect(answer.headers["x-powered-by"]).toBeUndefined();
      expect(answer.headers["x-request-id"]).toMatch(/^[\w-]{36}$/u);
    }
  });

  it("leave what a route sets itself, and go with answers fetched elsewhere", async () => {
    app = await startApp();
    const page = await ask("/page");
    expect(page.headers["content-security-policy"]).toBe("default-src 'self'");
    expect(page.headers["cache-control"]).toBeUndefined();
    const fetched = await ask("/fetched");
    expect(fetched.headers["x-content-type-options"]).toBe("nosniff");
    expect(fetched.headers["x-request-id"]).toMatch(/^[\w-]{36}$/u);
    expect(fetched.body).toContain("from-elsewhere");
  });

  it("repeat a request's id if it is one", async () => {
    app = await startApp();
    expect((await ask("/v1/who", { "x-request-id": "abc-1" })).headers["x-request-id"]).toBe("abc-1");
    expect((await ask("/v1/who", { "x-request-id": 'a" forged' })).headers["x-request-id"]).toMatch(/^[\w-]{36}$/u);
  });
});
