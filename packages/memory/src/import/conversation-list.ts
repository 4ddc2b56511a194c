/**
 * A JSON list of conversations, or a single one, as ChatGPT and Claude export them: each is read by itself, and divided into
 * interactions at its pauses.
 */
import {
  type ImportedInteraction,
  type ImportedMetadata,
  type TimedMessage,
  idPart,
  toInteraction,
} from "./imported-interaction.js";
import { readJsonValues } from "./json-values.js";
import type { Reading } from "./reading.js";
import { divideConversation } from "./sessions.js";

/** A message as the source has it, with the source's own id. */
export type ListedMessage = TimedMessage & { readonly id: string };

export interface ListedConversation {
  /** The id of its first interaction. */
  readonly id: string;
  readonly messages: readonly ListedMessage[];
  readonly metadata: ImportedMetadata;
}

export async function* readConversationList(
  chunks: AsyncIterable<string>,
  reading: Reading,
  readConversation: (value: unknown, reading: Reading) => ListedConversation,
): AsyncGenerator<ImportedInteraction> {
  let number = 0;
  for await (const value of readJsonValues(chunks, { list: "$.*", object: "$" }, reading)) {
    number++;
    reading.count();
    yield* reading.attempt(`conversation ${number}`, () => {
      const { id, messages, metadata } = readConversation(value, reading);
      if (messages.length === 0) reading.skip("conversations without words");
      return divideConversation(messages, reading.settings.limits).map((part, i) =>
        toInteraction(i === 0 ? id : `${id}-${idPart(part[0]!.id!)}`, part, metadata),
      );
    });
  }
}
