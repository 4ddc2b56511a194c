/** A JSON list of conversations, or a single one, as ChatGPT and Claude export them: each is read by itself. */
import type { ImportedInteraction } from "./imported-interaction.js";
import { readJsonValues } from "./json-values.js";
import type { Reading } from "./reading.js";

export async function* readConversationList(
  chunks: AsyncIterable<string>,
  reading: Reading,
  readConversation: (value: unknown, reading: Reading) => ImportedInteraction[],
): AsyncGenerator<ImportedInteraction> {
  let number = 0;
  for await (const { value } of readJsonValues(chunks, { list: ["$.*"], object: ["$"] }, reading)) {
    number++;
    reading.count();
    yield* reading.attempt(`conversation ${number}`, () => readConversation(value, reading));
  }
}
