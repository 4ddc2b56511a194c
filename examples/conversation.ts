/**
 * An assistant with a memory: it recalls before each answer, and every turn is stored as it arrives. Half-way through
 * the process ends; the next one continues the same conversation.
 */
import { type Conversation, Mnemosyne, type PersonMemory } from "mnemosyne-edge";

/** Stands in for your model, which gets the context from the memory as its system prompt. */
async function askModel(systemPrompt: string, said: string): Promise<string> {
  return `I have ${systemPrompt.split("\n").length} lines of context, and you said: ${said}`;
}

async function answer(memory: PersonMemory, conversation: Conversation, said: string): Promise<string> {
  await conversation.add({ who: "user", text: said });
  const { context } = await memory.recall(said, { tokenBudget: 400 });
  const reply = await askModel(context, said);
  await conversation.add({ who: "assistant", text: reply });
  return reply;
}

const options = { path: "rosa.db", profile: "healthcare", timeZone: "Europe/Lisbon" } as const;
const conversationId = "monday-call";

const first = await Mnemosyne.open(options);
const before = await first.person("rosa").conversation({ id: conversationId, state: "recovery at home" });
await answer(first.person("rosa"), before, "The new tablets make me dizzy when I stand up.");
await first.close();

const second = await Mnemosyne.open(options);
const rosa = second.person("rosa");
const after = await rosa.conversation({ id: conversationId });
await answer(rosa, after, "I take two of them, at eight in the morning.");
await after.end();
await rosa.settled();

const [item] = await rosa.history({ ids: [conversationId] });
process.stdout.write(`${item?.turns.length} turns, ${item?.outcome}\n`);
const { context } = await rosa.recall("Which medicine made me dizzy?");
process.stdout.write(`${context}\n`);
await second.close();
