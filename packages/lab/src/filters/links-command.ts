/**
 * `lab -- links`: what the memory said to be ended or repeated in talk that others wrote: pairs of statements, one of which
 * ended the other or may have done so, and pairs of interactions that say the same. Nobody labelled that talk, so a seeded draw of the links
 * goes to people, who read both texts and say which are wrong.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { InputError, type Turn } from "mnemosyne-edge";
import { draw } from "../data/draw.js";
import { findDataFolder } from "../data/files.js";
import type { Person } from "../data/person.js";
import { readSets } from "../data/sets.js";
import { type Models, openModels } from "../model-cache.js";
import { readCount } from "../options.js";
import { readChange } from "../recall/recall-command.js";
import type { Change } from "../systems/system.js";
import { type Committed, commitPerson } from "./commit-people.js";

export type LinkKind = "end" | "doubt" | "repetition";

export interface Link {
  readonly kind: LinkKind;
  readonly set: string;
  readonly person: string;
  /** Statements of an end or a doubt as "interaction#position"; interactions of a repetition. */
  readonly olderId: string;
  readonly newerId: string;
  readonly older: string;
  readonly newer: string;
  /** What the reader said of the two statements; null if it did not compare them. */
  readonly relation: Scores | null;
  /** The paper's redundancy of a repetition. */
  readonly redundancy: number | null;
}

type Scores = Pick<Committed["relations"][number], "repeats" | "ends" | "other" | "probability" | "cosine">;

const kinds = ["end", "doubt", "repetition"] as const satisfies LinkKind[];
/** Of an assistant's turn; people need it to understand the answer only. */
const assistantLengthMax = 200;

export async function linksCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sets: { type: "string", default: "beam,realmem" },
      people: { type: "string" },
      count: { type: "string", default: "20" },
      seed: { type: "string", default: "1" },
      without: { type: "string", multiple: true, default: [] },
      set: { type: "string", multiple: true, default: [] },
      encoder: { type: "string" },
      save: { type: "string" },
      data: { type: "string" },
    },
  });
  const count = readCount("--count", values.count);
  const change = readChange(values.without, values.set);
  const names = values.people?.split(",");
  const people = readSets(values.sets.split(","), findDataFolder(values.data)).flatMap(({ name, people: all }) =>
    all.filter(({ id }) => names?.includes(id) ?? true).map((person) => ({ set: name, person })),
  );
  if (people.length === 0) throw new InputError("option_invalid", `these sets have no person ${values.people}`);
  const links: Link[] = [];
  const models = await openModels({ encoderFolder: values.encoder });
  try {
    for (const { set, person } of people) {
      links.push(...(await collectLinks(set, person, models, change)));
      process.stderr.write(`${set} ${person.id}: ${countKinds(links)} so far\n`);
    }
  } finally {
    await models.close();
  }
  const drawn = kinds.flatMap((kind) =>
    draw(
      links.filter((link) => link.kind === kind),
      count,
      `links ${values.seed}`,
    ),
  );
  if (values.save !== undefined) {
    writeFileSync(values.save, drawn.map((link) => `${JSON.stringify(link)}\n`).join(""));
    process.stdout.write(`drawn from ${countKinds(links)}: ${countKinds(drawn)}\n`);
  } else {
    process.stdout.write(`${drawn.map(writeLink).join("\n")}\ndrawn from ${countKinds(links)}\n`);
  }
}

async function collectLinks(set: string, person: Person, models: Models, change: Change): Promise<Link[]> {
  const said = new Map(person.interactions.map(({ id, turns }) => [id, shortenTurns(turns)]));
  const committed = await commitPerson(person, models, change);
  return findLinks(committed, said).map((link) => ({ set, person: person.id, ...link }));
}

/** `said`: the words of each interaction. */
export function findLinks(
  committed: readonly Committed[],
  said: ReadonlyMap<string, string>,
): Omit<Link, "set" | "person">[] {
  const memories = new Map(committed.map((each) => [each.id, each]));
  return committed.flatMap(({ id, ends, repeats, relations, redundancy }) => {
    const ended = ends.map(({ memory, position, by, isDoubtful }) => {
      const related = relations.find(
        (relation) => relation.memory === memory && relation.position === position && relation.by === by,
      );
      const [older, newer] = [
        { id: memory, position },
        { id, position: by },
      ].map((place) => describePlace(place, memories, said));
      const ids = { olderId: older!.name, newerId: newer!.name };
      const relation = related === undefined ? null : scoresOf(related);
      const kind = isDoubtful === true ? ("doubt" as const) : ("end" as const);
      return { kind, ...ids, older: older!.text, newer: newer!.text, relation, redundancy: null };
    });
    if (repeats === null) return ended;
    const again = relations.filter(({ memory }) => memory === repeats).sort((x, y) => y.repeats - x.repeats)[0];
    const pair = { olderId: repeats, newerId: id, older: said.get(repeats)!, newer: said.get(id)! };
    const score = redundancy?.id === repeats ? redundancy.score : null;
    const relation = again === undefined ? null : scoresOf(again);
    return [...ended, { kind: "repetition" as const, ...pair, relation, redundancy: score }];
  });
}

/** A statement, with the question it answers; where all of an interaction is meant, all of its words. */
function describePlace(
  { id, position }: { readonly id: string; readonly position: number | null },
  memories: ReadonlyMap<string, Committed>,
  said: ReadonlyMap<string, string>,
): { readonly name: string; readonly text: string } {
  const statement = memories.get(id)?.statements[position ?? -1];
  if (statement === undefined) return { name: id, text: said.get(id)! };
  const { who, text, asked } = statement;
  const speaker = who === null ? "" : `${who}: `;
  return { name: `${id}#${position}`, text: `${speaker}${asked === null ? text : `[${asked}] ${text}`}` };
}

function scoresOf({ repeats, ends, other, probability, cosine }: Scores): Scores {
  return { repeats, ends, other, probability, cosine };
}

function shortenTurns(turns: readonly Turn[]): string {
  const shorten = ({ who, text }: Turn): string =>
    who === "assistant" && text.length > assistantLengthMax ? `${text.slice(0, assistantLengthMax)}…` : text;
  return turns.map((turn) => `${turn.who}: ${shorten(turn)}`).join("\n");
}

function writeLink({ kind, set, person, relation, redundancy, ...link }: Link): string {
  const numbers = { ...relation, ...(redundancy === null ? {} : { redundancy }) };
  const scores = Object.entries(numbers).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  const indent = (text: string): string => text.replaceAll("\n", "\n    ");
  return `${kind.toUpperCase()} ${set} ${person} (${scores.join(", ")})
  older ${link.olderId}
    ${indent(link.older)}
  newer ${link.newerId}
    ${indent(link.newer)}
`;
}

function countKinds(links: readonly Link[]): string {
  return kinds.map((kind) => `${links.filter((link) => link.kind === kind).length} ${kind}s`).join(", ");
}
