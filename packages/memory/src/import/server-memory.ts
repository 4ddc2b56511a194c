/**
 * The reference MCP memory server (`@modelcontextprotocol/server-memory`): memory.jsonl, one entity or relation per line.
 * Each observation and each relation is a fact and is kept. The file has no times.
 */
import { type ImportedInteraction, describeSource, fingerprint } from "./imported-interaction.js";
import { readTextLines } from "./export-text.js";
import { DamagedPart, type Reading, readList, readObject, readOptionalText, readText } from "./reading.js";
import { divideText } from "./sessions.js";

type Fields = Readonly<Record<string, unknown>>;

export async function* readServerMemory(
  chunks: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<ImportedInteraction> {
  for await (const { number, text } of readTextLines(chunks, reading)) {
    if (text.trim() === "") continue;
    yield* reading.attempt(`line ${number}`, () => {
      const line = readObject(parseLine(text), "the line");
      // The whole graph in one line, as the server's `read_graph` returns it.
      if (line["type"] === undefined && Array.isArray(line["entities"])) {
        const relations = readList(line["relations"] ?? [], "relations");
        return [
          ...line["entities"].flatMap((entity) => readEntity(readObject(entity, "an entity"), reading)),
          ...relations.flatMap((relation) => readRelation(readObject(relation, "a relation"), reading)),
        ];
      }
      if (line["type"] === "entity") return readEntity(line, reading);
      if (line["type"] === "relation") return readRelation(line, reading);
      throw new DamagedPart('type is neither "entity" nor "relation"');
    });
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new DamagedPart("not valid JSON");
  }
}

function readEntity(entity: Fields, reading: Reading): ImportedInteraction[] {
  reading.count();
  const name = readText(entity["name"], "name");
  const entityType = readOptionalText(entity["entityType"], "entityType");
  const observations = readList(entity["observations"] ?? [], "observations");
  if (observations.length === 0) reading.skip("entities without observations");
  const metadata = describeSource("server-memory", { entity: name, entityType });
  return observations.flatMap((one) => {
    const observation = readText(one, "an observation");
    if (observation.trim() === "") {
      reading.skip("empty observations");
      return [];
    }
    const id = `server-memory-${fingerprint("observation", name, observation)}`;
    return toFacts(id, `${spoken(name)}: ${observation}`, metadata, reading);
  });
}

function readRelation(relation: Fields, reading: Reading): ImportedInteraction[] {
  reading.count();
  const from = readText(relation["from"], "from");
  const to = readText(relation["to"], "to");
  const relationType = readText(relation["relationType"], "relationType");
  const id = `server-memory-${fingerprint("relation", from, relationType, to)}`;
  const text = `${spoken(from)} ${spoken(relationType).toLowerCase()} ${spoken(to)}.`;
  return toFacts(id, text, describeSource("server-memory", { entity: from, relationType }), reading);
}

function toFacts(
  id: string,
  text: string,
  metadata: ImportedInteraction["metadata"],
  reading: Reading,
): ImportedInteraction[] {
  return divideText(text, reading.settings.limits.characterCountMax).map((summary, i) => ({
    id: i === 0 ? id : `${id}.${i + 1}`,
    summary,
    metadata,
    keep: true,
  }));
}

/** "John_Smith", "worksAt" and "default_user" (whom the server's prompt talks about) as people write them. */
function spoken(name: string): string {
  if (name === "default_user") return "user";
  return name.replace(/_+/gu, " ").replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll}|\p{Lu}$)/gu, " ");
}
