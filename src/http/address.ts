// What the path of a request means: decoded once, one spelling for each page.

/** Longer paths with their query are refused (414). */
export const MAX_URL_LENGTH = 8192;

/** A path decoded once, or null where it is malformed: `%zz`, `%ff`, a control character. */
export function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
    return /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * The canonical spelling of a path: no slash at the end, none doubled, no backslash. Never
 * begins with two slashes, so that it cannot name another host in a Location field.
 */
export function toCanonicalPath(path: string): string {
  return `/${path
    .split(/[/\\]+/)
    .filter((part) => part !== '')
    .join('/')}`;
}
