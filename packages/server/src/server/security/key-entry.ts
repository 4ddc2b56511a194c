/**
 * What is kept of a key. A key is `mnk_<id>_<secret>`; the secret is 32 random bytes. Only a salted SHA-256 of it is kept: a
 * slow hash protects what people choose themselves and others can guess, and nobody guesses 256 random bits, while every
 * request has to be checked.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Access } from "./access.js";

export interface KeyScope {
  readonly isAdmin: boolean;
  /** Names, or beginnings of names that end in `*`. Empty for an admin. */
  readonly persons: readonly string[];
  readonly isReadOnly: boolean;
}

/** What may be shown of a key. */
export interface KeyDescription extends KeyScope {
  readonly id: string;
  readonly label: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface KeyEntry extends KeyDescription {
  readonly salt: string;
  /** SHA-256 of salt and secret. Null once it is revoked: the label stays, so that an audit log can still be read. */
  readonly hash: string | null;
}

export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

/** 32 characters that are not mistaken for each other: five bits each. */
const idAlphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const idLength = 8;
const secretBytes = 32;
const keyPattern = /^mnk_([a-z0-9]{8})_([A-Za-z0-9_-]{43})$/u;
const idPattern = /^(?:mnk_)?([a-z0-9]{8})(?:_[A-Za-z0-9_-]{43})?$/u;

export function makeKeyParts(isTaken: (id: string) => boolean): KeyParts {
  let id = makeId();
  while (isTaken(id)) id = makeId();
  return { id, secret: randomBytes(secretBytes).toString("base64url") };
}

function makeId(): string {
  return Array.from(randomBytes(idLength), (byte) => idAlphabet[byte % idAlphabet.length]).join("");
}

export function writeKey({ id, secret }: KeyParts): string {
  return `mnk_${id}_${secret}`;
}

export function readKey(key: string): KeyParts | null {
  const [, id, secret] = keyPattern.exec(key) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** An id as people paste it: alone, with its beginning, or as the whole key. */
export function readKeyId(text: string): string | null {
  return idPattern.exec(text.trim())?.[1] ?? null;
}

export function hashSecret(salt: string, secret: string): string {
  return createHash("sha256").update(salt).update(secret).digest("hex");
}

export function makeSalt(): string {
  return randomBytes(16).toString("hex");
}

/** Compared with when an id is unknown, so that this takes as long as with a known one. Nothing hashes to it. */
const decoy: Pick<KeyEntry, "salt" | "hash"> = { salt: makeSalt(), hash: randomBytes(32).toString("hex") };

/** Whether the secret is the entry's. Takes the same time whatever the answer. */
export function isSecretOf(entry: KeyEntry | undefined, secret: string): boolean {
  const { salt, hash } = entry ?? decoy;
  const expected = Buffer.from(hash ?? decoy.hash!, "hex");
  const isEqual = timingSafeEqual(Buffer.from(hashSecret(salt, secret), "hex"), expected);
  return isEqual && entry !== undefined && hash !== null;
}

export function isUsable({ expiresAt, revokedAt }: KeyDescription, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || nowMs < Date.parse(expiresAt));
}

export function accessOf({ id, isAdmin, persons, isReadOnly }: KeyDescription): Access {
  return { keyId: id, isAdmin, persons, isReadOnly };
}

export function describeKey({ salt: _salt, hash: _hash, ...description }: KeyEntry): KeyDescription {
  return description;
}

const formatVersion = 1;

export function writeEntries(entries: readonly KeyEntry[]): string {
  return `${JSON.stringify({ version: formatVersion, keys: entries }, null, 2)}\n`;
}

/** Throws an error that says what is wrong; one wrong entry makes all of them doubtful. */
export function readEntries(text: string): KeyEntry[] {
  const value = JSON.parse(text) as { readonly version?: unknown; readonly keys?: unknown } | null;
  if (value?.version !== formatVersion) throw new Error(`its version is not ${formatVersion}`);
  if (!Array.isArray(value.keys)) throw new Error("it has no list of keys");
  const entries = value.keys as unknown[];
  entries.forEach((entry, index) => {
    if (!isEntry(entry)) throw new Error(`entry ${index + 1} is not that of a key`);
  });
  if (new Set(entries.map((entry) => (entry as KeyEntry).id)).size < entries.length)
    throw new Error("an id is there twice");
  return entries as KeyEntry[];
}

function isEntry(value: unknown): value is KeyEntry {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Record<keyof KeyEntry, unknown>;
  return (
    isMatching(entry.id, /^[a-z0-9]{8}$/u) &&
    isMatching(entry.salt, /^[0-9a-f]{32}$/u) &&
    (entry.hash === null ? entry.revokedAt !== null : isMatching(entry.hash, /^[0-9a-f]{64}$/u)) &&
    typeof entry.label === "string" &&
    typeof entry.isAdmin === "boolean" &&
    typeof entry.isReadOnly === "boolean" &&
    Array.isArray(entry.persons) &&
    entry.persons.every((person) => typeof person === "string" && person !== "") &&
    isTime(entry.createdAt) &&
    (entry.expiresAt === null || isTime(entry.expiresAt)) &&
    (entry.revokedAt === null || isTime(entry.revokedAt))
  );
}

function isMatching(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
