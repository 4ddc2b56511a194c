/**
 * Calls of the server. The key is kept for the tab only, and sent as a header. Where the server asks for one, or does not
 * answer, the page is told by signals; everything else that goes wrong is an error in the server's own words.
 */
import { computed, signal } from "@preact/signals";

const keyName = "mnemosyne-key";
const retryMs = 2_000;

/** Null before anybody signed in, and where no key is asked for. */
export const key = signal(sessionStorage.getItem(keyName));
export const needsKey = signal(false);
/** Why the last key was refused. */
export const refusal = signal("");
export const isLost = signal(false);
/** Null before the server has said what the key may do: until then nothing that changes a memory is offered. */
export const rights = signal<Rights | null>(null);
export const mayChange = computed(() => rights.value?.isReadOnly === false);
/** Grows when the server is back, or somebody has signed in: what is shown is loaded again. */
export const epoch = signal(0);

export interface Rights {
  readonly isReadOnly: boolean;
  /** Only then may it read what concerns everybody, such as the counters. */
  readonly isAdmin: boolean;
}

export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function call<Result>(method: string, path: string, options: CallOptions = {}): Promise<Result> {
  const response = await request(method, path, options);
  return (response.status === 204 ? null : await response.json()) as Result;
}

export async function request(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, headers = {}, signal: aborting } = options;
  const usedKey = key.value;
  const sent: RequestInit = { method, headers: { ...authorization(), ...headers }, cache: "no-store" };
  if (body !== undefined) {
    sent.body = JSON.stringify(body);
    sent.headers = { ...sent.headers, "content-type": "application/json" };
  }
  if (aborting !== undefined) sent.signal = aborting;
  const response = await fetchOrSayLost(path, sent);
  if (response.ok) return response;
  throw await readProblem(response, usedKey);
}

export function personPath(person: string, ...rest: readonly string[]): string {
  return ["/v1/persons", encodeURIComponent(person), ...rest].join("/");
}

export function memoryPath(person: string, id: string): string {
  return personPath(person, "memories", encodeURIComponent(id));
}

export function signIn(given: string): void {
  sessionStorage.setItem(keyName, given);
  key.value = given;
  rights.value = null;
  refusal.value = "";
  needsKey.value = false;
  epoch.value += 1;
}

export function signOut(): void {
  sessionStorage.removeItem(keyName);
  key.value = null;
  rights.value = null;
  needsKey.value = true;
}

function authorization(): Record<string, string> {
  return key.value === null ? {} : { authorization: `Bearer ${key.value}` };
}

async function fetchOrSayLost(path: string, sent: RequestInit): Promise<Response> {
  try {
    return await fetch(path, sent);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    sayLost();
    throw new ApiProblem(0, "lost", "The server does not answer.");
  }
}

async function readProblem(response: Response, usedKey: string | null): Promise<ApiProblem> {
  const text = await response.text();
  const { code, detail } = parseProblem(text, response.status);
  if (response.status === 401) {
    if (usedKey !== null) refusal.value = detail;
    // An answer to an earlier key says nothing about the present one.
    if (usedKey === key.value) signOut();
  }
  return new ApiProblem(response.status, code, detail);
}

function parseProblem(text: string, status: number): { code: string; detail: string } {
  try {
    const { code = "unknown", detail = text } = JSON.parse(text) as { code?: string; detail?: string };
    return { code, detail };
  } catch {
    return { code: "unknown", detail: `The server answered with status ${status}.` };
  }
}

/** Asks until it answers again. */
export function sayLost(): void {
  if (isLost.value) return;
  isLost.value = true;
  const ask = async (): Promise<void> => {
    try {
      await fetch("/health", { cache: "no-store" });
      isLost.value = false;
      epoch.value += 1;
    } catch {
      setTimeout(ask, retryMs);
    }
  };
  setTimeout(ask, retryMs);
}
