/** One memory: what it says, where it comes from, what it is connected with, and how it fades. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { decay } from "mnemosyne-edge/internal/paper/decay.js";
import { dayMs } from "mnemosyne-edge/internal/text/time.js";
import type { MemoryDetail, Parameters } from "mnemosyne-edge";
import { call, mayChange, memoryPath } from "../api.js";
import type { GraphModel } from "../graph/graph-model.js";
import { changes } from "../live.js";
import { useLoaded } from "../loading.js";
import { useParameters } from "../person-data.js";
import { sentencesOf } from "../sentences.js";
import { count, dayOf, momentOf, round, textOf } from "../words.js";
import { Curve } from "./curve.js";
import { CorrectDialog, EditDialog } from "./edit-dialogs.js";
import { ForgetDialog } from "./forget-dialog.js";
import { WithMemories } from "./memory-link.js";
import { PinButton } from "./pin-button.js";
import { ReadOnlyNote, Said, Trouble, Waiting } from "./said.js";
import { Statements } from "./statements.js";
import { UpdateLinks, hasUpdateLinks } from "./update-links.js";
import { idsInReason, partsOf } from "./why.js";

export interface PanelProps {
  readonly person: string;
  readonly id: string;
  readonly model: GraphModel;
  readonly atMs: number;
  readonly onSelect: (id: string) => void;
}

export function MemoryPanel(props: PanelProps) {
  const { person, id, model, onSelect } = props;
  const { value, error } = useLoaded<MemoryDetail>(
    (signal) => call("GET", memoryPath(person, id), { signal }),
    `memory ${person} ${id}`,
    changes.value,
  );
  const parameters = useParameters();
  const place = useRef<HTMLElement>(null);
  // Where everything is in one column, it would open out of sight, and the browser would hold on to what stands below it.
  const isThere = value !== null && value !== undefined;
  useEffect(() => {
    if (matchMedia("(max-width: 900px)").matches) place.current?.scrollIntoView({ block: "start" });
  }, [id, isThere]);
  useReturningFocus(place);
  return (
    <section class="panel" aria-label="Memory" data-memory={id} ref={place}>
      <div class="panel-head">
        <h2>Memory</h2>
        <button type="button" class="plain" aria-label="Close the memory" onClick={() => onSelect("")}>
          ×
        </button>
      </div>
      <Trouble text={error} />
      {value === null ? error === "" && <Waiting what="the memory" /> : <Content {...props} memory={value} />}
      {value !== null && parameters !== null && <Fading memory={value} parameters={parameters} atMs={props.atMs} />}
      {value !== null && <Connections memory={value} model={model} onSelect={onSelect} />}
      {value !== null && <Origin memory={value} model={model} onSelect={onSelect} />}
    </section>
  );
}

/** Whoever closes the panel is back where they opened it. */
function useReturningFocus(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (place.current?.contains(document.activeElement) === true && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
}

function Content({ person, model, onSelect, memory }: PanelProps & { readonly memory: MemoryDetail }) {
  return (
    <>
      <p class="panel-when">
        <time dateTime={memory.at}>{momentOf(memory.at)}</time>
        {memory.state !== null && <Said text={memory.state} />}
      </p>
      <p class="panel-text">
        <Said text={memory.summary} />
      </p>
      <p class="badges">
        {memory.pairId !== null && (
          <Jump word="says the same as" id={memory.pairId} model={model} onSelect={onSelect} />
        )}
        {memory.pinnedArea !== null && <span class="badge">pinned</span>}
      </p>
      <UpdateLinks person={person} memory={memory} model={model} onSelect={onSelect} />
      <Statements person={person} memory={memory} model={model} onSelect={onSelect} />
      <ReadOnlyNote />
      {mayChange.value && <Actions person={person} memory={memory} model={model} onSelect={onSelect} />}
    </>
  );
}

interface JumpProps {
  readonly word: string;
  readonly id: string;
  readonly model: GraphModel;
  readonly onSelect: (id: string) => void;
}

function Jump({ word, id, model, onSelect }: JumpProps) {
  const i = model.numberOf.get(id);
  return (
    <button type="button" class="badge" onClick={() => onSelect(id)}>
      {word} {i === undefined ? id : dayOf(model.timesMs[i]!)}
    </button>
  );
}

function Actions({
  person,
  memory,
  model,
  onSelect,
}: Omit<PanelProps, "id" | "atMs"> & { readonly memory: MemoryDetail }) {
  const [open, setOpen] = useState<"" | "correct" | "edit" | "forget">("");
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => setOpen("correct")}>
          Correct…
        </button>
        <button type="button" onClick={() => setOpen("edit")}>
          Edit…
        </button>
        <PinButton person={person} id={memory.id} isPinned={memory.pinnedArea !== null} />
        <button type="button" class="danger" onClick={() => setOpen("forget")}>
          Forget…
        </button>
      </div>
      {open === "correct" && <CorrectDialog person={person} memory={memory} onClose={() => setOpen("")} />}
      {open === "edit" && <EditDialog person={person} memory={memory} tag={memory.tag} onClose={() => setOpen("")} />}
      {open === "forget" && (
        <ForgetDialog
          person={person}
          ids={[memory.id]}
          model={model}
          onClose={(isDone) => {
            setOpen("");
            if (isDone) onSelect("");
          }}
        />
      )}
    </>
  );
}

