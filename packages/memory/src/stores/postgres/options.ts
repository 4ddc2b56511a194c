export function isPostgresUrl(p: string): boolean {
  return /^postgres/.test(p);
}
