/** `mnemosyne keys` and `mnemosyne audit`: who may call a server, and what they did. */
import { type Command, InvalidArgumentError } from "commander";
import { verifyAuditLog } from "../server/audit-log.js";
import type { KeyDescription } from "../server/security/key-entry.js";
import { addKey, listKeys, revokeKey } from "../server/security/key-file.js";
import { defaultPath } from "mnemosyne-edge";
import { readVariable } from "./environment.js";
import { wrap } from "./layout.js";
import { colours } from "./paint.js";
import type { Settings } from "./settings.js";
import { countOf, formatMoment, print, printJson, printWrapped } from "./terminal.js";

interface KeysSettings extends Settings {
  readonly keys?: string;
}

interface AddSettings extends KeysSettings {
  readonly for?: readonly string[];
  readonly admin?: boolean;
  readonly readOnly?: boolean;
  readonly expires?: Date;
  readonly label?: string;
}

const exitFindings = 6;
const keysHelp = "file of keys; <path>.keys.json by default (or set MNEMOSYNE_KEYS)";

/** Where a server and these commands look for keys if nobody names the file: next to the database. */
export function findKeysFile({ keys, path }: { readonly keys?: string | undefined; readonly path: string }): string {
  const place = path.includes("://") ? defaultPath : path;
  return keys ?? readVariable("MNEMOSYNE_KEYS") ?? `${place}.keys.json`;
}

export function addKeysCommand(program: Command): void {
  const keys = program
    .command("keys")
    .description("make, list and revoke keys for a server")
    .addHelpText("after", "\nExample:\n  mnemosyne keys add --for ada --label phone");
  addAdding(keys);
  keys
    .command("list")
    .description("list keys: whom they are for, and until when; never the keys themselves")
    .option("--keys <file>", keysHelp)
    .addHelpText("after", "\nExample:\n  mnemosyne keys list")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<KeysSettings>();
      const listed = await listKeys(findKeysFile(settings));
      if (settings.json === true) return printJson(listed);
      if (listed.length === 0) return print("There are no keys.");
      for (const key of listed) print(describeKey(key, settings));
    });
  keys
    .command("revoke <key-id>")
    .description("revoke a key; a running server notices within a second")
    .option("--keys <file>", keysHelp)
    .addHelpText("after", "\nExample:\n  mnemosyne keys revoke k3xq9m2a")
    .action(async (id: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<KeysSettings>();
      const revoked = await revokeKey(findKeysFile(settings), id);
      if (settings.json === true) printJson(revoked);
      else printWrapped(`${colours.green("revoked")} ${revoked.id} ${revoked.label}`.trimEnd());
    });
}

function addAdding(keys: Command): void {
  keys
    .command("add")
    .description("make a key; it is shown once, and only a hash of it is kept")
    .option("--for <person>", "whom it may see: a name, or a beginning such as team-*; repeat for more", collect)
    .option("--admin", "everybody, the list of persons, and metrics")
    .option("--read-only", "may recall and read, not commit, change or forget")
    .option("--expires <time>", "a time such as 2027-01-31, or from now: 90d, 12h, 30m", parseExpiry)
    .option("--label <text>", "to recognize it by")
    .option("--keys <file>", keysHelp)
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne keys add --for ada --label phone
  mnemosyne keys add --for "team-*" --read-only --expires 90d
  mnemosyne keys add --admin`,
    )
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<AddSettings>();
      const file = findKeysFile(settings);
      const { key, entry } = await addKey(file, {
        label: settings.label ?? "",
        isAdmin: settings.admin ?? false,
        persons: settings.for ?? [],
        isReadOnly: settings.readOnly ?? false,
        expiresAt: settings.expires ?? null,
      });
      if (settings.json === true) return printJson({ key, ...entry });
      print(key);
      printWrapped(
        colours.dim(
          `It is not shown again. ${file} has a hash of it; to revoke: mnemosyne keys revoke ${entry.id} --keys ${file}`,
        ),
      );
    });
}

export function addAuditCommand(program: Command): void {
  const audit = program
    .command("audit")
    .description("check a server's audit log")
    .addHelpText("after", "\nExample:\n  mnemosyne audit verify audit.jsonl");
  audit
    .command("verify <file>")
    .description("find lines that were changed, taken out or put in later")
    .addHelpText(
      "after",
      `
Every line carries a hash of the one before. Keep the last hash elsewhere: it
shows whether lines at the end are gone, or everything was written again.

Example:
  mnemosyne audit verify audit.jsonl`,
    )
    .action(async (file: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { lineCount, firstAt, lastAt, lastHash, findings } = await verifyAuditLog(file);
      if (findings.length > 0) process.exitCode = exitFindings;
      if (settings.json === true) return printJson({ lineCount, firstAt, lastAt, lastHash, findings });
      const span =
        firstAt === null || lastAt === null
          ? ""
          : `, ${formatMoment(firstAt, settings.timeZone)} to ${formatMoment(lastAt, settings.timeZone)}`;
      printWrapped(`${countOf(lineCount, "line")}${span}`);
      for (const { line, what } of findings) print(colours.yellow(`line ${line}: ${what}`));
      if (findings.length === 0) print(colours.green("Every line is tied to the one before."));
      print(`last hash ${lastHash}`);
    });
}

function collect(person: string, known: readonly string[] = []): string[] {
  return [...known, person];
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
  const end =
    key.revokedAt !== null
      ? colours.red(`revoked ${formatMoment(key.revokedAt, timeZone)}`)
      : key.expiresAt === null
        ? "does not expire"
        : Date.parse(key.expiresAt) <= Date.now()
          ? colours.yellow(`expired ${formatMoment(key.expiresAt, timeZone)}`)
          : `expires ${formatMoment(key.expiresAt, timeZone)}`;
  const made = `made ${formatMoment(key.createdAt, timeZone)}`;
  return `${wrap(`${key.id}  ${key.label}`.trimEnd(), "", "          ")}\n${wrap([persons, may, made, end].join("; "), "  ")}`;
}
