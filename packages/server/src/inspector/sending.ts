/** A change that is sent to the server once at a time; what it changed is loaded again, and a refusal is said. */
import { useState } from "preact/hooks";
import { ApiProblem } from "./api.js";
import { wordsOf } from "./loading.js";
import { dropKeptGraph } from "./person-data.js";

export interface Sending<Result> {
  readonly send: (work: () => Promise<Result>) => Promise<void>;
  readonly isBusy: boolean;
  readonly trouble: string;
  readonly done: Result | null;
}

export function useSending<Result>(): Sending<Result> {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [done, setDone] = useState<Result | null>(null);
  const send = async (work: () => Promise<Result>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setTrouble("");
    try {
      setDone(await work());
      dropKeptGraph();
    } catch (error) {
      const isStale = error instanceof ApiProblem && error.status === 412;
      setTrouble(isStale ? "Somebody changed it meanwhile. Close this and look at it again." : wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy, trouble, done };
}
