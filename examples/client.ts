/** A memory behind a server, from any runtime with fetch: npx mnemosyne-edge serve, then run this. */
import { MnemosyneClient, MnemosyneClientError } from "mnemosyne-edge-server/client";

const url = process.env["MNEMOSYNE_URL"] ?? "http://127.0.0.1:7373";
const key = process.env["MNEMOSYNE_API_KEY"];
const ada = new MnemosyneClient(key === undefined ? { url } : { url, key }).person("ada");

const { id, outcome } = await ada.commit("I am allergic to penicillin.", { wait: true });
const { context } = await ada.recall("What am I allergic to?", { trace: false });

const { tag } = await ada.get(id);
await ada.update(id, { text: "I am allergic to penicillin and nuts." }, { ifTag: tag });
const conflict = await ada.update(id, { text: "I have no allergies." }, { ifTag: tag }).catch((error: unknown) => {
  if (error instanceof MnemosyneClientError) return `${error.status} ${error.code}`;
  throw error;
});

const summaries: string[] = [];
for await (const { summary } of ada.list()) summaries.push(summary);
export { conflict, context, outcome, summaries };
