/** docs/server.md says what the server does: routes, metrics, limits; and its examples run. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { restRoutes } from "../../src/server/rest/routes.js";
import { defaultLimits } from "../../src/server/server-context.js";
import { read, tableRows } from "../../../../test/docs/project-files.js";
import { Servers, type Serving } from "./serving.js";

const page = "docs/server.md";
const text = read(page);
const servers = new Servers();
let serving: Serving;

beforeAll(async () => {
  serving = await servers.start();
});

async function run(command: string, args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(command, args, { env: { ...process.env, MNEMOSYNE_URL: serving.url } });
  let out = "";
  child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (out += piece.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out };
}

/** "?outdated={outdated}" */
function required(query: (typeof restRoutes)[number]["query"]): string {
  const names = Object.entries(query?.shape ?? {}).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : name,
  );
  return names.map((name, i) => `${i === 0 ? "?" : "&"}${name}={${name}}`).join("");
}

describe("docs/server.md", () => {
  it("lists every route, in the order of the list, with its summary and what its query must have", () => {
    const rows = tableRows(page, "Routes").map(([route, summary]) => [route!.replaceAll("`", ""), summary]);
    expect(rows).toEqual(
      restRoutes.map(({ method, path, query, summary }) => [
        `${method.toUpperCase()} ${path}${required(query)}`,
        summary,
      ]),
    );
  });

  it("names the metrics that are there", async () => {
    const metrics = await (await fetch(`${serving.url}/metrics`)).text();
    const own = [...metrics.matchAll(/^# TYPE (\w+)/gmu)].map(([, name]) => name!);
    const named = tableRows(page, "Metrics").flatMap(([cell]) => cell!.replaceAll("`", "").split(", "));
    const isNamed = (name: string): boolean =>
      named.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name));
    expect(own.filter((name) => !isNamed(name))).toEqual([]);
    expect(named.filter((each) => !own.some((name) => name.startsWith(each.replace("*", ""))))).toEqual([]);
  });

  it("has the limits of the source", () => {
    const cells = tableRows(page, "Limits").map(([, limit]) => limit!);
    const { bodyBytesMax, streamBytesMax, requestSecondsMax, requestsPerMinuteMax, requestsAtOnceMax } = defaultLimits;
    expect(cells.slice(0, 5)).toEqual([
      `${bodyBytesMax / 2 ** 20} MiB; ${streamBytesMax / 2 ** 20} MiB`,
      `${requestSecondsMax} s`,
      `${requestsPerMinuteMax.toLocaleString("en")} (\`--requests-per-minute\`); ${requestsAtOnceMax}`,
      `${defaultLimits.headerBytesMax / 2 ** 10} KiB`,
      defaultLimits.connectionCountMax.toLocaleString("en"),
    ]);
  });

  it("quotes the calls of examples/server-curl.sh, which run", async () => {
    const script = read("examples/server-curl.sh");
    const calls = [...text.matchAll(/```sh\n(curl[^`]*)```/gu)].map(([, call]) => call!);
    expect(calls.length).toBe(3);
    for (const call of calls) expect(script).toContain(call);
    const { code, out } = await run("sh", [
      fileURLToPath(new URL("../../../../examples/server-curl.sh", import.meta.url)),
    ]);
    expect({ code, lines: out.trimEnd().split("\n").length }).toEqual({ code: 0, lines: 3 });
    const shown = [...text.matchAll(/```json\n(\{\s*"(?:id|context|memories)"[^`]*)```/gu)].map(([, json]) => json!);
    const fieldsOf = (json: string): string[] => Object.keys(JSON.parse(json) as object);
    expect(shown.map(fieldsOf)).toEqual(out.trimEnd().split("\n").map(fieldsOf));
  });
});

describe("examples/client.ts", () => {
  it("runs against a server", async () => {
    process.env["MNEMOSYNE_URL"] = serving.url;
    const ada = serving.mnemosyne.person("ada");
    await ada.forgetAll().catch(() => {});
    const { conflict, context, outcome, summaries } = await import("../../../../examples/client.js");
    delete process.env["MNEMOSYNE_URL"];
    expect({ conflict, outcome }).toEqual({ conflict: "412 edit_conflict", outcome: "committed" });
    expect(context).toContain("penicillin");
    expect(summaries).toEqual([expect.stringContaining("and nuts")]);
  });
});
