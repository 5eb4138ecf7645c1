// What an editor's password must be.

/** Characters of a password that somebody chooses; longer ones are not hashed. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;
/** Different ones among them, so that none is one letter many times. */
const MIN_DIFFERENT = 6;

/** As it is hashed: what is typed on one keyboard is the same on another. */
export const normalizePassword = (typed: string): string => typed.normalize('NFKC').trim();

/** Whether somebody may choose it: long enough, not all alike, and not made of the own name. */
export function isAcceptablePassword(password: string, name: string): boolean {
  const { min, max } = PASSWORD_LENGTH;
  const rest = password.toLowerCase().replaceAll(name.toLowerCase(), '');
  return password.length >= min && password.length <= max && new Set(rest).size >= MIN_DIFFERENT;
}
