/** `mnemosyne tutorial`: two minutes by hand, in a memory that is gone afterwards. */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { describeOutcome } from "./commit-command.js";
import { formatReceipt } from "./forget-commands.js";
import { wrap } from "./layout.js";
import { nameOthers } from "./outcome-words.js";
import { colours, heading } from "./paint.js";
import { formatConfidence } from "./recall-command.js";
import { type Settings, toOptions } from "./settings.js";
import { print, printJson } from "./terminal.js";

interface Lesson {
  readonly title: string;
  readonly about: string;
  /** As it would be typed. */
  readonly commands: readonly string[];
  run(memory: PersonMemory, now: Date): Promise<string[]>;
}

const dayMs = 86_400_000;
const person = "tutorial";

const lessons: readonly Lesson[] = [
  {
    title: "Tell it something",
    about:
      "Whatever you commit is on disk at once. Then the memory decides whether it is worth keeping, and says why. Small talk is not.",
    commands: [
      'mnemosyne commit "I moved to Lisbon to work at the aquarium."',
      'mnemosyne commit "Hello! How are you today?"',
    ],
    run: async (memory, now) => [
      await tell(memory, "lisbon", "I moved to Lisbon to work at the aquarium.", daysBefore(now, 20)),
      await tell(memory, "hello", "Hello! How are you today?", daysBefore(now, 19)),
    ],
  },
  {
    title: "Say it again",
    about: "A repetition is noticed. It makes the memory stronger: like yours, it fades slower when it is repeated.",
    commands: ['mnemosyne commit "I moved to Lisbon to work at the aquarium there."'],
    run: async (memory, now) => [
      await tell(memory, "again", "I moved to Lisbon to work at the aquarium there.", daysBefore(now, 9)),
    ],
  },
  {
    title: "Correct it",
    about:
      "When something changes, the new statement makes the old one outdated. Both stay, with their dates, for questions about then and now.",
    commands: ['mnemosyne correct lisbon "I live in Porto now, no longer in Lisbon."'],
    run: async (memory, now) => {
      const at = daysBefore(now, 2);
      const { id } = await memory.correct("lisbon", "I live in Porto now, no longer in Lisbon.", { at, id: "porto" });
      return [await outcomeOf(memory, id)];
    },
  },
  {
    title: "Ask",
    about:
      "A recall gives a short text for the prompt of your model: what lasts, and the memories that answer the question. Words about time are understood.",
    commands: ['mnemosyne recall "Where do I live now?"', 'mnemosyne recall "Where did I live two weeks ago?"'],
    run: async (memory, now) => [
      await ask(memory, "Where do I live now?", now),
      await ask(memory, "Where did I live two weeks ago?", now),
    ],
  },
  {
    title: "Ask what it was never told",
    about: "It says how likely an answer is there, so that your assistant can admit that it does not know.",
    commands: ['mnemosyne recall "What is the name of my dentist?"'],
    run: async (memory, now) => [await ask(memory, "What is the name of my dentist?", now)],
  },
  {
    title: "Forget",
    about: "Forgotten is gone for good, with everything that was made from it. The receipt says what went.",
    commands: ["mnemosyne forget porto --yes"],
    run: async (memory) => [formatReceipt(await memory.forget("porto"))],
  },
];

export function addTutorialCommand(program: Command): void {
  program
    .command("tutorial")
    .description("learn it in two minutes, in a memory that is gone afterwards")
    .addHelpText("after", "\nExample:\n  mnemosyne tutorial")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const mnemosyne = await Mnemosyne.open({ ...toOptions(settings), path: ":memory:" });
      try {
        const memory = mnemosyne.person(person);
        if (settings.json === true) await teachAsJson(memory);
        else await teach(memory);
      } finally {
        await mnemosyne.close();
      }
    });
}

async function teach(memory: PersonMemory): Promise<void> {
  const now = new Date();
  const reader = openReader();
  print(heading("Mnemosyne in two minutes"));
  print(
    wrap(
      "Everything happens in a memory of its own, which is gone afterwards. Ids and dates are made up, so that time has passed. No model, no network.",
    ),
  );
  try {
    for (const [i, { title, about, commands, run }] of lessons.entries()) {
      print(`\n${heading(`${i + 1} of ${lessons.length}  ${title}`)}`);
      print(wrap(about));
      const results = await run(memory, now);
      for (const [which, result] of results.entries()) {
        print(`\n${colours.cyan(wrap(`$ ${commands[which]!}`, "", "    "))}`);
        print(result);
      }
      if (reader !== null && !(await reader.next())) return;
    }
  } finally {
    reader?.close();
  }
  print(`\n${heading("On your own")}`);
  print('  mnemosyne commit "…"        your own memory, in mnemosyne.db');
  print("  mnemosyne list --history    everything you said, and what became of it");
  print("  mnemosyne demo              half a year with a care assistant");
  print("  mnemosyne --help            all commands");
}

async function teachAsJson(memory: PersonMemory): Promise<void> {
  const now = new Date();
  const taught: object[] = [];
  for (const { title, about, commands, run } of lessons) {
    taught.push({ title, about, commands, output: await run(memory, now) });
  }
  printJson(taught);
}

interface Reader {
  /** Waits for Enter; false at the end of the input. */
  next(): Promise<boolean>;
  close(): void;
}

/** Null where nobody could press a key. */
function openReader(): Reader | null {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<boolean>((resolve) => void lines.once("close", () => resolve(false)));
  return {
    next: () => Promise.race([lines.question("\nEnter to go on › ").then(() => true), closed]),
    close: () => lines.close(),
  };
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}

async function tell(memory: PersonMemory, id: string, text: string, at: string): Promise<string> {
  await memory.commit({ id, at, turns: [{ who: "user", text }] }, { wait: true });
  return outcomeOf(memory, id);
}

async function outcomeOf(memory: PersonMemory, id: string): Promise<string> {
  const [item] = await memory.history({ ids: [id] });
  return describeOutcome(item!, await nameOthers(memory, [item!], undefined));
}

async function ask(memory: PersonMemory, question: string, now: Date): Promise<string> {
  const recall = await memory.recall(question, { at: now, seed: 7 });
  return [wrap(recall.context), ...formatConfidence(recall, false)].join("\n");
}
