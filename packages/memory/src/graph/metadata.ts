/** What a caller notes about an interaction, such as the agent it belongs to: flat, so that it can be filtered by. */

export type MetadataValue = string | number | boolean | readonly string[];

export type Metadata = Readonly<Record<string, MetadataValue>>;

export const noMetadata: Metadata = Object.freeze({});

/** As JSON; null if there is none. */
export function packMetadata(metadata: Metadata): string | null {
  return hasMetadata(metadata) ? JSON.stringify(metadata) : null;
}

/** As `packMetadata` wrote it. */
export function unpackMetadata(json: string | null): Metadata {
  return json === null ? noMetadata : (JSON.parse(json) as Metadata);
}

export function isSameMetadata(x: Metadata, y: Metadata): boolean {
  const names = Object.keys(x);
  const isSame = (name: string): boolean =>
    Object.hasOwn(y, name) && JSON.stringify(x[name]) === JSON.stringify(y[name]);
  return names.length === Object.keys(y).length && names.every(isSame);
}

export function hasMetadata(metadata: Metadata): boolean {
  for (const _ in metadata) return true;
  return false;
}
