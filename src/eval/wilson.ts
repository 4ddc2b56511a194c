/**
 * Wilson's 95 % interval of a share, as the paper gives it for its win rates:
 * (p + z² / 2n ± z √(p (1 - p) / n + z² / 4n²)) / (1 + z² / n).
 */

const z = 1.959964;

export function wilsonInterval(successes: number, count: number): { readonly low: number; readonly high: number } {
  if (count === 0) return { low: 0, high: 1 };
  const share = successes / count;
  const centre = share + z ** 2 / (2 * count);
  const reach = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  return { low: Math.max(0, (centre - reach) / scale), high: Math.min(1, (centre + reach) / scale) };
}
