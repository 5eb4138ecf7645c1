// The answer to a page's question: what the page says, where it has moved to, or why there is none.
import type { SiteState } from './state.ts';
import { answerAgenda, type AgendaAnswer } from './agenda.ts';
import { answerEvent, type EventAnswer } from './event.ts';
import { answerOrganizer, type OrganizerAnswer } from './organizer.ts';
import { type Failure, type Moved, NOT_FOUND } from './outcome.ts';
import type { PageQuestion } from './page-request.ts';
import { answerTaxon, type TaxonAnswer } from './taxon.ts';
import { answerVenue, type VenueAnswer } from './venue.ts';

export type ContentAnswer =
  | AgendaAnswer
  | EventAnswer
  | VenueAnswer
  | OrganizerAnswer
  | TaxonAnswer;
export type PageAnswer = ContentAnswer | Moved | Failure;

/** The answer to a question; no question (null) has none. */
export function answerPage(state: SiteState, question: PageQuestion | null): PageAnswer {
  if (question === null) return NOT_FOUND;
  switch (question.kind) {
    case 'agenda':
      return answerAgenda(state, question);
    case 'event':
      return answerEvent(state, question);
    case 'venue':
      return answerVenue(state, question);
    case 'organizer':
      return answerOrganizer(state, question);
    default:
      return answerTaxon(state, question);
  }
}
