/** mnemosyne-edge-server/client: a memory behind a server, for browsers and other runtimes. */
export { MnemosyneClient } from "./mnemosyne-client.js";
export type { Health } from "./mnemosyne-client.js";
export { MnemosyneClientError } from "./client-error.js";
export type { ClientErrorCode } from "./client-error.js";
export type { ClientConversation } from "./client-conversation.js";
export type { ClientEvent, ClientEvents, EventsOptions } from "./event-reading.js";
export type { ImportSource } from "./bodies.js";
export type {
  ClientExportOptions,
  ClientHistoryOptions,
  ClientRecallOptions,
  PersonClient,
  PlainRecall,
} from "./person-client.js";
export type { ClientOptions } from "./requests.js";
