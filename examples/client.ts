/** A memory behind a server, from any runtime with fetch: npx mnemosyne serve, then run this. */
import { MnemosyneClient, MnemosyneClientError } from "mnemosyne-edge/client";

const env = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env ?? {};
const url = env["MNEMOSYNE_URL"] ?? "http://127.0.0.1:7373";
const key = env["MNEMOSYNE_API_KEY"];
const client = new MnemosyneClient(key === undefined ? { url } : { url, key });
const ada = client.person("ada");

const { id, outcome } = await ada.commit("I am allergic to penicillin.", { wait: true });
console.log(outcome);

const { context, memories } = await ada.recall("What am I allergic to?", { trace: false });
console.log(memories.length, context.includes("penicillin"));

const { tag } = await ada.get(id);
await ada.update(id, { text: "I am allergic to penicillin and nuts." }, { ifTag: tag });
try {
  await ada.update(id, { text: "I am allergic to nothing." }, { ifTag: tag });
} catch (error) {
  if (!(error instanceof MnemosyneClientError)) throw error;
  console.log(error.status, error.code);
}

for await (const { id: listed } of ada.list()) console.log(listed === id);
