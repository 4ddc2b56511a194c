/** The commit log: what became of everything that was submitted, and why, as it happens. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { HistoryItem, PersonStatistics } from "../../index.js";
import { call, mayChange, personPath } from "../api.js";
import { type NewestHistory, loadNewest } from "../history.js";
import { changes, isLive, liveEvents } from "../live.js";
import { useLoaded, wordsOf } from "../loading.js";
import type { GraphModel } from "../graph/graph-model.js";
import { dropKeptGraph, usePersonGraph } from "../person-data.js";
import { choose, go, place } from "../place.js";
import { CorrectDialog } from "../parts/edit-dialogs.js";
import { WithMemories } from "../parts/memory-link.js";
import { ReadOnlyNote, Said, Trouble, Waiting } from "../parts/said.js";
import { type Part, idsInReason, partsOf, whyOf } from "../parts/why.js";
import { count, momentOf, shorten } from "../words.js";
import { Choice } from "./graph-view.js";

const shownStep = 150;
const newsLengthMax = 140;
const outcomes: readonly (readonly [string, string])[] = [
  ["", "everything"],
  ["committed", "kept"],
  ["paired", "said before"],
  ["discarded", "not kept"],
  ["replaced", "replaced"],
  ["pruned", "pruned"],
  ["queued", "waiting"],
  ["open", "in progress"],
];

export function LogView() {
  const { person, choices } = place.value;
  const outcome = choices["outcome"] ?? "";
  const key = `history ${person} ${outcome}`;
  const [shown, setShown] = useState(shownStep);
  useEffect(() => setShown(shownStep), [key]);
  const { value, error, isBusy, reload } = useLoaded<NewestHistory>(
    (signal) => loadNewest(person, outcome, shown, signal),
    key,
    changes.value,
  );
  const statistics = useLoaded<PersonStatistics>(
    (signal) => call("GET", personPath(person, "stats"), { signal }),
    `stats ${person}`,
    changes.value,
  );
  const totalCount = statistics.value === null ? null : countOf(statistics.value, outcome);
  const { items, hasEarlier } = value ?? { items: [], hasEarlier: false };
  const { model } = usePersonGraph(person);
  const others = useMemo(() => new Map(items.map((item) => [item.id, textOf(item)])), [value]);
  const showEarlier = (): void => {
    setShown(shown + shownStep);
    reload();
  };
  return (
    <div class="page">
      <div class="log-head">
        <h2>Commit log</h2>
        <Choice label="Show" value={outcome} options={outcomes} onChange={(each) => choose({ outcome: each })} />
      </div>
      <p class="note" role="status">
        {isLive.value ? "Live: what happens appears by itself." : "Not live at the moment."}{" "}
        {totalCount !== null && `${count(totalCount, "interaction")}, the newest first.`}
      </p>
      <ReadOnlyNote />
      <LiveNews model={model} others={others} />
      <Trouble text={error} />
      {value === null && error === "" && <Waiting what="the history" />}
      <ol class="log">
        {items.map((item) => (
          <Entry key={item.id} person={person} item={item} model={model} others={others} />
        ))}
      </ol>
      {hasEarlier && (
        <button type="button" aria-disabled={isBusy} onClick={isBusy ? undefined : showEarlier}>
          Show earlier
        </button>
      )}
    </div>
  );
}

function countOf({ outcomes: counts }: PersonStatistics, outcome: string): number {
  return Object.entries(counts).reduce((sum, [name, each]) => sum + (outcome === "" || name === outcome ? each : 0), 0);
}

/** Where the sentences of memories are found. */
interface Sentences {
  readonly model: GraphModel | null;
  readonly others: ReadonlyMap<string, string>;
}

function textOf({ summary, turns }: HistoryItem): string {
  return summary ?? turns.map(({ text }) => text).join(" ");
}

/** What has happened since the page was opened, in a word each. */
function LiveNews(sentences: Sentences) {
  const news = liveEvents.value.slice(0, 6);
  if (news.length === 0) return null;
  return (
    <ul class="news" aria-live="polite" aria-label="Just now">
      {news.map(({ name, data }, i) => (
        <li key={`${liveEvents.value.length - i}`}>
          <span class={`badge outcome-${name}`}>{name}</span> <WithMemories parts={newsOf(data)} {...sentences} />
        </li>
      ))}
    </ul>
  );
}

function newsOf(data: Readonly<Record<string, unknown>>): Part[] {
  const { id, ids, reason, repeats, updates, text, message } = data;
  const isText = (each: unknown): each is string => typeof each === "string";
  const about: Part[] = isText(id) ? [{ id }] : Array.isArray(ids) ? [shorten(ids.join(", "), newsLengthMax)] : [];
  const named = [repeats, ...(Array.isArray(updates) ? updates : [])].filter(isText);
  const said = [reason, message, text].find(isText);
  const what = said ?? (named.length === 0 ? "" : `replaces ${named.join(", ")}`);
  if (what === "") return about;
  return [...about, ...(about.length === 0 ? [] : [": "]), ...partsOf(shorten(what, newsLengthMax), named)];
}

interface EntryProps extends Sentences {
  readonly person: string;
  readonly item: HistoryItem;
}

function Entry({ person, item, ...sentences }: EntryProps) {
  const [isCorrecting, setCorrecting] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [isRestoring, setRestoring] = useState(false);
  const text = textOf(item);
  const word = outcomes.find(([name]) => name === item.outcome)?.[1];
  // The badge says the first word already.
  const reason = item.reason.startsWith(`${word}: `) ? item.reason.slice(`${word}: `.length) : item.reason;
  const isMemory = item.outcome === "committed" || item.outcome === "paired";
  const isGone = item.outcome === "discarded" || item.outcome === "replaced" || item.outcome === "pruned";
  const restore = async (): Promise<void> => {
    if (isRestoring) return;
    setRestoring(true);
    try {
      await call("POST", `${personPath(person, "interactions", encodeURIComponent(item.id))}:restore`);
      dropKeptGraph();
    } catch (error) {
      setTrouble(wordsOf(error));
    } finally {
      setRestoring(false);
    }
  };
  return (
    <li data-interaction={item.id}>
      <p class="log-line">
        <span class={`badge outcome-${item.outcome}`}>{word}</span>
        <time dateTime={item.at}>{momentOf(item.at)}</time>
        {reason !== word && (
          <span class="note">
            <WithMemories parts={partsOf(reason, idsInReason(item.trace))} {...sentences} />
          </span>
        )}
      </p>
      <p>
        <Said text={text} lengthMax={320} />
      </p>
      <div class="actions">
        {isMemory && (
          <button type="button" onClick={() => go({ view: "graph", choices: { memory: item.id } })}>
            Open
          </button>
        )}
        {isMemory && mayChange.value && (
          <button type="button" onClick={() => setCorrecting(true)}>
            Correct…
          </button>
        )}
        {isGone && mayChange.value && (
          <button type="button" aria-disabled={isRestoring} onClick={() => void restore()}>
            Remember it after all
          </button>
        )}
        {item.trace !== null && (
          <details>
            <summary>Why</summary>
            <ul>
              {whyOf(item.trace).map((line, i) => (
                <li key={i}>
                  <WithMemories parts={line} {...sentences} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <Trouble text={trouble} />
      {isCorrecting && (
        <CorrectDialog person={person} memory={{ id: item.id, summary: text }} onClose={() => setCorrecting(false)} />
      )}
    </li>
  );
}
