/** The memory graph: everything that is remembered, to be searched, filtered and opened. */
import { useMemo, useState } from "preact/hooks";
import { mayChange, personPath, request } from "../api.js";
import { GraphStage } from "../graph/graph-stage.js";
import { type GraphModel, type Wanted, findWanted, metadataOf } from "../graph/graph-model.js";
import { wordsOf } from "../loading.js";
import { usePersonGraph } from "../person-data.js";
import { choose, place, writePlace } from "../place.js";
import { ForgetDialog } from "../parts/forget-dialog.js";
import { MemoryPanel } from "../parts/memory-panel.js";
import { Said, Trouble, Waiting } from "../parts/said.js";
import { isOutdated } from "../../server/outdated-memory.js";
import { count, dayOf } from "../words.js";

const listedMax = 60;
const kinds: readonly (readonly [Wanted["kind"], string])[] = [
  ["", "all memories"],
  ["holds", "those that hold"],
  ["outdated", "outdated"],
  ["paired", "said twice"],
  ["boosted", "boosted"],
  ["pinned", "pinned"],
];

export function GraphView() {
  const { person, choices } = place.value;
  const { model, error } = usePersonGraph(person);
  const [nowMs] = useState(() => Date.now());
  const { find = "", state = "", metadata = "", from = "", until = "", kind = "" } = choices;
  const wanted = useMemo(
    () =>
      model === null
        ? null
        : findWanted(model, {
            text: find,
            state,
            metadata,
            fromMs: from === "" ? null : Date.parse(from),
            untilMs: until === "" ? null : Date.parse(until) + 86_400_000,
            kind: kinds.find(([name]) => name === kind)?.[0] ?? "",
          }),
    [model, find, state, metadata, from, until, kind],
  );
  const selectedId = choices["memory"] ?? "";
  const onSelect = (id: string): void => choose({ memory: id });
  if (model === null) return error === "" ? <Waiting what="the graph" /> : <Trouble text={error} />;
  if (model.memories.length === 0) return <Nothing person={person} />;
  return (
    <div class={`with-sides${selectedId === "" ? "" : " has-panel"}`}>
      <Finder model={model} wanted={wanted} person={person} selectedId={selectedId} onSelect={onSelect} />
      <GraphStage model={model} atMs={nowMs} wanted={wanted} selectedId={selectedId} onSelect={onSelect} />
      {selectedId !== "" && (
        <MemoryPanel person={person} id={selectedId} model={model} atMs={nowMs} onSelect={onSelect} />
      )}
    </div>
  );
}

export function Nothing({ person }: { readonly person: string }) {
  return (
    <div class="page">
      <h2>Nothing is remembered yet</h2>
      <p>
        <Said text={person} /> has no memories. What is committed appears here by itself;{" "}
        <a href="/openapi.json">/openapi.json</a> says how. What came and was not kept is in the{" "}
        <a href={writePlace({ person, view: "log", choices: {} })}>log</a>.
      </p>
    </div>
  );
}

interface FinderProps {
  readonly model: GraphModel;
  readonly wanted: Uint8Array | null;
  readonly person: string;
  readonly selectedId: string;
  readonly onSelect: (id: string) => void;
}

