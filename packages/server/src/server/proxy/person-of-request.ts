/** Whose memory a chat is about. */
import { RequestError } from "../problem.js";
import { type Access, onlyPerson } from "../security/access.js";

export interface WhoseChat {
  readonly header: string | undefined;
  /** Whom the body names. */
  readonly user: string | null;
  readonly access: Access;
  readonly asksForKeys: boolean;
}

const defaultPerson = "default";

/** The header's, the body's, the only one of the key, or the only one of a memory that is open to all who reach it. */
export function personOfRequest({ header, user, access, asksForKeys }: WhoseChat): string {
  const named = header === undefined ? null : readHeader(header);
  const person = named ?? user ?? onlyPerson(access) ?? (asksForKeys ? null : defaultPerson);
  if (person !== null) return person;
  const message =
    "It is not clear whose memory this chat is about. Name the person in the header mnemosyne-person, or in user (metadata.user_id for /v1/messages).";
  throw new RequestError("request_invalid", message);
}

/** Headers come as Latin-1; a name in UTF-8, as curl sends it, is read as that. */
function readHeader(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
