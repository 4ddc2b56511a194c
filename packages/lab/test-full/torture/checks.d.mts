export interface Finding {
  readonly fault: string;
  readonly what: string;
}

export interface Submitted {
  readonly mark: string;
  readonly person: string;
  readonly input?: object;
  readonly turn?: { readonly who: string; readonly text: string };
}

export interface Look {
  readonly persons: Readonly<
    Record<
      string,
      {
        readonly history: readonly object[];
        readonly exported: readonly string[];
        readonly problems: readonly string[];
      }
    >
  >;
}

export function checkLook(trial: {
  submitted: readonly Submitted[];
  acknowledged: ReadonlySet<string>;
  forgotten?: ReadonlySet<string>;
  look: Look;
}): Finding[];
export function checkBytes(forgottenMarks: Iterable<string>, bytes: Uint8Array): Finding[];
export function checkEnd(end: {
  code: number | null;
  signal: string | null;
  errors: string;
  isEndedByUs: boolean;
  hasHung: boolean;
}): Finding[];
