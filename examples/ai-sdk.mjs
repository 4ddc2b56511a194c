// A model of the AI SDK that remembers. Needs ai (and Node 22); instead of the stand-in, take your provider's model.
import { generateText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { Mnemosyne } from "mnemosyne-edge";
import { withMemory } from "mnemosyne-edge/ai-sdk";

const standIn = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => ({
    content: [{ type: "text", text: prompt[0].content.includes("penicillin") ? "No penicillin for you." : "Noted." }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }),
});

const mnemosyne = await Mnemosyne.open({ path: "ai-sdk.db" });
const person = mnemosyne.person("ada");
const model = withMemory(standIn, { person, tokenBudget: 400, onError: (error) => process.emitWarning(error) });
const instructions = "You are Ada's assistant.";

const first = await generateText({ model, instructions, prompt: "I am allergic to penicillin, says my doctor." });
await person.settled();
const second = await generateText({ model, instructions, prompt: "Which medicine must I not take?" });
process.stdout.write(`${first.text}\n${second.text}\n`);
await mnemosyne.close();
