// Whether a page is of a thing, or of days, that two snapshots say the same of.
import type { Touched } from '../snapshot/find-touched.ts';
import { findId, type ThingKind } from '../snapshot/get-thing.ts';
import type { AgendaRequest } from './agenda.ts';
import { toPageOf } from './answer-digest.ts';
import { toCountedDays } from './days-around.ts';
import { parsePagePath } from './page-request.ts';
import type { SiteState } from './state.ts';

/** What is touched, as sets. */
interface TouchedSets extends Readonly<Record<ThingKind, ReadonlySet<string> | null>> {
  readonly days: ReadonlySet<number> | null;
}

/** The sets of one comparison, for one thread asks of thousands of pages. */
const sets = new WeakMap<Touched, TouchedSets>();

function toSets(touched: Touched): TouchedSets {
  const known = sets.get(touched) ?? {
    event: new Set(touched.event),
    venue: touched.venue && new Set(touched.venue),
    organizer: touched.organizer && new Set(touched.organizer),
    days: touched.days && new Set(touched.days),
  };
  sets.set(touched, known);
  return known;
}

/** Of the page at a path, or its Markdown; false for every page that is of no single thing, of no days and of no notices. */
export function isUntouched(state: SiteState, path: string, touched: Touched): boolean {
  const request = parsePagePath(toPageOf(path), state.now_ms);
  switch (request?.kind) {
    case 'event':
    case 'venue':
    case 'organizer': {
      const id = findId(state.snapshot, request.kind, request.slug);
      return id !== null && id !== 'gone' && toSets(touched)[request.kind]?.has(id) === false;
    }
    case 'notices':
      // No days at all where notices are otherwise.
      return toSets(touched).days !== null;
    case 'agenda':
      return areUntouched(request, toSets(touched).days);
    default:
      return false;
  }
}

/** Those of an agenda, and those that it counts. */
function areUntouched(request: AgendaRequest, touched: TouchedSets['days']): boolean {
  if (touched === null) return false;
  const { first, last } = toCountedDays(request);
  for (let day = first; day <= last; day += 1) if (touched.has(day)) return false;
  return true;
}
