/** `mnemosyne chat`: a conversation with a language model that shows the memory at work. */
import { InvalidArgumentError, type Command } from "commander";
import { type Mnemosyne, MnemosyneError, type PersonMemory, type Recall } from "mnemosyne-edge";
import { planBudget } from "./chat-messages.js";
import { Chat, type ChatAnswer, endBrokenChats } from "./chat.js";
import { describeOutcome } from "../commit-command.js";
import { describeCore } from "../core-commands.js";
import { createLanguageModel, describeChoice, requireLanguageModel } from "../language-model-settings.js";
import { LineReader } from "./line-reader.js";
import { explainBriefly, findOutdated, listRecalled } from "../recall-command.js";
import { nameOthers } from "../outcome-words.js";
import { ReplyPrinter } from "./reply-text.js";
import { type Settings, parsePositive, waitUntilProcessed, withMnemosyne } from "../settings.js";
import { wrap } from "../layout.js";
import { colours, heading } from "../paint.js";
import { countOf, print, printWrapped, showSign } from "../terminal.js";

interface ChatCommandOptions {
  readonly contextTokens: number;
  readonly state?: string;
}

const contextTokensDefault = 4_096;
/** Enough for the instructions of the memory or the chat, some text and a reply. */
const contextTokensMin = 768;

export function addChatCommand(program: Command): void {
  program
    .command("chat")
    .description("talk with a language model that remembers; the conversation is committed at the end")
    .option(
      "--context-tokens <n>",
      "tokens the model takes at once, including its reply",
      parseContextTokens,
      contextTokensDefault,
    )
    .option("--state <state>", 'domain-specific state, e.g. "post-surgery recovery phase"')
    .addHelpText(
      "after",
      `
In the chat, /memories shows what was recalled, /why how it was found, /core the
core summary, /help all commands. /quit, Ctrl-D or Ctrl-C ends it. In a pipe
each line is a turn; with --json each reply is a line of JSON. A reply is given
up when the model sends nothing for modelTimeBudgetSeconds; what you said is
kept.

Examples, for llama.cpp's server, for Ollama, and for a model in this process:
  mnemosyne chat --llm-url http://localhost:8080/v1 --llm-model llama-3.1-8b
  mnemosyne chat --llm-url http://localhost:11434/v1 --llm-model llama3.2
  mnemosyne --person ada chat --gguf model.gguf`,
    )
    .action(async (options: ChatCommandOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const choice = requireLanguageModel(settings);
      const { contextTokens, ...rest } = options;
      const languageModel = createLanguageModel(choice, { contextTokens });
      const run = async (mnemosyne: Mnemosyne): Promise<void> => {
        const memory = mnemosyne.person(settings.person);
        const brokenTurnCount = await endBrokenChats(memory);
        const { timeZone } = await mnemosyne.describe();
        const { contextTokenBudget, modelTimeBudgetSeconds } = mnemosyne.parameters;
        const chat = await Chat.begin(memory, languageModel, {
          planBudget: () => planBudget(contextTokens, languageModel.textTokensMax, contextTokenBudget),
          silenceSecondsMax: modelTimeBudgetSeconds,
          timeZone,
          ...rest,
        });
        if (settings.json !== true) greet(settings.person, describeChoice(choice), brokenTurnCount);
        await talk(chat, memory, settings.json === true);
        await finish(chat, memory, settings.json === true);
      };
      await withMnemosyne(settings, run, "new or existing", { languageModel });
    });
}

function parseContextTokens(text: string): number {
  const value = parsePositive(text);
  if (value >= contextTokensMin) return value;
  throw new InvalidArgumentError(
    `it must be at least ${contextTokensMin}, to fit the instructions, a memory and a reply`,
  );
}

function greet(person: string, model: string, brokenTurnCount: number): void {
  printWrapped(`${heading(`${person} and ${model}`)}  ${colours.dim("/help lists the commands, /quit ends the chat")}`);
  if (brokenTurnCount === 0) return;
  printWrapped(
    colours.dim(
      `An earlier chat was interrupted; its ${countOf(brokenTurnCount, "turn")} ${brokenTurnCount === 1 ? "is" : "are"} committed now.`,
    ),
  );
}

/** Runs until the user ends it, even in the middle of a reply. */
async function talk(chat: Chat, memory: PersonMemory, isJson: boolean): Promise<void> {
  const stop = new AbortController();
  const reader = new LineReader(colours.cyan("you › "), () => {
    stop.abort();
    reader.close();
  });
  try {
    for await (const line of reader) {
      const said = line.trim();
      if (stop.signal.aborted || said === "/quit" || said === "/exit") break;
      if (said === "") continue;
      try {
        if (said.startsWith("/")) await showAside(said, chat, memory, isJson);
        else await answer(said, chat, stop.signal, isJson);
      } catch (error) {
        reportMistake(said, error, isJson);
      }
    }
  } finally {
    reader.close();
  }
  if (reader.isTerminal) print();
}

