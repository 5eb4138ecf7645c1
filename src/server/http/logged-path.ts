// What the log gets of an address: nothing that says who asked, nothing secret.
import { decodePath, toCanonicalPath } from '../../http/address.ts';
import { toStatusPath } from '../../i18n/paths.ts';

const MAX_LENGTH = 200;
const SECRET = [toStatusPath('', 'es'), toStatusPath('', 'en')] as const;

/** The path without its query; the secret part of a status address is cut off. */
export function toLoggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  // Secret under any spelling: encoded, with doubled slashes, in capitals.
  const plain = toCanonicalPath(decodePath(path) ?? path).toLowerCase();
  const secret = SECRET.find((start) => plain.startsWith(start));
  return secret ?? path.slice(0, MAX_LENGTH);
}
