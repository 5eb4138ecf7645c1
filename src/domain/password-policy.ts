// Password policy: the rules for editors' passwords.

/** Characters of a new password; longer ones are not hashed. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;
/** Distinct characters, so that a password is not one letter repeated. */
const MIN_DISTINCT = 6;

/** Normalizes a password before hashing, so that it is the same from every keyboard. */
export const normalizePassword = (typed: string): string => typed.normalize('NFKC').trim();

/**
 * Returns true if the password is long enough, has enough distinct characters, and does not rely on
 * the name.
 */
export function isAcceptablePassword(password: string, name: string): boolean {
  const { min, max } = PASSWORD_LENGTH;
  const rest = password.toLowerCase().replaceAll(name.toLowerCase(), '');
  return password.length >= min && password.length <= max && new Set(rest).size >= MIN_DISTINCT;
}
