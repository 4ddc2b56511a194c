/** Core memory: what the assistant has learned about the person, where each fact comes from, and how it changed. */
import { useState } from "preact/hooks";
import type { CoreFactView, CoreSummaryView } from "mnemosyne-edge";
import { call, mayChange, memoryPath, personPath } from "../api.js";
import { changes } from "../live.js";
import { useLoaded, wordsOf } from "../loading.js";
import { dropKeptGraph } from "../person-data.js";
import { choose, go, place } from "../place.js";
import { MemoryLink } from "../parts/memory-link.js";
import { ReadOnlyNote, Said, Trouble, Waiting } from "../parts/said.js";
import { useSentences } from "../sentences.js";
import { count, dayOf, momentOf } from "../words.js";
import { Choice } from "./graph-view.js";

export function CoreView() {
  const { person, choices } = place.value;
  const { value, error } = useLoaded<CoreSummaryView>(
    (signal) => call("GET", personPath(person, "core"), { signal }),
    `core ${person}`,
    changes.value,
  );
  if (value === null) return error === "" ? <Waiting what="the core memory" /> : <Trouble text={error} />;
  const facts = value.areas.flatMap((area) => area.facts);
  return (
    <div class="page">
      <h2>Core memory</h2>
      {value.updatedAt === null ? (
        <p>Nothing yet: it is written when enough is remembered.</p>
      ) : (
        <p class="note">
          {count(facts.length, "fact")} in {count(value.areas.length, "area")}, written {momentOf(value.updatedAt)}.
          Every context begins with it.
        </p>
      )}
      <ReadOnlyNote />
      <div class="areas">
        {value.areas.map(({ title, facts: each }) => (
          <section key={title} class="area">
            <h3>
              <Said text={title} />
            </h3>
            <ul class="plain-list">
              {each.map((fact) => (
                <Fact key={`${fact.sourceId} ${fact.text}`} person={person} fact={fact} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {value.areas.length === 0 && value.updatedAt !== null && (
        <pre tabIndex={0} role="region" aria-label="Core summary">
          <Said text={value.text} />
        </pre>
      )}
      {value.changes.length > 1 && <Versions person={person} core={value} choices={choices} />}
      {value.changes.length > 0 && <Changes person={person} core={value} />}
    </div>
  );
}

function Fact({ person, fact }: { readonly person: string; readonly fact: CoreFactView }) {
  const [trouble, setTrouble] = useState("");
  const pin = async (): Promise<void> => {
    try {
      const path = `${memoryPath(person, fact.sourceId)}/pin`;
      await (fact.isPinned ? call("DELETE", path) : call("PUT", path, { body: {} }));
      setTrouble("");
      dropKeptGraph();
    } catch (error) {
      setTrouble(wordsOf(error));
    }
  };
  return (
    <li class="fact">
      <p>
        <Said text={fact.text} />
      </p>
      <p class="fact-line">
        <button type="button" class="link" onClick={() => go({ view: "graph", choices: { memory: fact.sourceId } })}>
          told {dayOf(fact.toldAt)}
        </button>
        {dayOf(fact.since) !== dayOf(fact.toldAt) && <small>here since {dayOf(fact.since)}</small>}
        {fact.toldCount > 1 && <small>told {fact.toldCount} times</small>}
        <small title="How likely it is to stay true for long, in the judge's eyes">
          {Math.round(100 * fact.probability)} % lasting
        </small>
        {fact.isChange && <span class="badge">was different before</span>}
        {mayChange.value ? (
          <button type="button" class="small" aria-pressed={fact.isPinned} onClick={() => void pin()}>
            {fact.isPinned ? "Unpin" : "Pin"}
          </button>
        ) : (
          fact.isPinned && <span class="badge">pinned</span>
        )}
      </p>
      <Trouble text={trouble} />
    </li>
  );
}

interface VersionsProps {
  readonly person: string;
  readonly core: CoreSummaryView;
  readonly choices: Readonly<Record<string, string>>;
}

/** Two moments side by side; what only one of them has stands out. */
function Versions({ person, core, choices }: VersionsProps) {
  const moments = core.changes.map(({ at }) => at).toReversed();
  const left = choices["left"] ?? moments[1] ?? moments[0]!;
  const right = choices["right"] ?? moments[0]!;
  const options = moments.map((at) => [at, momentOf(at)] as const);
  return (
    <section>
      <h2>Versions side by side</h2>
      <div class="versions">
        {[left, right].map((at, side) => (
          <div key={side}>
            <Choice
              label={side === 0 ? "Earlier" : "Later"}
              value={at}
              options={options}
              onChange={(value) => choose(side === 0 ? { left: value } : { right: value })}
            />
            <Version person={person} at={at} other={side === 0 ? right : left} mark={side === 0 ? "left" : "entered"} />
          </div>
        ))}
      </div>
    </section>
  );
}

interface VersionProps {
  readonly person: string;
  readonly at: string;
  readonly other: string;
  readonly mark: "left" | "entered";
}

function Version({ person, at, other, mark }: VersionProps) {
  const own = useVersion(person, at);
  const compared = useVersion(person, other);
  if (own === null) return <Waiting what="this version" />;
  const isIn = new Set(compared?.areas.flatMap(({ facts }) => facts.map(({ text }) => text)) ?? []);
  return (
    <div class="version">
      {own.areas.map(({ title, facts }) => (
        <div key={title}>
          <h3>
            <Said text={title} />
          </h3>
          <ul class="plain-list">
            {facts.map(({ text }) => {
              const isOnly = compared !== null && !isIn.has(text);
              return (
                <li key={text} class={isOnly ? `only-${mark}` : ""}>
                  {isOnly && <small>{mark}: </small>}
                  <Said text={text} />
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </div>
  );
}

function useVersion(person: string, at: string): CoreSummaryView | null {
  return useLoaded<CoreSummaryView>(
    (signal) => call("GET", `${personPath(person, "core")}?at=${encodeURIComponent(at)}`, { signal }),
    `core ${person} ${at}`,
    changes.value,
  ).value;
}

function Changes({ person, core }: { readonly person: string; readonly core: CoreSummaryView }) {
  const ids = core.changes.flatMap(({ left }) => left.flatMap(({ byId }) => byId ?? []));
  const sentences = useSentences(person, ids);
  return (
    <section>
      <h2>What entered and left</h2>
      <ol class="plain-list">
        {core.changes.toReversed().map(({ at, entered, left }) => (
          <li key={at} class="change">
            <time dateTime={at}>{momentOf(at)}</time>
            <ul class="plain-list">
              {entered.map(({ text }) => (
                <li key={text} class="only-entered">
                  <small>entered: </small>
                  <Said text={text} />
                </li>
              ))}
              {left.map(({ text, reason, byId }) => (
                <li key={text} class="only-left">
                  <small>left, {reason}: </small>
                  <Said text={text} />
                  {byId !== null && (
                    <p class="note">
                      because of <MemoryLink id={byId} sentences={sentences} lengthMax={110} />
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}
