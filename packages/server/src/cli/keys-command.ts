/** `mnemosyne keys`: who may call a server. */
import { type Command, InvalidArgumentError } from "commander";
import { defaultPath } from "mnemosyne-edge";
import type { KeyDescription } from "../server/security/key-entry.js";
import { addKey, listKeys, revokeKey } from "../server/security/key-file.js";
import { readVariable } from "./environment.js";
import { colours } from "./paint.js";
import { type Settings, collect } from "./settings.js";
import { formatMoment, output } from "./terminal.js";

interface KeysSettings extends Settings {
  readonly keys?: string;
  readonly for?: readonly string[];
  readonly admin?: boolean;
  readonly readOnly?: boolean;
  readonly expires?: Date;
  readonly label?: string;
}

/** Where a server and these commands look for keys if no file is named: next to the database. */
export function findKeysFile({ keys, path }: { readonly keys?: string | undefined; readonly path: string }): string {
  const place = path.includes("://") ? defaultPath : path;
  return keys ?? readVariable("MNEMOSYNE_KEYS") ?? `${place}.keys.json`;
}

export function addKeysCommand(program: Command): void {
  const keys = program
    .command("keys")
    .description("make, list and revoke keys for a server")
    .addHelpText("after", "\nExample:\n  mnemosyne keys add --for ada --label phone");
  const command = (name: string, description: string): Command =>
    keys
      .command(name)
      .description(description)
      .option("--keys <file>", "file of keys; <path>.keys.json by default (or set MNEMOSYNE_KEYS)");

  command("add", "make a key; it is shown once, and only a hash of it is kept")
    .option("--for <person>", "whom it may see: a name, or a beginning such as team-*; repeat for more", collect)
    .option("--admin", "everybody, the list of persons, and metrics")
    .option("--read-only", "may recall and read, not commit, change or forget")
    .option("--expires <time>", "a time such as 2027-01-31, or from now: 90d, 12h, 30m", parseExpiry)
    .option("--label <text>", "to recognize it by")
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne keys add --for ada --label phone
  mnemosyne keys add --for "team-*" --read-only --expires 90d
  mnemosyne keys add --admin`,
    )
    .action(async (_options: object, added: Command) => {
      const settings = added.optsWithGlobals<KeysSettings>();
      const file = findKeysFile(settings);
      const { key, entry } = await addKey(file, {
        label: settings.label ?? "",
        isAdmin: settings.admin ?? false,
        persons: settings.for ?? [],
        isReadOnly: settings.readOnly ?? false,
        expiresAt: settings.expires ?? null,
      });
      const revoke = `mnemosyne keys revoke ${entry.id} --keys ${file}`;
      const note = colours.dim(`It is not shown again. ${file} has a hash of it; to revoke: ${revoke}`);
      output(settings, { key, ...entry }, `${key}\n${note}`);
    });

  command("list", "list keys: whom they are for, and until when; never the keys themselves")
    .addHelpText("after", "\nExample:\n  mnemosyne keys list")
    .action(async (_options: object, listing: Command) => {
      const settings = listing.optsWithGlobals<KeysSettings>();
      const listed = await listKeys(findKeysFile(settings));
      const lines = listed.map((key) => describeKey(key, settings));
      output(settings, listed, lines.length === 0 ? "There are no keys." : lines.join("\n"));
    });

  command("revoke <key-id>", "revoke a key; a running server notices within a second")
    .addHelpText("after", "\nExample:\n  mnemosyne keys revoke k3xq9m2a")
    .action(async (id: string, _options: object, revoking: Command) => {
      const settings = revoking.optsWithGlobals<KeysSettings>();
      const revoked = await revokeKey(findKeysFile(settings), id);
      output(settings, revoked, `${colours.green("revoked")} ${revoked.id} ${revoked.label}`.trimEnd());
    });
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A date alone is its beginning in UTC. */
function parseExpiry(text: string): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/u.exec(text) ?? [];
  const moment = unit === undefined ? Date.parse(text) : Date.now() + Number(count) * unitMs[unit]!;
  if (Number.isNaN(moment)) throw new InvalidArgumentError("write a time, or how long from now, such as 90d");
  return new Date(moment);
}

function describeKey(key: KeyDescription, { timeZone }: Settings): string {
  const persons = key.isAdmin ? "admin" : `for ${key.persons.join(", ")}`;
  const may = key.isReadOnly ? "read only" : "read and write";
  const end = ((): string => {
    if (key.revokedAt !== null) return colours.red(`revoked ${formatMoment(key.revokedAt, timeZone)}`);
    if (key.expiresAt === null) return "does not expire";
    const isOver = Date.parse(key.expiresAt) <= Date.now();
    const moment = formatMoment(key.expiresAt, timeZone);
    return isOver ? colours.yellow(`expired ${moment}`) : `expires ${moment}`;
  })();
  const made = `made ${formatMoment(key.createdAt, timeZone)}`;
  return `${`${key.id}  ${key.label}`.trimEnd()}\n  ${[persons, may, made, end].join("; ")}`;
}
