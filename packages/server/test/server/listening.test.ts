/** Binding, refusing what is not HTTP, and a stop that loses nothing that was accepted. */
import { createServer } from "node:http";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { InputError } from "../../../memory/src/index.js";
import { type Listening, checkExposure, defaultTimes, listen } from "../../src/server/listening.js";
import { respondWithProblem } from "../../src/server/problem.js";
import { withTimeLimit } from "../../src/server/security/request-limits.js";
import type { ServerEnv, ServerSettings } from "../../src/server/server-context.js";
import { loopbackSettings, recordingLog, shortTimes } from "./hostile-server.js";
import { exchange, openRaw, until } from "./raw-client.js";

/** The longest of the proxies in docs/deploy.md. */
const caddyKeepsSeconds = 120;

const log = recordingLog();
let listening: Listening | undefined;
afterEach(async () => {
  await listening?.stop();
  listening = undefined;
});

/** A route that answers when it is told to, and one that takes its time. */
function appWithGate(): { app: Hono; openGate: () => void; waitingCount: () => number } {
  const app = new Hono<ServerEnv>();
  let openGate = (): void => {};
  let waitingCount = 0;
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  app.onError((error) => respondWithProblem(error));
  app.get("/", (c) => c.text("here"));
  app.get("/gate", async (c) => {
    waitingCount++;
    await gate;
    return c.text("finished");
  });
  return { app: app as unknown as Hono, openGate, waitingCount: () => waitingCount };
}

async function start(app: Hono, settings: Partial<ServerSettings> = {}, times = defaultTimes): Promise<Listening> {
  listening = await listen(app, { ...loopbackSettings, ...settings }, log, times);
  return listening;
}

describe("listening", () => {
  it("says where, on a port that was free", async () => {
    const { url, port } = await start(appWithGate().app);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(await (await fetch(url)).text()).toBe("here");
  });

  it("keeps an idle connection longer than a proxy does, which would otherwise use one that is closing", async () => {
    const { url } = await start(appWithGate().app);
    const { headers } = await fetch(url);
    expect(Number(/^timeout=(\d+)$/u.exec(headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(caddyKeepsSeconds);
  });

  it("on a port in use is refused with what to do", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    const error = await start(appWithGate().app, { port }).catch((thrown: unknown) => thrown);
    await new Promise((resolve) => other.close(resolve));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "option_invalid", message: expect.stringContaining(`port ${port} is in use`) });
  });

  it("on an address of another machine is refused with what to do", async () => {
    await expect(start(appWithGate().app, { host: "192.0.2.1" })).rejects.toThrow(/no address 192\.0\.2\.1.*--host/u);
  });

  it("beyond this machine, also through a proxy, needs keys", () => {
    const keys = { verify: async () => null, isStillGood: async () => false };
    const alone = { host: "127.0.0.1", allowedHosts: [], trustsProxy: false };
    const beyond = ["0.0.0.0", "::", "", "192.168.0.2", "memory.example", "127.0.0.1.evil.example"];
    const exposed = [
      ...beyond.map((host) => ({ ...alone, host })),
      { ...alone, allowedHosts: ["localhost", "memory.example.org"] },
      { ...alone, trustsProxy: true },
    ];
    for (const settings of exposed) {
      expect(() => checkExposure(settings, null), JSON.stringify(settings)).toThrow(/mnemosyne keys add/u);
      expect(() => checkExposure(settings, keys), JSON.stringify(settings)).not.toThrow();
    }
    for (const host of ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.2"]) {
      expect(() => checkExposure({ ...alone, host }, null), host).not.toThrow();
      expect(() => checkExposure({ ...alone, allowedHosts: [host] }, null), host).not.toThrow();
    }
  });

  it("beyond this machine without TLS is warned of", async () => {
    const before = log.lines.length;
    await start(appWithGate().app, { host: "0.0.0.0" });
    expect(log.lines.slice(before)).toMatchObject([
      { level: "warn", message: expect.stringContaining("use a proxy with TLS") },
      { level: "warn", message: expect.stringContaining("--allowed-host") },
    ]);
    expect(listening!.url).toBe(`http://localhost:${listening!.port}`);
  });
});

