/** What is there, through the public door, and errors as data. */
import { MnemosyneError } from "mnemosyne-edge";

/** Everybody's history and export, and what `check` finds. */
export async function readEverything(memories) {
  const persons = {};
  for (const name of await memories.persons()) {
    const memory = memories.person(name);
    persons[name] = {
      history: await memory.history(),
      exported: await exportLines(memory),
      problems: await memory.check(),
    };
  }
  return { persons };
}

async function exportLines(memory) {
  const lines = [];
  for await (const line of memory.export()) lines.push(line);
  return lines;
}

export function describeError(error) {
  const isOurs = error instanceof MnemosyneError;
  const { family, code } = isOurs ? error : {};
  const place = isOurs ? "" : ` ${/\n\s+at (.*)/u.exec(error?.stack ?? "")?.[1] ?? ""}`;
  return {
    isOurs,
    family,
    code,
    message: `${isOurs ? code : (error?.name ?? typeof error)} ${error?.message ?? error}${place}`,
  };
}
