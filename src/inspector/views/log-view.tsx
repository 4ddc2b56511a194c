/** The commit log: what became of everything that was submitted, and why, as it happens. */
import { useEffect, useState } from "preact/hooks";
import type { HistoryItem, InteractionTrace, PersonStatistics } from "../../index.js";
import { call, mayChange, personPath } from "../api.js";
import { type NewestHistory, loadNewest } from "../history.js";
import { changes, isLive, liveEvents } from "../live.js";
import { useLoaded, wordsOf } from "../loading.js";
import { dropKeptGraph } from "../person-data.js";
import { choose, go, place } from "../place.js";
import { CorrectDialog } from "../parts/edit-dialogs.js";
import { ReadOnlyNote, Said, Trouble, Waiting } from "../parts/said.js";
import { count, momentOf, round } from "../words.js";
import { Choice } from "./graph-view.js";

const shownStep = 150;
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
      <LiveNews />
      <Trouble text={error} />
      {value === null && error === "" && <Waiting what="the history" />}
      <ol class="log">
        {items.map((item) => (
          <Entry key={item.id} person={person} item={item} />
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

/** What has happened since the page was opened, in a word each. */
function LiveNews() {
  const news = liveEvents.value.slice(0, 6);
  if (news.length === 0) return null;
  return (
    <ul class="news" aria-live="polite" aria-label="Just now">
      {news.map(({ name, data }, i) => (
        <li key={`${liveEvents.value.length - i}`}>
          <span class={`badge outcome-${name}`}>{name}</span> <Said text={newsOf(data)} lengthMax={140} />
        </li>
      ))}
    </ul>
  );
}

function newsOf(data: Readonly<Record<string, unknown>>): string {
  const { id, ids, reason, updates, text, message } = data;
  const about = typeof id === "string" ? id : Array.isArray(ids) ? ids.join(", ") : "";
  const what = [reason, message, text].find((each) => typeof each === "string") as string | undefined;
  const old =
    Array.isArray(updates) && updates.length > 0 && reason === undefined ? `replaces ${updates.join(", ")}` : "";
  return [about, what ?? old].filter((each) => each !== "").join(": ");
}

function Entry({ person, item }: { readonly person: string; readonly item: HistoryItem }) {
  const [isCorrecting, setCorrecting] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [isRestoring, setRestoring] = useState(false);
  const text = item.summary ?? item.turns.map(({ text: each }) => each).join(" ");
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
            <Said text={reason} />
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
              {whyOf(item.trace).map((line) => (
                <li key={line}>
                  <Said text={line} />
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

/** The numbers that decided, in sentences. A trace has the fields of the version that wrote it. */
function whyOf(trace: InteractionTrace): string[] {
  if (trace.outcome === "replaced") return [`${trace.by} says the same, better or later`];
  if (trace.outcome === "pruned") return [`its pruning score was ${round(trace.pruningScore, 3)}`];
  const { substance, redundancy, pairing, updates = [], edges, relations = [] } = trace;
  const lines = [
    substance.probability === null
      ? `substance ${round(substance.score)} against ${round(substance.threshold)}, decided by ${substance.decidedBy}`
      : `probability ${round(substance.probability)} that it is worth remembering`,
  ];
  if (redundancy !== null) {
    const apart = redundancy.keptApart === null ? "" : `; kept apart: ${redundancy.keptApart}`;
    lines.push(
      `most like ${redundancy.id}: redundancy ${round(redundancy.score)} against ${round(redundancy.threshold)}${apart}`,
    );
  }
  if (pairing !== null) {
    const { partnerId, removedId, boostDays } = pairing;
    if (partnerId !== null) lines.push(`a pair with ${partnerId}, made ${Math.round(boostDays)} days younger`);
    if (removedId !== null) lines.push(`replaces ${removedId}`);
  }
  if (updates.length > 0) lines.push(`makes outdated: ${updates.join(", ")}`);
  if (relations.length > 0) lines.push(`compared by the judge with ${relations.map(({ id }) => id).join(", ")}`);
  if (edges !== null) lines.push(count(edges.count, "edge"));
  return lines;
}
