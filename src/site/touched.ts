// Whether a page is of a thing that two snapshots say the same of.
import type { Touched } from '../snapshot/find-touched.ts';
import { findId } from '../snapshot/get-thing.ts';
import { toPageOf } from './answer-digest.ts';
import { parsePagePath } from './page-request.ts';
import type { SiteState } from './state.ts';

/** The sets of one comparison, for one thread asks of thousands of pages. */
const sets = new WeakMap<Touched, Readonly<Record<keyof Touched, ReadonlySet<string>>>>();

function toSets(touched: Touched) {
  const known = sets.get(touched) ?? {
    event: new Set(touched.event),
    venue: new Set(touched.venue),
    organizer: new Set(touched.organizer),
  };
  sets.set(touched, known);
  return known;
}

/** Of the page at a path, or its Markdown; false for every page that is of no single thing. */
export function isUntouched(state: SiteState, path: string, touched: Touched): boolean {
  const request = parsePagePath(toPageOf(path), state.now_ms);
  if (request?.kind !== 'event' && request?.kind !== 'venue' && request?.kind !== 'organizer')
    return false;
  const id = findId(state.snapshot, request.kind, request.slug);
  return id !== null && id !== 'gone' && !toSets(touched)[request.kind].has(id);
}
