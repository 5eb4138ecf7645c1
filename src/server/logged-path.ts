// What the log gets of an address: nothing that says who asked, nothing secret.
import { toStatusPath } from '../i18n/service-paths.ts';

const MAX_LENGTH = 200;
const SECRET = [toStatusPath('', 'es'), toStatusPath('', 'en')] as const;

/** The path without its query; the secret part of a status address is cut off. */
export function toLoggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  const secret = SECRET.find((start) => path.startsWith(start));
  return secret ?? path.slice(0, MAX_LENGTH);
}
