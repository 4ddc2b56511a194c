/** The log of the server carries no memory text, key or question. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../memory/src/index.js";
import { createLog } from "../../src/server/log.js";
import type { ServerLog } from "../../src/server/server-context.js";

const key = `mnk_abcdefgh_${"s".repeat(43)}`;
const told = "Ada moved to Lisbon";

function logTo(level: "debug" | "warn" = "debug"): { log: ServerLog; text: () => string } {
  const lines: string[] = [];
  return {
    log: createLog({ level, to: { write: (line) => void lines.push(line) } }),
    text: () => lines.join(""),
  };
}

function say(log: ServerLog): void {
  const error = new InputError("interaction_invalid", `"${told}" cannot be used, with ${key}`, {
    cause: new Error(told),
  });
  log.info({ requestId: "r-1", status: 200, person: "ada", keyId: "abcdefgh", count: 3 }, "answered");
  log.warn({ headers: { Authorization: `Bearer ${key}`, "X-Api-Key": key, cookie: "c" } }, "headers");
  log.error({ error, path: `/v1?key=${key}` }, `failed for ${key}`);
  log.debug(
    { query: told, deep: { er: [{ text: told }, { hypotheticalQuery: told }] }, metadata: { a: told } },
    "recalled",
  );
  log.debug({ turns: [{ who: "user", text: told }], trace: { x: { y: told } }, bytes: Buffer.from(told) }, "committed");
}

describe("the log", () => {
  it("has neither texts nor keys, and what is needed all the same", () => {
    const { log, text } = logTo();
    say(log);
    expect(text()).not.toContain(told);
    expect(text()).not.toContain("sssss");
    expect(text()).not.toContain(JSON.stringify([...Buffer.from(told)]).slice(1, -1));
    const lines = text()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatchObject({ level: "info", requestId: "r-1", status: 200, person: "ada", msg: "answered" });
    expect(String(lines[0]!["time"])).toMatch(/^\d{4}-\d\d-\d\dT/u);
    expect(lines[2]).toMatchObject({
      error: {
        name: "InputError",
        code: "interaction_invalid",
        at: expect.arrayContaining([expect.stringContaining("log.test.ts")]),
      },
      msg: "failed for mnk_abcdefgh_[hidden]",
    });
  });

  it("leaves out what is below its level", () => {
    const { log, text } = logTo("warn");
    say(log);
    expect(text().trimEnd().split("\n")).toHaveLength(2);
  });

  it("survives what has no end", () => {
    const { log, text } = logTo();
    const ring: Record<string, unknown> = {};
    ring["ring"] = ring;
    log.info({ ring, many: Array.from({ length: 100_000 }, () => 1) }, "round");
    expect(text().length).toBeLessThan(2_000);
  });
});
