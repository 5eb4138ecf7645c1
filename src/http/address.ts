// What the path of a question means: decoded once, one spelling for each page.

/** Longer paths with their query are refused (414). */
export const MAX_URL_LENGTH = 8192;

/** A path decoded once, or null where it is malformed: `%zz`, `%ff`, a control character. */
export function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * The spelling of a path that answers: no slash at the end, none doubled, no backslash. Never
 * begins with two slashes, so that it cannot name another host in a Location field.
 */
export function toCanonicalPath(path: string): string {
  return `/${path
    .split(/[/\\]+/)
    .filter((part) => part !== '')
    .join('/')}`;
}

/**
 * Whether a decoded path is nobody's address: a prebuilt variant (`/_hoy/2026-11-21`) or one of
 * Astro's own endpoints (`/_image`), a page's file name, or a way round through `..`, which Astro
 * would follow to a page under a false name.
 */
export function isHiddenPath(path: string): boolean {
  return (
    (path.startsWith('/_') && !path.startsWith('/_astro/')) ||
    path.endsWith('.html') ||
    /\/\.\.?(\/|$)/.test(path)
  );
}

/** Whether a path belongs to the API, whose every answer is JSON (interface 7). */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}
