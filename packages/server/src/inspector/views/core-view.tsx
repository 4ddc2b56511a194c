/** Core memory: what the assistant has learned about the person, where each fact comes from, and how it changed. */
import { useState } from "preact/hooks";
import type { CoreFactView, CoreSummaryView } from "mnemosyne-edge";
import { call, mayChange, personPath } from "../api.js";
import { changes } from "../live.js";
import { useLoaded } from "../loading.js";
import { go, place } from "../place.js";
import { CorrectDialog } from "../parts/edit-dialogs.js";
import { FactActions } from "../parts/fact-actions.js";
import { MemoryLink } from "../parts/memory-link.js";
import { ReadOnlyNote, Said, Trouble, Waiting } from "../parts/said.js";
import { useSentences } from "../sentences.js";
import { count, dayOf, momentOf } from "../words.js";

export function CoreView() {
  const { person } = place.value;
  // Here, and not with the fact, which is gone once it is corrected.
  const [correcting, setCorrecting] = useState<CoreFactView | null>(null);
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
          {count(facts.length, "fact")} in {count(value.areas.length, "area")}, written {momentOf(value.updatedAt)}. A
          context begins with what it has room for.
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
                <Fact key={fact.id} person={person} fact={fact} onCorrect={() => setCorrecting(fact)} />
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
      {correcting !== null && (
        <CorrectDialog
          person={person}
          memory={{ id: correcting.id, summary: correcting.text }}
          onClose={() => setCorrecting(null)}
        />
      )}
      {value.changes.length > 0 && <Changes person={person} core={value} />}
    </div>
  );
}

interface FactProps {
  readonly person: string;
  readonly fact: CoreFactView;
  readonly onCorrect: () => void;
}

function Fact({ person, fact, onCorrect }: FactProps) {
  return (
    <li class="fact">
      <p>
        <Said text={fact.text} />
      </p>
      <div class="fact-line">
        <button type="button" class="link" onClick={() => go({ view: "graph", choices: { memory: fact.sourceId } })}>
          told {dayOf(fact.toldAt)}
        </button>
        {fact.toldCount > 1 && <small>told {fact.toldCount} times</small>}
        <small title="How likely it is to stay true for long, in the reader's eyes">
          {Math.round(100 * fact.probability)} % lasting
        </small>
        {fact.isChange && <span class="badge">was different before</span>}
        {mayChange.value ? (
          <FactActions person={person} id={fact.id} isPinned={fact.isPinned} onCorrect={onCorrect} />
        ) : (
          fact.isPinned && <span class="badge">pinned</span>
        )}
      </div>
    </li>
  );
}

function Changes({ person, core }: { readonly person: string; readonly core: CoreSummaryView }) {
  const ids = core.changes.flatMap(({ left }) => left.map(({ byId }) => byId));
  const sentences = useSentences(person, ids);
  return (
    <section>
      <h2>What entered and left</h2>
      <ol class="plain-list">
        {core.changes.toReversed().map(({ at, entered, left }) => (
          <li key={at} class="change">
            <time dateTime={at}>{momentOf(at)}</time>
            <ul class="plain-list">
              {entered.map(({ id, text }) => (
                <li key={id} class="only-entered">
                  <small>entered: </small>
                  <Said text={text} />
                </li>
              ))}
              {left.map(({ id, text, byId }) => (
                <li key={id} class="only-left">
                  <small>left: </small>
                  <Said text={text} />
                  <p class="note">
                    because of <MemoryLink id={byId} sentences={sentences} lengthMax={110} />
                  </p>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}
