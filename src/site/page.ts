// The answer to a page's question: what the page says, where it has moved to, or why there is none.
import type { SiteState } from './state.ts';
import { resolveAgenda, type AgendaResult } from './agenda.ts';
import { resolveEvent, type EventResult } from './event.ts';
import { resolveOrganizer, type OrganizerResult } from './organizer.ts';
import { type Failure, type Moved, NOT_FOUND } from './outcome.ts';
import type { PageRequest } from './page-request.ts';
import { resolveTaxon, type TaxonResult } from './taxon.ts';
import { resolveVenue, type VenueResult } from './venue.ts';

export type ContentResult =
  | AgendaResult
  | EventResult
  | VenueResult
  | OrganizerResult
  | TaxonResult;
export type PageResult = ContentResult | Moved | Failure;

/** The answer to a question; no question (null) has none. */
export function resolvePage(state: SiteState, request: PageRequest | null): PageResult {
  if (request === null) return NOT_FOUND;
  switch (request.kind) {
    case 'agenda':
      return resolveAgenda(state, request);
    case 'event':
      return resolveEvent(state, request);
    case 'venue':
      return resolveVenue(state, request);
    case 'organizer':
      return resolveOrganizer(state, request);
    default:
      return resolveTaxon(state, request);
  }
}
