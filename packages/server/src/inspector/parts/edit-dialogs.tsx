/** Changing what is remembered: a correction that makes the earlier one outdated, or an edit in place. */
import { useState } from "preact/hooks";
import type { CommitResult, MemoryDetail, UpdateResult } from "mnemosyne-edge";
import { placeNamed } from "mnemosyne-edge/internal/graph/statement.js";
import { call, memoryPath } from "../api.js";
import { useSending } from "../sending.js";
import { Dialog, DoneButton } from "./dialog.js";
import { Said, Trouble } from "./said.js";

interface EditProps {
  readonly person: string;
  readonly memory: Pick<MemoryDetail, "id" | "summary">;
  readonly onClose: () => void;
}

export function CorrectDialog({ person, memory, onClose }: EditProps) {
  const { send, done, ...state } = useSending<CommitResult>();
  const correct = (text: string): void =>
    void send(() => call("POST", `${memoryPath(person, memory.id)}:correct`, { body: { text } }));
  return (
    <Dialog title="Correct this memory" onClose={onClose}>
      <blockquote>
        <Said text={memory.summary} />
      </blockquote>
      <p>What is true now is kept as a memory of its own, and this one becomes outdated. Nothing is lost.</p>
      {done === null ? (
        <TextForm label="What is true now" rows={3} action="Correct" onSend={correct} {...state} />
      ) : (
        <p role="status">
          Corrected: the new memory is there{furtherReason(done, memory.id)}. <DoneButton onDone={onClose} />
        </p>
      )}
    </Dialog>
  );
}

export function EditDialog({ person, memory, tag, onClose }: EditProps & { readonly tag: string }) {
  const { send, done, ...state } = useSending<UpdateResult>();
  const headers = { "if-match": `"${tag}"` };
  const save = (summary: string): void =>
    void send(() => call("PATCH", memoryPath(person, memory.id), { body: { summary }, headers }));
  return (
    <Dialog title="Edit this memory" onClose={onClose}>
      <p>It keeps its id. What it was stays as a version.</p>
      {done === null ? (
        <TextForm label="Summary" rows={6} before={memory.summary} action="Save" onSend={save} {...state} />
      ) : (
        <p role="status">
          {done.isChanged
            ? `Saved: this is what it says from now on${furtherReason(done, memory.id)}.`
            : "It was so already."}{" "}
          <DoneButton onDone={onClose} />
        </p>
      )}
    </Dialog>
  );
}

/** What nobody expects: not that it is kept, nor that it updates the memory, or that of the statement, of the dialog. */
function furtherReason({ reason }: Pick<UpdateResult, "reason">, id: string): string {
  const isExpected = (part: string): boolean =>
    /^(?:kept|restored)\b/u.test(part) || [id, placeNamed(id)?.memory].some((each) => part === `updates ${each}`);
  const further = reason.split(", ").filter((part) => !isExpected(part));
  return further.length === 0 ? "" : ` (${further.join(", ")})`;
}

interface TextFormProps {
  readonly label: string;
  readonly rows: number;
  /** What is there to begin with. */
  readonly before?: string;
  /** What the button says. */
  readonly action: string;
  readonly onSend: (text: string) => void;
  readonly isBusy: boolean;
  readonly trouble: string;
}

function TextForm({ label, rows, before = "", action, onSend, isBusy, trouble }: TextFormProps) {
  const [text, setText] = useState(before);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend(text);
      }}
    >
      <label class="field">
        {label}
        <textarea autofocus required rows={rows} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <Trouble text={trouble} />
      <button type="submit" class="primary" disabled={text.trim() === ""} aria-disabled={isBusy}>
        {action}
      </button>
    </form>
  );
}
