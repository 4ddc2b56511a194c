/**
 * Which headers go to the upstream and come back. All do, but those that are between two neighbours only, those that are the
 * server's own, and keys that are the server's: a key of this memory never leaves it.
 */
import type { UpstreamSettings } from "../server-context.js";

/** Between two neighbours (RFC 9110, 7.6.1). */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** Made for the upstream by the proxy, or about the way to this server, not to the upstream. */
const ofTheWayHere = new Set([
  ...hopByHop,
  "host",
  "content-length",
  "accept-encoding",
  "expect",
  "cookie",
  "forwarded",
  "x-real-ip",
]);
/** What would speak for this server to browsers: the upstream does not know who may call it. */
const ofTheUpstream = new Set([...hopByHop, "set-cookie", "alt-svc", "strict-transport-security"]);
const credentials = ["authorization", "x-api-key", "api-key"];
const upstreamCredential = "x-upstream-authorization";
const ownPrefix = "mnemosyne-";
/** Every key of this server begins with it. */
const ownKey = "mnk_";

export interface CallerOf {
  readonly isAnthropic: boolean;
  /** Whether this server asks for keys: then what is in Authorization is one of them. */
  readonly asksForKeys: boolean;
}

export function headersForUpstream(
  given: Headers,
  { key }: Pick<UpstreamSettings, "key">,
  { isAnthropic, asksForKeys }: CallerOf,
): Record<string, string> {
  const named = new Set((given.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const kept = [...given].filter(
    ([name, value]) =>
      !ofTheWayHere.has(name) &&
      !named.has(name) &&
      !name.startsWith(ownPrefix) &&
      !name.startsWith("x-forwarded-") &&
      name !== upstreamCredential &&
      !value.includes(ownKey),
  );
  // A packed reply could not be read on the way.
  const headers: Record<string, string> = { ...Object.fromEntries(kept), "accept-encoding": "identity" };
  const credential = key ?? given.get(upstreamCredential);
  if (credential === null) {
    // Another scheme than Bearer may hide a key of ours.
    if (asksForKeys && !/^bearer /iu.test(headers["authorization"] ?? "")) delete headers["authorization"];
    return headers;
  }
  for (const name of credentials) delete headers[name];
  return { ...headers, ...credentialHeader(credential, isAnthropic) };
}

/** A key alone goes where the API wants it; one with a scheme ("Bearer …") is the value of Authorization. */
function credentialHeader(credential: string, isAnthropic: boolean): Record<string, string> {
  if (credential.includes(" ")) return { authorization: credential };
  return isAnthropic ? { "x-api-key": credential } : { authorization: `Bearer ${credential}` };
}

/** `raw` is names and values in turn, as they came. */
export function headersForCaller(raw: readonly string[], own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    const isLeftOut = ofTheUpstream.has(name) || name.startsWith(ownPrefix) || name.startsWith("access-control-");
    if (!isLeftOut) headers.append(name, raw[i + 1]!);
  }
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return headers;
}

/** Without what may be a key of ours. */
export function queryForUpstream(search: string): string {
  const kept = search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !part.includes(ownKey));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}
