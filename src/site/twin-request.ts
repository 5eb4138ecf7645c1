// Which Markdown twin a path names: that of every public page, whether or not it depends on a visit.
import type { Lang } from '../domain/lang.ts';
import { type PageRequest, parsePagePath, parseVisitPath } from './page-request.ts';

/** A twin by what it is of. */
export type TwinRequest =
  | PageRequest
  | { readonly kind: 'calendar' | 'submit' | 'import' | 'embed'; readonly lang: Lang };

/** The twin of a page by the page's path, decoded; null where there is none. */
export function findTwin(path: string, now_ms: number): TwinRequest | null {
  const page = parsePagePath(path, now_ms);
  if (page !== null) return page;
  const visit = parseVisitPath(path);
  switch (visit?.kind) {
    case 'calendar':
    case 'submit':
    case 'import':
    case 'embed':
      return { kind: visit.kind, lang: visit.lang };
    default:
      return null;
  }
}
