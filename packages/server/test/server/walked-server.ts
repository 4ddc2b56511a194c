/** A server with keys of every kind and people with secrets, whose store counts what is asked of it. */
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { afterAll } from "vitest";
import { type Mnemosyne, NotFoundError } from "../../../memory/src/index.js";
import { addKey, revokeKey } from "../../src/server/security/key-file.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import type { WalkedIds } from "./doors.js";
import { type RawAnswer, type RawRequest, sendRaw } from "./exact-client.js";
import { type ProofServer, startProofServer } from "./proof-server.js";
import { ScriptedUpstream } from "./proxy/scripted-upstream.js";

const past = new Date("2024-01-01T00:00:00Z");
const scopes = {
  admin: { isAdmin: true },
  adminReader: { isAdmin: true, isReadOnly: true },
  ada: { persons: ["ada"] },
  adaReader: { persons: ["ada"], isReadOnly: true },
  team: { persons: ["team-*"] },
  victim: { persons: ["bob-victim"] },
  expired: { persons: ["bob-victim"], expiresAt: new Date("2024-02-01T00:00:00Z") },
  revoked: { persons: ["bob-victim"] },
} as const;

export type KeyName = keyof typeof scopes;

export interface WalkedServer extends ProofServer {
  readonly keys: Readonly<Record<KeyName, string>>;
  /** Calls of the store since the start, by name. */
  readonly storeCalls: string[];
  readonly upstream: ScriptedUpstream;
  send(key: string | null, request: RawRequest, isEnough?: (body: Buffer) => boolean): Promise<RawAnswer>;
}

export async function startWalkedServer(scratch: ScratchFolder): Promise<WalkedServer> {
  const keysFile = scratch.next(".keys.json");
  const keys = {} as Record<KeyName, string>;
  for (const [name, scope] of Object.entries(scopes)) {
    const wanted = { label: name, isAdmin: false, persons: [], isReadOnly: false, expiresAt: null, ...scope };
    const { key } = await addKey(keysFile, wanted, past);
    keys[name as KeyName] = key;
  }
  await revokeKey(keysFile, keys.revoked);
  const { store, storeCalls } = countingStore();
  const upstream = await ScriptedUpstream.start();
  afterAll(() => upstream.stop());
  const settings = { upstream: { ...upstreamSettings, url: upstream.origin } };
  const server = await startProofServer({ memory: { store }, settings, keysFile });
  let addressCount = 0;
  const send: WalkedServer["send"] = (key, request, isEnough) => {
    // Wrong keys are counted per address.
    const address = `10.${(addressCount >> 16) & 255}.${(addressCount >> 8) & 255}.${addressCount++ & 255}`;
    const headers = {
      ...request.headers,
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      "x-forwarded-for": address,
    };
    return sendRaw(server.url, { ...request, headers }, isEnough === undefined ? {} : { isEnough });
  };
  return { ...server, keys, storeCalls, upstream, send };
}

const upstreamSettings = { key: null, quietSeconds: 300, tokenBudget: 500 };

function countingStore(): { readonly store: MemoryStore; readonly storeCalls: string[] } {
  const storeCalls: string[] = [];
  const store = new Proxy(new MemoryStore(), {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        // The timers of the memory look for what is due, of nobody in particular.
        const [, selection] = args as [unknown, { readonly person?: string }?];
        if (name !== "due" || selection?.person !== undefined) storeCalls.push(String(name));
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  return { store, storeCalls };
}

/** Forgets what is there and makes what every door needs. `secret` is in each text, id, state and field. */
export async function prepare(mnemosyne: Mnemosyne, person: string, secret: string): Promise<WalkedIds> {
  const memory = mnemosyne.person(person);
  await memory.settled();
  await memory.forgetAll().catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  const id = (name: string): string => `${secret}-${name}`;
  const subjects = ["violin", "garden", "choir", "bakery", "staircase", "insulin"];
  const names = ["oldest", "memory", "earlier", "pinned", "other", "later"];
  let prunedId = "";
  for (const [i, name] of names.entries()) {
    // Before the last one: what it makes outdated would be pruned first.
    if (name === "later") prunedId = (await memory.prune({ memoryCountMax: 4 })).pruned[0]!.id;
    const text = `Oskar told me about the ${subjects[i]} of ${secret} ${"abcdef"[i]!.repeat(6)}.`;
    const input = {
      id: id(name),
      turns: [{ who: "user", text }],
      at: `2025-06-0${i + 1}`,
      state: `state ${secret}`,
      metadata: { agent: "home", note: secret },
      keep: true,
    };
    await memory.commit(name === "later" ? { ...input, updates: id("earlier") } : input, { wait: true });
  }
  await memory.pin(id("pinned"));
  const talk = await memory.conversation({ id: id("conversation") });
  await talk.add({ who: "user", text: `Something about ${secret}.` });
  await memory.coreSummary({ update: true });
  await memory.settled();
  return {
    memory: id("memory"),
    later: id("later"),
    earlier: id("earlier"),
    pinned: id("pinned"),
    pruned: prunedId,
    conversation: id("conversation"),
  };
}
