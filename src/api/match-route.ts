// Which route a path means, and the identifier in it.
import { AppError } from '../domain/app-error.ts';
import type { Route } from './routes.ts';

export interface Match {
  readonly route: Route;
  /** Percent-decoded; empty where the path has none. */
  readonly id: string;
}

/**
 * The identifier where the path has the pattern's form (empty for a pattern without one); null
 * where it has not.
 */
function matchPattern(pattern: string, path: string): string | null {
  const open = pattern.indexOf('{');
  if (open < 0) return path === pattern ? '' : null;
  const [before, after] = [pattern.slice(0, open), pattern.slice(pattern.indexOf('}') + 1)];
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const id = path.slice(before.length, path.length - after.length);
  return id === '' || id.includes('/') ? null : id;
}

/**
 * The route of a path as sent, or null. An encoded slash stays inside its identifier, so it names
 * nothing that exists. Throws AppError invalid_parameter where an identifier is no percent-encoded
 * UTF-8.
 */
export function matchRoute(routes: readonly Route[], path: string): Match | null {
  for (const route of routes) {
    const id = matchPattern(route.pattern, path);
    if (id !== null) return { route, id: decode(id) };
  }
  return null;
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new AppError(
      'invalid_parameter',
      'path: is not percent-encoded UTF-8. Encode each part as encodeURIComponent does',
    );
  }
}