describe("what is not a request", () => {
  it.each([
    ["a greeting", 400, "hello\r\n\r\n"],
    ["an unknown version", 400, "GET / HTTP/9.9\r\nhost: localhost\r\n\r\n"],
    ["a long header", 431, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(20_000)}\r\n\r\n`],
    [
      "a body with a length and in pieces",
      400,
      "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a host of two words", 400, "GET / HTTP/1.1\r\nhost: a b\r\n\r\n"],
    ["a backslash in the path", 400, "GET /\\evil HTTP/1.1\r\nhost: local host\r\n\r\n"],
  ])("%s is refused with %i and a problem document", async (_, status, text) => {
    const { port } = await start(appWithGate().app, {}, shortTimes);
    const client = await openRaw(port, text);
    await until(() => client.received().includes('"code"'), "a refusal");
    expect(client.received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `, "u"));
    expect(client.received()).toContain('"code":"request_invalid"');
    expect(client.received()).toContain("application/problem+json");
    client.socket.destroy();
  });

  it("does not reach a request that is smuggled behind it", async () => {
    const { port } = await start(appWithGate().app, {}, shortTimes);
    const smuggled = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    const both = `POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n${smuggled}`;
    expect(await exchange(port, both)).not.toContain("here");
  });
});

describe("stopping", () => {
  it("waits for a request that is running, and takes no other", async () => {
    const { app, openGate, waitingCount } = appWithGate();
    const { url, port, stop } = await start(app);
    const running = fetch(`${url}/gate`).then((response) => response.text());
    const idle = await openRaw(port, "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    const silent = await openRaw(port);
    const halfSent = await openRaw(port, "GET / HTTP/1.1\r\nho");
    await until(() => waitingCount() === 1 && idle.received().includes("here"), "a request is running");
    const stopped = stop();
    // Nothing was accepted from these, so nobody waits for them.
    await Promise.all([idle.closed, silent.closed, halfSent.closed]);
    await expect(fetch(url)).rejects.toThrow();
    openGate();
    expect(await running).toBe("finished");
    await stopped;
    await expect(stop()).resolves.toBeUndefined();
  });

  it("does not wait for ever", async () => {
    const { app, waitingCount } = appWithGate();
    const { url, stop } = await start(app, { limits: { ...loopbackSettings.limits, stopSecondsMax: 0.2 } });
    const running = fetch(`${url}/gate`);
    running.catch(() => {});
    await until(() => waitingCount() === 1, "a request is running");
    await stop();
    await expect(running).rejects.toThrow();
    expect(log.lines.at(-1)).toMatchObject({ level: "warn", fields: { connectionCount: 1 } });
  });
});

describe("a time limit", () => {
  it("answers 503 and tells the work to stop", async () => {
    const { app } = appWithGate();
    let reason: unknown;
    app.get("/slow", (c) =>
      withTimeLimit(c, 0.05, async (signal) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        reason = signal.reason;
        return c.text("too late");
      }),
    );
    app.get("/quick", (c) => withTimeLimit(c, 60, async () => c.text("in time")));
    const { url } = await start(app);
    const response = await fetch(`${url}/slow`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await response.json()).toMatchObject({ code: "request_timeout" });
    await until(() => reason !== undefined, "the work is told");
    expect(reason).toMatchObject({ code: "request_timeout" });
    expect(await (await fetch(`${url}/quick`)).text()).toBe("in time");
  });

  it("tells the work when the client is gone", async () => {
    const { app } = appWithGate();
    let begun = 0;
    let aborted = 0;
    app.get("/slow", (c) =>
      withTimeLimit(c, 600, async (signal) => {
        begun++;
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        aborted++;
        return c.text("to nobody");
      }),
    );
    const { port } = await start(app);
    const client = await openRaw(port, "GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await until(() => begun === 1, "the work begins");
    client.socket.destroy();
    await until(() => aborted === 1, "the work is told");
  });
});
