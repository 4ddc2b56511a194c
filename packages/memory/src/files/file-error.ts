/** Why a file could not be read or written, in words instead of system codes. */
const reasons: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  EEXIST: "it is not a folder",
  ENOTDIR: "part of its path is not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};

export function describeUnreadable(file: string, cause: unknown): string {
  return `${file} cannot be read: ${describeCause(cause, "no such file")}`;
}

export function describeUnwritable(file: string, cause: unknown): string {
  return `${file} cannot be written: ${describeCause(cause, "no such folder")}`;
}

function describeCause(cause: unknown, missing: string): string {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return code === "ENOENT" ? missing : (reasons[code] ?? message);
}
