/**
 * `lab -- links`: what the memory said to be ended or repeated in talk that others wrote. Nobody labelled that talk, so a
 * seeded draw of the links goes to people, who read both texts and say which are wrong.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { InputError, type InteractionTrace, type Turn } from "mnemosyne-edge";
import { draw } from "../data/draw.js";
import { findDataFolder } from "../data/files.js";
import type { Person } from "../data/person.js";
import { readSets } from "../data/sets.js";
import { type Models, openModels } from "../model-cache.js";
import { readCount } from "../options.js";
import { readChange } from "../recall/recall-command.js";
import type { Change } from "../systems/system.js";
import { commitPerson } from "./commit-people.js";

export type LinkKind = "update" | "repetition";

export interface Link {
  readonly kind: LinkKind;
  readonly set: string;
  readonly person: string;
  readonly olderId: string;
  readonly newerId: string;
  readonly older: string;
  readonly newer: string;
  /** What the judge said of the two; null if it did not compare them. */
  readonly probabilities: { readonly repetition: number; readonly update: number; readonly different: number } | null;
  readonly cosine: number | null;
  /** The paper's redundancy, if that made it a repetition. */
  readonly redundancy: number | null;
}

const kinds = ["update", "repetition"] as const satisfies LinkKind[];
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
  const models = await openModels();
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
  const texts = new Map(person.interactions.map(({ id, turns }) => [id, shortenTurns(turns)]));
  const committed = await commitPerson(person, models, change);
  return committed.flatMap(({ id, updates, repeats, trace }) => {
    const found = [
      ...updates.map((olderId) => ({ kind: "update" as const, olderId })),
      ...(repeats === null ? [] : [{ kind: "repetition" as const, olderId: repeats }]),
    ];
    return found.map(({ kind, olderId }) => {
      const ids = { kind, set, person: person.id, olderId, newerId: id };
      return { ...ids, older: texts.get(olderId)!, newer: texts.get(id)!, ...readReason(trace, olderId) };
    });
  });
}

/** What the trace of an interaction says about an older one. */
function readReason(
  trace: InteractionTrace | null,
  olderId: string,
): Pick<Link, "probabilities" | "cosine" | "redundancy"> {
  const { relations = [], redundancy = null } = trace !== null && "relations" in trace ? trace : {};
  const judged = relations.find((relation) => relation.id === olderId);
  if (judged === undefined) {
    return { probabilities: null, cosine: null, redundancy: redundancy?.id === olderId ? redundancy.score : null };
  }
  const { repetition, update, different, cosine } = judged;
  return { probabilities: { repetition, update, different }, cosine, redundancy: null };
}

function shortenTurns(turns: readonly Turn[]): string {
  const shorten = ({ who, text }: Turn): string =>
    who === "assistant" && text.length > assistantLengthMax ? `${text.slice(0, assistantLengthMax)}…` : text;
  return turns.map((turn) => `${turn.who}: ${shorten(turn)}`).join("\n");
}

function writeLink({ kind, set, person, probabilities, redundancy, ...link }: Link): string {
  const judged = Object.entries(probabilities ?? {}).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  const scores = [...judged, ...(redundancy === null ? [] : [`redundancy ${redundancy.toFixed(2)}`])].join(", ");
  const indent = (text: string): string => text.replaceAll("\n", "\n    ");
  return `${kind.toUpperCase()} ${set} ${person} (${scores})
  older ${link.olderId}
    ${indent(link.older)}
  newer ${link.newerId}
    ${indent(link.newer)}
`;
}

function countKinds(links: readonly Link[]): string {
  return kinds.map((kind) => `${links.filter((link) => link.kind === kind).length} ${kind}s`).join(", ");
}