function Finder({ model, wanted, person, selectedId, onSelect }: FinderProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isForgetting, setForgetting] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const found = useMemo(
    () =>
      model.memories
        .map((memory, i) => ({ memory, i }))
        .filter(({ i }) => wanted === null || wanted[i] === 1)
        .toSorted((x, y) => model.timesMs[y.i]! - model.timesMs[x.i]!),
    [model, wanted],
  );
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <section class="finder" aria-label="Find">
      <p class="note">
        What an assistant remembers about <Said text={person} />. Each dot is a memory; ask it something under Recall.
      </p>
      <Filters model={model} />
      <p class="note" role="status">
        {count(found.length, "memory", "memories")}
        {found.length > listedMax && `, the newest ${listedMax} listed`}
      </p>
      <div class="actions">
        {mayChange.value && (
          <button type="button" aria-pressed={isChoosing} onClick={() => setChoosing(!isChoosing)}>
            Choose several
          </button>
        )}
        {isChoosing && mayChange.value && (
          <button
            type="button"
            class="danger"
            aria-disabled={chosen.size === 0}
            onClick={() => setForgetting(chosen.size > 0)}
          >
            {chosen.size === 0 ? "Forget…" : `Forget ${chosen.size}…`}
          </button>
        )}
        <ExportButton person={person} />
      </div>
      <ul class="found">
        {found.slice(0, listedMax).map(({ memory }) => (
          <li key={memory.id}>
            {isChoosing && (
              <input
                type="checkbox"
                aria-label={`Choose the memory of ${dayOf(memory.at)}`}
                checked={chosen.has(memory.id)}
                onChange={() => toggle(memory.id)}
              />
            )}
            <button
              type="button"
              class={`row${isOutdated(memory) ? " is-outdated" : ""}`}
              aria-current={memory.id === selectedId}
              onClick={() => onSelect(memory.id)}
            >
              <small>
                {dayOf(memory.at)}
                {isOutdated(memory) && ", outdated"}
              </small>
              <Said text={memory.summary} lengthMax={110} />
            </button>
          </li>
        ))}
      </ul>
      {isForgetting && (
        <ForgetDialog
          person={person}
          ids={[...chosen]}
          model={model}
          onClose={(isDone) => {
            setForgetting(false);
            if (isDone) setChosen(new Set());
          }}
        />
      )}
    </section>
  );
}

function Filters({ model }: { readonly model: GraphModel }) {
  const { find = "", state = "", metadata = "", from = "", until = "", kind = "" } = place.value.choices;
  const states = useMemo(
    () => [...new Set(model.memories.flatMap(({ state: each }) => each ?? []))].toSorted(),
    [model],
  );
  const tags = useMemo(() => [...new Set(model.memories.flatMap(metadataOf))].toSorted().slice(0, 500), [model]);
  const isFiltered = `${state}${metadata}${from}${until}${kind}` !== "";
  // Only at first: it stays as somebody leaves it.
  const [isFirstOpen] = useState(isFiltered);
  return (
    <>
      <label class="field">
        Search
        <input
          type="search"
          value={find}
          placeholder="words of a memory"
          onInput={(event) => choose({ find: event.currentTarget.value })}
        />
      </label>
      <details class="filters" open={isFirstOpen}>
        <summary>Filter</summary>
        <Choice label="Which" value={kind} options={kinds} onChange={(value) => choose({ kind: value })} />
        <Choice
          label="State"
          value={state}
          options={[["", "any"], ...states.map((each) => [each, each] as const)]}
          onChange={(value) => choose({ state: value })}
        />
        {tags.length > 0 && (
          <Choice
            label="Metadata"
            value={metadata}
            options={[["", "any"], ...tags.map((each) => [each, each] as const)]}
            onChange={(value) => choose({ metadata: value })}
          />
        )}
        <div class="two">
          <label class="field">
            From
            <input type="date" value={from} onChange={(event) => choose({ from: event.currentTarget.value })} />
          </label>
          <label class="field">
            Until
            <input type="date" value={until} onChange={(event) => choose({ until: event.currentTarget.value })} />
          </label>
        </div>
        {isFiltered && (
          <button type="button" onClick={() => choose({ kind: "", state: "", metadata: "", from: "", until: "" })}>
            No filter
          </button>
        )}
      </details>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function ExportButton({ person }: { readonly person: string }) {
  const [trouble, setTrouble] = useState("");
  const save = async (): Promise<void> => {
    try {
      const response = await request("GET", personPath(person, "export"));
      saveFile("memory.jsonl", await response.blob());
      setTrouble("");
    } catch (error) {
      setTrouble(wordsOf(error));
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        Export
      </button>
      <Trouble text={trouble} />
    </>
  );
}

function saveFile(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
