/** What the server refused, as its problem document says it; or that there was no answer. */
import type { ErrorCode } from "mnemosyne-edge";

/** A code of the memory, one of the server's own, or `network_failed` and `timed_out`, where there was no answer. */
export type ClientErrorCode = ErrorCode | "network_failed" | "timed_out" | (string & {});

interface ErrorFacts {
  readonly status: number;
  readonly code: ClientErrorCode;
  readonly detail: string;
  readonly errors?: MnemosyneClientError["errors"];
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

export class MnemosyneClientError extends Error {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: ClientErrorCode;
  readonly detail: string;
  /** Where in the request, if it is about fields. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** Seconds after which the server may take it; null if it does not say. */
  readonly retryAfter: number | null;

  constructor({ status, code, detail, errors = [], retryAfter = null, cause }: ErrorFacts) {
    super(detail, { cause });
    this.name = "MnemosyneClientError";
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

/** Of an answer that is none of ours, such as a proxy's, the status is all there is to say. */
export async function readProblem(answer: Response): Promise<MnemosyneClientError> {
  const { status } = answer;
  const text = await answer.text().catch(() => "");
  const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? Math.max(0, seconds) : null;
  const { code = "unknown", detail, errors = [] } = parse(text);
  return new MnemosyneClientError({
    status,
    code,
    detail: detail ?? `the server answered with status ${status}`,
    errors,
    retryAfter,
  });
}

type Problem = Partial<Pick<MnemosyneClientError, "code" | "detail" | "errors">>;

function parse(text: string): Problem {
  try {
    return (JSON.parse(text) as Problem | null) ?? {};
  } catch {
    return {};
  }
}
