/** What ended something in a memory and in what it ended something, in their own sentences; a wrong link is taken back here. */
import type { MemoryDetail } from "mnemosyne-edge";
import { isOutdated } from "../../server/outdated-memory.js";
import { call, mayChange, memoryPath } from "../api.js";
import type { GraphModel } from "../graph/graph-model.js";
import { useSending } from "../sending.js";
import { sentencesOf } from "../sentences.js";
import { dayOf, shorten } from "../words.js";
import { MemoryLink } from "./memory-link.js";
import { Trouble } from "./said.js";

interface UpdateLinksProps {
  readonly person: string;
  readonly memory: Pick<MemoryDetail, "id" | "summary" | "statements" | "updates" | "outdatedBy">;
  readonly model: GraphModel;
  readonly onSelect: (id: string) => void;
}

export function UpdateLinks({ person, memory, model, onSelect }: UpdateLinksProps) {
  if (!hasUpdateLinks(memory)) return null;
  const shared = { person, model, onSelect };
  return (
    <ul class="plain-list update-links" aria-label="What holds instead of what">
      {memory.outdatedBy.map((id) => (
        <UpdateLink
          key={id}
          {...shared}
          word={isOutdated(memory) ? "outdated by" : "partly outdated by"}
          newerId={id}
          olderId={memory.id}
          shownId={id}
        />
      ))}
      {memory.updates.map((id) => (
        <UpdateLink key={id} {...shared} word="ends something in" newerId={memory.id} olderId={id} shownId={id} />
      ))}
    </ul>
  );
}

export function hasUpdateLinks({ updates, outdatedBy }: Pick<MemoryDetail, "updates" | "outdatedBy">): boolean {
  return updates.length + outdatedBy.length > 0;
}

interface UpdateLinkProps extends Omit<UpdateLinksProps, "memory"> {
  readonly word: string;
  readonly newerId: string;
  readonly olderId: string;
  /** The one of the two that is not open already. */
  readonly shownId: string;
}

function UpdateLink({ person, model, onSelect, word, newerId, olderId, shownId }: UpdateLinkProps) {
  const { send, isBusy, trouble } = useSending<unknown>();
  const shown = model.memories[model.numberOf.get(shownId) ?? -1];
  const older = model.memories[model.numberOf.get(olderId) ?? -1];
  const path = `${memoryPath(person, newerId)}/updates?outdated=${encodeURIComponent(olderId)}`;
  return (
    <li>
      <MemoryLink id={shownId} sentences={sentencesOf(model)} lengthMax={140} onSelect={onSelect}>
        {word} {shown !== undefined && `${dayOf(shown.at)}: `}
      </MemoryLink>
      {mayChange.value && older !== undefined && (
        <button
          type="button"
          class="small"
          aria-disabled={isBusy}
          aria-label={`Still true: ${shorten(older.summary, 60)}`}
          title="The earlier one is still true: nothing in it is ended by this any more, and both hold"
          onClick={() => void send(() => call("DELETE", path))}
        >
          Still true
        </button>
      )}
      <Trouble text={trouble} />
    </li>
  );
}