async function answer(said: string, chat: Chat, signal: AbortSignal, isJson: boolean): Promise<void> {
  if (isJson) return printLine(viewAnswer(said, await chat.answer(said, { signal })));
  let hideSign = (): void => {};
  const printer = new ReplyPrinter(() => hideSign());
  const answered = await chat.answer(said, {
    onRecall: (recall) => {
      print(colours.dim(describeRecall(recall)));
      hideSign = showSign("waiting for the model…");
    },
    onText: (piece) => printer.add(piece),
    signal,
  });
  hideSign();
  if (answered.reply !== null) return printer.end(answered.reply);
  printer.end("");
  const reason = signal.aborted ? "stopped" : `the model failed: ${answered.failure}`;
  print(colours.yellow(wrap(`${reason.replace(/[.?!]$/u, "")}. What you said is kept.`)));
}

/** Invalid input must not end the chat. */
function reportMistake(said: string, error: unknown, isJson: boolean): void {
  if (!(error instanceof MnemosyneError) || error.family === "store") throw error;
  if (isJson) printLine({ said, error: { code: error.code, message: error.message } });
  else printWrapped(`${colours.red("error")} ${error.code}: ${error.message}`);
}

function describeRecall({ memories, trace }: Recall): string {
  const { includedIds, coreSummary, tokenCount } = trace.context;
  const core = coreSummary === "included" || coreSummary === "shortened" ? ["the core summary"] : [];
  const left = memories.length - includedIds.length;
  const found =
    memories.length === 0 ? [] : [countOf(includedIds.length, "memory") + (left > 0 ? ` (${left} too long)` : "")];
  return found.length + core.length === 0
    ? "nothing recalled"
    : `recalled ${[...found, ...core].join(" and ")}, ${tokenCount} tokens`;
}

/** A command inside the chat; its result as text, and as a value for --json. */
interface Aside {
  readonly meaning: string;
  show(chat: Chat, memory: PersonMemory): Promise<{ readonly text: string; readonly value: unknown }>;
}

const nothingAsked = { text: "You have not asked anything yet.", value: null };

const updateName = "/core update";

const asides: Readonly<Record<string, Aside>> = {
  "/memories": {
    meaning: "what was recalled for the last question",
    show: async ({ lastRecall }, memory) => {
      if (lastRecall === null) return nothingAsked;
      const text = listRecalled(lastRecall, await findOutdated(lastRecall, memory));
      return { text, value: lastRecall.memories };
    },
  },
  "/why": {
    meaning: "how that was found",
    show: async ({ lastRecall }) =>
      lastRecall === null ? nothingAsked : { text: explainBriefly(lastRecall), value: lastRecall.trace },
  },
  "/core": {
    meaning: "the core summary: what is always in the context",
    show: async ({ timeZone }, memory) => {
      const core = await memory.coreSummary();
      return { text: describeCore(core, `with ${updateName}`, timeZone), value: core };
    },
  },
  [updateName]: {
    meaning: "write it again, then show it",
    show: async ({ timeZone }, memory) => {
      const core = await memory.coreSummary({ update: true });
      return {
        text: core.updatedAt === null ? "There is nothing to summarize." : describeCore(core, "", timeZone),
        value: core,
      };
    },
  },
  "/help": {
    meaning: "this list",
    show: async () => ({ text: writeHelp(), value: Object.keys(asides) }),
  },
};

async function showAside(typed: string, chat: Chat, memory: PersonMemory, isJson: boolean): Promise<void> {
  const name = typed.replaceAll(/\s+/gu, " ").replace(/^\/help .*/u, "/help");
  if (!Object.hasOwn(asides, name)) return refuseAside(name, isJson);
  const { text, value } = await asides[name]!.show(chat, memory);
  if (isJson) printLine({ aside: name, value });
  else print(text);
}

function refuseAside(name: string, isJson: boolean): void {
  const message = `${name} is not a command; the model was not asked`;
  if (isJson) return printLine({ aside: name, error: { code: "option_invalid", message } });
  printWrapped(colours.yellow(`${message}. Commands:`));
  print(writeHelp());
}

function writeHelp(): string {
  const lines = Object.entries(asides).map(([name, { meaning }]) => [name, meaning] as const);
  return [...lines, ["/quit", "end the chat and commit it (also Ctrl-D, Ctrl-C)"] as const]
    .map(([name, meaning]) => `  ${colours.bold(name.padEnd(12))} ${meaning}`)
    .join("\n");
}

async function finish(chat: Chat, memory: PersonMemory, isJson: boolean): Promise<void> {
  const id = await chat.end();
  if (id === null) return isJson ? printLine({ id: null }) : print(colours.dim("Nothing was said."));
  if (!isJson) {
    printWrapped(colours.dim("Processing the conversation; it is already stored, so Ctrl-C does not lose it."));
  }
  await waitUntilProcessed(memory.settled(), `the chat was accepted as ${id}`);
  const [item] = await memory.history({ ids: [id] });
  if (isJson) printLine({ id, outcome: item!.outcome, reason: item!.reason });
  else print(describeOutcome(item!, await nameOthers(memory, [item!], chat.timeZone)));
}

function viewAnswer(said: string, { recall, ...rest }: ChatAnswer): object {
  const memories = recall.memories.map(({ id, at, score, inContext }) => ({ id, at, score, inContext }));
  return { said, ...rest, memories, seed: recall.trace.seed };
}

function printLine(value: unknown): void {
  print(JSON.stringify(value));
}
