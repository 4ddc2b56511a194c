/** The commit log: what became of everything that was submitted, and why, as it happens. */
import { useEffect, useState } from "preact/hooks";
import type { HistoryItem, PersonStatistics } from "mnemosyne-edge";
import { call, mayChange, personPath } from "../api.js";
import { type NewestHistory, loadNewest } from "../history.js";
import { changes, isLive } from "../live.js";
import { useLoaded } from "../loading.js";
import { choose, go, place } from "../place.js";
import { CorrectDialog } from "../parts/edit-dialogs.js";
import { WithMemories } from "../parts/memory-link.js";
import { ReadOnlyNote, Said, Trouble, Waiting } from "../parts/said.js";
import { type Part, idsIn, idsInReason, partsOf, whyOf } from "../parts/why.js";
import { useSending } from "../sending.js";
import { type Sentences, useSentences } from "../sentences.js";
import { count, momentOf, outcomeWord, textOf } from "../words.js";
import { Choice } from "./graph-view.js";

const shownStep = 150;
const nothing: NewestHistory = { items: [], hasEarlier: false };
const outcomes = ["committed", "paired", "discarded", "forgetAsked", "replaced", "pruned", "queued", "open"];
const restorable: ReadonlySet<string> = new Set(["discarded", "forgetAsked", "replaced", "pruned"]);
const choosable = [["", "everything"] as const, ...outcomes.map((name) => [name, outcomeWord(name)] as const)];

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
  const { items, hasEarlier } = value ?? nothing;
  const named = items.flatMap(({ trace }) => idsInReason(trace));
  const sentences = useSentences(person, named, items);
  const showEarlier = (): void => {
    setShown(shown + shownStep);
    reload();
  };
  return (
    <div class="page">
      <div class="log-head">
        <h2>Commit log</h2>
        <Choice label="Show" value={outcome} options={choosable} onChange={(each) => choose({ outcome: each })} />
      </div>
      <p class="note" role="status">
        {isLive.value ? "Live: what happens appears by itself." : "Not live at the moment."}{" "}
        {totalCount !== null && `${count(totalCount, "interaction")}, the newest first.`}
      </p>
      <ReadOnlyNote />
      <Trouble text={error} />
      {value === null && error === "" && <Waiting what="the history" />}
      <ol class="log">
        {items.map((item) => (
          <Entry key={item.id} person={person} item={item} items={items} sentences={sentences} />
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

interface EntryProps {
  readonly person: string;
  readonly item: HistoryItem;
  /** All that are shown. */
  readonly items: readonly HistoryItem[];
  readonly sentences: Sentences;
}

function Entry({ person, item, items, sentences }: EntryProps) {
  const [isCorrecting, setCorrecting] = useState(false);
  const { send, isBusy, trouble } = useSending<unknown>();
  const [isOpen, setOpen] = useState(false);
  const text = textOf(item);
  const word = outcomeWord(item.outcome);
  // The badge says the first word already.
  const reason = item.reason.startsWith(`${word}: `) ? item.reason.slice(`${word}: `.length) : item.reason;
  const isMemory = item.outcome === "committed" || item.outcome === "paired";
  const isGone = restorable.has(item.outcome);
  const path = `${personPath(person, "interactions", encodeURIComponent(item.id))}:restore`;
  return (
    <li data-interaction={item.id}>
      <p class="log-line">
        <span class={`badge outcome-${item.outcome}`}>{word}</span>
        <time dateTime={item.at}>{momentOf(item.at)}</time>
        {reason !== word && (
          <span class="note">
            <WithMemories parts={partsOf(reason, idsInReason(item.trace))} sentences={sentences} />
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
          <button type="button" aria-disabled={isBusy} onClick={() => void send(() => call("POST", path))}>
            {item.outcome === "forgetAsked" ? "Keep what it means" : "Remember it after all"}
          </button>
        )}
        {item.trace !== null && (
          <details onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>Why</summary>
            {isOpen && <Why person={person} lines={whyOf(item.trace)} known={items} />}
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

interface WhyProps {
  readonly person: string;
  readonly lines: readonly (readonly Part[])[];
  readonly known: readonly HistoryItem[];
}

function Why({ person, lines, known }: WhyProps) {
  const sentences = useSentences(person, idsIn(lines), known);
  return (
    <ul>
      {lines.map((line, i) => (
        <li key={i}>
          <WithMemories parts={line} sentences={sentences} />
        </li>
      ))}
    </ul>
  );
}
