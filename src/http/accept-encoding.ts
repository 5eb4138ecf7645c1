// Which content coding a caller gets, by Accept-Encoding (RFC 9110 12.5.3).
import { parseQualities } from './quality-list.ts';

/** The codings we make beforehand, the smallest first. */
export const CODINGS = ['br', 'zstd', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];
/**
 * The same for what is made while somebody waits: zstd takes a sixth of brotli's time and a tenth
 * more bytes.
 */
export const QUICK_CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip'];

/**
 * The coding to answer with, among those that can be had. The highest weight wins, on ties the
 * first of them, identity last. Where nothing fits it is identity, as RFC 9110 lets us: a body that
 * is read beats a refusal.
 */
export function chooseCoding(
  header: string | undefined,
  available: readonly Coding[],
): Coding | 'identity' {
  if (header === undefined || available.length === 0) return 'identity';
  const asked = parseQualities(header);
  const weigh = (name: string): number | undefined =>
    asked.find(({ value }) => value === name || (name === 'gzip' && value === 'x-gzip'))?.q;
  const any = weigh('*');
  let chosen: Coding | 'identity' = 'identity';
  let weight = 0;
  for (const coding of available) {
    const q = weigh(coding) ?? any ?? 0;
    if (q > weight) [chosen, weight] = [coding, q];
  }
  return (weigh('identity') ?? 0) > weight ? 'identity' : chosen;
}
