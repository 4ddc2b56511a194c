/** Whatever a body says, the answer is a success or a problem document that says what is wrong; nothing makes the server fail. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type WalkedIds, restDoors } from "../doors.js";
import { type WalkedServer, prepare, startWalkedServer } from "../walked-server.js";

const scratch = new ScratchFolder();
let server: WalkedServer;
let ids: WalkedIds;
beforeAll(async () => {
  server = await startWalkedServer(scratch);
  ids = await prepare(server.mnemosyne, "ada", "own");
});

/** A valid body in which one member, wherever it stands, is replaced, added or left out. */
function changed(body: unknown, at: number, value: unknown): unknown {
  const paths: (readonly string[])[] = [["surprise"]];
  const collect = (inner: unknown, path: readonly string[]): void => {
    if (typeof inner !== "object" || inner === null) return;
    for (const [name, member] of Object.entries(inner)) {
      paths.push([...path, name]);
      collect(member, [...path, name]);
    }
  };
  collect(body, []);
  const path = paths[at % paths.length]!;
  const copy = structuredClone(body) as Record<string, unknown>;
  const parent = path.slice(0, -1).reduce((inner, name) => inner[name] as Record<string, unknown>, copy);
  parent[path.at(-1)!] = value;
  return copy;
}

const noIds: WalkedIds = { memory: "a", later: "b", earlier: "c", pinned: "d", pruned: "e", conversation: "f" };
const doors = restDoors.flatMap((door) => {
  const isJson = (person: string): boolean =>
    door.request(person, noIds).headers["content-type"] === "application/json";
  return isJson("ada") ? [[door.name, door] as const] : [];
});
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom("", "x".repeat(300), "2025-13-45", -1, 1e300, 0.5, null, [], {}, [[]], "\ud800", "\0"),
);

describe.each(doors)("%s", (_, door) => {
  it("answers any body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), anything, async (at, value) => {
        const request = door.request("ada", ids);
        const body = JSON.stringify(changed(JSON.parse(request.body!.toString()), at, value));
        const answer = await server.send(server.keys.ada, { ...request, body: Buffer.from(body) });
        const text = answer.body.toString();
        if (answer.status < 300) return;
        expect({ body, text, status: answer.status }).toMatchObject({
          status: expect.toSatisfy((s: number) => s < 500),
        });
        expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), detail: expect.any(String) });
      }),
      { numRuns: 40 },
    );
  });

  it.each(["{", "[]", "null", '"text"', `${"[".repeat(300)}${"]".repeat(300)}`])("refuses %j", async (body) => {
    const answer = await server.send(server.keys.ada, { ...door.request("ada", ids), body: Buffer.from(body) });
    expect([400, 413]).toContain(answer.status);
  });
});
