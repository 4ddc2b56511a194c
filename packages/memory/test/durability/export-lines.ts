import type { Mnemosyne, PersonMemory } from "mnemosyne-edge";

/** Everything about a person, line by line. */
export async function exportLines(memory: Pick<PersonMemory, "export">): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of memory.export()) lines.push(line);
  return lines;
}

/** Everything about everybody. */
export async function exportEverybody(memories: Mnemosyne): Promise<Record<string, string[]>> {
  const everybody: Record<string, string[]> = {};
  for (const name of await memories.persons()) everybody[name] = await exportLines(memories.person(name));
  return everybody;
}
