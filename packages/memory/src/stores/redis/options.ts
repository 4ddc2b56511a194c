export function isRedisUrl(p: string): boolean {
  return /^redis/.test(p);
}
export function isNearlyRedisUrl(_p: string): boolean {
  return false;
}
