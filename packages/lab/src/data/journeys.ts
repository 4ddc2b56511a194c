/** Care journeys: one JSON file per person, as `benchmarks/journeys/README.md` describes them. */
import {
  type Dataset,
  type DatasetGroup,
  type DatasetInteraction,
  type DatasetQuestion,
  checkUnique,
} from "./dataset.js";
import { listJsonFiles } from "./json-files.js";
import { JsonReader } from "./json-reader.js";

const kinds = ["dated", "relative", "single", "multi", "persona", "change"] as const;

export async function readJourneys(folder: string): Promise<Dataset> {
  const groups: DatasetGroup[] = [];
  const ids = new Set<string>();
  for (const file of await listJsonFiles(folder, "journey")) {
    const reader = await JsonReader.open(file);
    const group = readJourney(reader);
    checkUnique(group.id, ids, reader.field("id"));
    groups.push(group);
  }
  return { name: "journeys", groups, kinds, kindGroups: {}, evidenceBudgets: [] };
}

function readJourney(journey: JsonReader): DatasetGroup {
  const states = journey.field("states").items().map(readState);
  const interactions = readInteractions(journey.field("interactions"), states);
  return {
    id: journey.field("id").text(),
    timeZone: readTimeZone(journey.field("person").field("timezone")),
    profile: "healthcare",
    interactions,
    questions: readQuestions(journey.field("queries"), interactions),
    skippedQuestionCount: 0,
  };
}

interface State {
  readonly from: string;
  readonly to: string;
  readonly state: string;
}

function readState(state: JsonReader): State {
  return { from: state.field("from").day(), to: state.field("to").day(), state: state.field("state").text() };
}

function readTimeZone(reader: JsonReader): string {
  const timeZone = reader.text();
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw reader.wrong('a time zone such as "Europe/London"');
  }
}

function readInteractions(list: JsonReader, states: readonly State[]): DatasetInteraction[] {
  const ids = new Set<string>();
  const interactions = list.items().map((item) => {
    const interaction = readInteraction(item, states);
    const partner = interaction.labels!.redundantWith;
    // Checked before its own id is added, so that it can only name an earlier one.
    if (partner !== null && !ids.has(partner)) {
      throw item.field("redundantWith").error(`names "${partner}", which is not an earlier interaction`);
    }
    checkUnique(interaction.id, ids, item.field("id"));
    return interaction;
  });
  if (interactions.length === 0) throw list.error("must contain at least one interaction");
  return interactions;
}

function readInteraction(item: JsonReader, states: readonly State[]): DatasetInteraction {
  const atMs = item.field("at").moment();
  const day = item.field("at").text().slice(0, 10);
  const turns = item.field("turns").items();
  return {
    id: item.field("id").text(),
    atMs,
    turns: turns.map((turn) => ({ who: turn.field("who").text(), text: turn.field("text").text() })),
    summary: item.field("summary").text(),
    state: states.find(({ from, to }) => from <= day && day <= to)?.state ?? null,
    labels: {
      substantial: item.field("substantial").boolean(),
      redundantWith: item.field("redundantWith").textOrNull(),
    },
  };
}

function readQuestions(list: JsonReader, interactions: readonly DatasetInteraction[]): DatasetQuestion[] {
  const moments = new Map(interactions.map(({ id, atMs }) => [id, atMs]));
  const ids = new Set<string>();
  const questions = list.items().map((item) => {
    const question = readQuestion(item, moments);
    checkUnique(question.id, ids, item.field("id"));
    return question;
  });
  if (questions.length === 0) throw list.error("must contain at least one question");
  return questions;
}

function readQuestion(item: JsonReader, moments: ReadonlyMap<string, number>): DatasetQuestion {
  const atMs = item.field("at").moment();
  if (atMs <= Math.min(...moments.values())) throw item.field("at").error("is before every interaction");
  const kind = item.field("kind").oneOf(kinds);
  const gold = item.field("gold").items();
  if (gold.length === 0) throw item.field("gold").error("must name at least one interaction");
  return {
    id: item.field("id").text(),
    atMs,
    text: item.field("query").text(),
    kind,
    gold: gold.map((id) => checkGold(id, atMs, moments)),
    answer: item.field("answer").textOrNull(),
    evidence: [],
  };
}

function checkGold(reader: JsonReader, atMs: number, moments: ReadonlyMap<string, number>): string {
  const id = reader.text();
  const goldMs = moments.get(id);
  if (goldMs === undefined) throw reader.error(`names "${id}", which is not an interaction`);
  if (goldMs >= atMs) throw reader.error(`names "${id}", which is later than the question`);
  return id;
}
