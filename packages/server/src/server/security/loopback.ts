/** Names and addresses by which only this machine reaches itself, and how a host is written. */

/** Lower case, without brackets, port and a final dot; null if it is not written as a host. */
export function hostNameOf(host: string): string | null {
  const text = host.trim().toLowerCase();
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d{0,5})?$/u.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  // Anybody may send any host: each colon has one place, so that a long row of them is read once.
  if (/^[0-9a-f]*:[0-9a-f.]*:[0-9a-f:.]*$/u.test(text)) return text;
  const name = /^([a-z0-9._-]+?)\.?(?::\d{0,5})?$/u.exec(text)?.[1];
  return name ?? null;
}

export function isLoopback(host: string): boolean {
  const name = hostNameOf(host);
  if (name === null) return false;
  return name === "localhost" || name === "::1" || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/u.test(name);
}

/** Bound to every address of the machine: no name by which it is called. */
export function isEveryAddress(host: string): boolean {
  const name = hostNameOf(host);
  return name === null || name === "0.0.0.0" || name === "::";
}
