/** Something from the server in a component: loaded when what it depends on changes, when the server is back, and on demand. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiProblem, epoch } from "./api.js";

export interface Loaded<Value> {
  readonly value: Value | null;
  readonly error: string;
  readonly isBusy: boolean;
  readonly reload: () => void;
}

/** What was loaded stays in sight until a later version of it is there; of another key it goes at once. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: string,
  version = 0,
): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value: Value | null; error: string }>({
    key,
    value: null,
    error: "",
  });
  const [turn, setTurn] = useState(0);
  const [isBusy, setBusy] = useState(true);
  const since = epoch.value;
  useEffect(() => {
    const aborting = new AbortController();
    setBusy(true);
    load(aborting.signal).then(
      (value) => {
        setState({ key, value, error: "" });
        setBusy(false);
      },
      (error: unknown) => {
        if (aborting.signal.aborted) return;
        setState((before) => ({ key, value: before.key === key ? before.value : null, error: wordsOf(error) }));
        setBusy(false);
      },
    );
    return () => aborting.abort();
    // `load` is a new function at every rendering; `key` says when it means something else.
  }, [key, version, turn, since]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { value: state.key === key ? state.value : null, error: state.key === key ? state.error : "", isBusy, reload };
}

export function wordsOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.code === "lost" || error.status === 401 ? "" : error.message;
  return error instanceof Error ? error.message : String(error);
}
