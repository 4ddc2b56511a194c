/** The statements of a memory: what ended is struck through, with what replaced it, and what was withdrawn can be taken back. */
import type { MemoryDetail, StatementView } from "mnemosyne-edge";
import { placeNamed } from "mnemosyne-edge/internal/graph/statement.js";
import { call, mayChange, personPath } from "../api.js";
import type { GraphModel } from "../graph/graph-model.js";
import { useSending } from "../sending.js";
import { dayOf, shorten, withoutSpeaker } from "../words.js";
import { Said, Trouble } from "./said.js";

interface StatementsProps {
  readonly person: string;
  readonly memory: Pick<MemoryDetail, "id" | "statements">;
  readonly model: GraphModel;
  readonly onSelect: (id: string) => void;
}

const markWords: Readonly<Record<StatementView["marks"][number], string>> = {
  pinned: "pinned",
  removed: "not in the core memory",
  untrue: "not true",
  held: "held back: somebody asks to forget it",
};

export function Statements({ memory, ...shared }: StatementsProps) {
  if (memory.statements.length === 0) return null;
  return (
    <>
      <h3>What it says</h3>
      <ul class="plain-list statements">
        {memory.statements.map((statement) => (
          <Statement key={statement.id} statement={statement} {...shared} />
        ))}
      </ul>
    </>
  );
}

type StatementProps = Omit<StatementsProps, "memory"> & { readonly statement: StatementView };

function Statement({ person, statement, model, onSelect }: StatementProps) {
  const { id, who, asked, text, endedAt, endedBy, marks } = statement;
  const { send, isBusy, trouble } = useSending<unknown>();
  const speaker = who === null || who === "user" ? "" : `${who}: `;
  const isSilent = marks.includes("untrue") || marks.includes("held");
  const said = <Said text={`${speaker}${text}`} />;
  const isWithdrawn = marks.some((mark) => mark !== "pinned");
  const restore = (): Promise<unknown> =>
    call("POST", `${personPath(person, "interactions", encodeURIComponent(id))}:restore`);
  return (
    <li data-statement={id}>
      {asked !== null && (
        <small>
          <Said text={asked} />{" "}
        </small>
      )}
      {endedAt !== null || isSilent ? <del>{said}</del> : said}
      {(endedAt !== null || marks.length > 0) && (
        <div class="fact-line">
          {endedAt !== null && <small>until {dayOf(endedAt)}</small>}
          {endedBy.map((by) => (
            <Ender key={by} id={by} model={model} onSelect={onSelect} />
          ))}
          {marks.map((mark) => (
            <span key={mark} class="badge">
              {markWords[mark]}
            </span>
          ))}
          {isWithdrawn && mayChange.value && (
            <button
              type="button"
              class="small"
              aria-disabled={isBusy}
              aria-label={`Take it back: ${shorten(text, 60)}`}
              onClick={() => void send(restore)}
            >
              Take it back
            </button>
          )}
        </div>
      )}
      <Trouble text={trouble} />
    </li>
  );
}

/** The statement that replaced it, in its own words, which opens its memory. */
function Ender({ id, model, onSelect }: Pick<StatementsProps, "model" | "onSelect"> & { readonly id: string }) {
  const memoryId = model.numberOf.has(id) ? id : (placeNamed(id)?.memory ?? id);
  const memory = model.memories[model.numberOf.get(memoryId) ?? -1];
  if (memory === undefined) return <code>{id}</code>;
  const statement = memory.statements.find((each) => each.id === id);
  return (
    <button type="button" class="link" title={id} onClick={() => onSelect(memoryId)}>
      replaced by <Said text={statement?.text ?? withoutSpeaker(memory.summary)} lengthMax={110} />
    </button>
  );
}