interface FadingProps {
  readonly memory: MemoryDetail;
  readonly parameters: Parameters;
  readonly atMs: number;
}

const curvePointCount = 160;

/** How easily it is reached, now and ahead, with and without what repetitions took off its age. */
function Fading({ memory, parameters, atMs }: FadingProps) {
  const ageDays = Math.max(0, (atMs - Date.parse(memory.at)) / dayMs);
  const boostDays = memory.edges.reduce((most, edge) => Math.max(most, edge.boostDays), 0);
  const endDays = Math.max(2 * parameters.decayMidpointDays, 1.25 * ageDays, 60);
  const shareAt = (day: number, boost: number): number => decay((day - boost) * dayMs, parameters);
  const line = (boost: number): number[] =>
    Array.from({ length: curvePointCount }, (_, i) => shareAt((i * endDays) / (curvePointCount - 1), boost));
  const now = Math.round(100 * shareAt(ageDays, boostDays));
  const lines =
    boostDays > 0
      ? [
          { label: `repeated: ${Math.round(boostDays)} days younger`, values: line(boostDays) },
          { label: "without repetition", values: line(0) },
        ]
      : [{ label: "how easily recall reaches it", values: line(0) }];
  return (
    <>
      <h3>Fading</h3>
      <p class="note">
        {count(Math.round(ageDays), "day")} old. From a connected memory, recall reaches it {now} % as easily as when it
        was new.
      </p>
      <Curve
        label={`Decay: ${now} percent now, after ${Math.round(ageDays)} days`}
        xLabel="days since it took place"
        xMax={endDays}
        lines={lines}
        mark={{ x: ageDays, label: "now" }}
      />
    </>
  );
}

function Connections({
  memory,
  model,
  onSelect,
}: {
  memory: MemoryDetail;
  model: GraphModel;
  onSelect: (id: string) => void;
}) {
  const edges = memory.edges.toSorted((x, y) => y.weight - x.weight);
  // What it is linked with as an update stands above already.
  if (edges.length === 0 && hasUpdateLinks(memory)) return null;
  return (
    <>
      <h3>
        {edges.length === 0 ? "Connected with nothing" : `Connected with ${count(edges.length, "memory", "memories")}`}
      </h3>
      <ul class="edges">
        {edges.map(({ id, weight, boostDays }) => {
          const other = model.memories[model.numberOf.get(id) ?? -1];
          return (
            <li key={id}>
              <button type="button" class="row" onClick={() => onSelect(id)}>
                <span class="edge-weight">
                  {round(weight)}
                  {boostDays > 0 && <small> {count(Math.round(boostDays), "day")} younger, said again</small>}
                </span>
                {other === undefined ? id : <Said text={other.summary} lengthMax={90} />}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Origin({ memory, model, onSelect }: Pick<PanelProps, "model" | "onSelect"> & { memory: MemoryDetail }) {
  const metadata = Object.entries(memory.metadata);
  return (
    <>
      {memory.turns.length > 0 && (
        <details>
          <summary>{count(memory.turns.length, "turn")}</summary>
          <dl class="turns">
            {memory.turns.map(({ who, text }, i) => (
              <div key={i}>
                <dt>
                  <Said text={who} />
                </dt>
                <dd>
                  <Said text={text} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <details>
        <summary>Keywords and cues</summary>
        <p class="badges">
          {memory.keywords.map((word) => (
            <span key={word} class="badge">
              <Said text={word} />
            </span>
          ))}
        </p>
        {memory.hypotheticalQuery !== "" && (
          <p>
            It answers: <Said text={memory.hypotheticalQuery} />
          </p>
        )}
      </details>
      {memory.versions.length > 0 && (
        <details>
          <summary>{count(memory.versions.length, "earlier version")}</summary>
          <ul>
            {memory.versions.map((version) => (
              <li key={version.replacedAt}>
                until {momentOf(version.replacedAt)}: <Said text={textOf(version)} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>How it came to be</summary>
        <p>
          <WithMemories
            parts={partsOf(memory.reason, idsInReason(memory.trace))}
            sentences={sentencesOf(model)}
            onSelect={onSelect}
          />
          ; id <code>{memory.id}</code>
        </p>
        {metadata.length > 0 && (
          <p>
            {metadata.map(([name, value]) => (
              <span key={name} class="badge">
                <Said text={`${name}: ${String(value)}`} />
              </span>
            ))}
          </p>
        )}
        <pre tabIndex={0} role="region" aria-label="Trace">
          <Said text={JSON.stringify(memory.trace, null, 1)} />
        </pre>
      </details>
    </>
  );
}
