// How a submission will look: the same records that a release makes of it, without a release.
import { formatTimestamp, toCancunDay } from '../domain/cancun-time.ts';
import type { EventDetail } from '../domain/agenda.ts';
import { byLang } from '../domain/lang.ts';
import { EMPTY_LEDGER } from '../domain/ledger.ts';
import { filterUpcoming, pickNext } from '../domain/event/event.ts';
import { HORIZON_MONTHS } from '../domain/event/occurrences.ts';
import { findRegularity } from '../domain/event/regularity.ts';
import type { Additions } from '../domain/submission/additions.ts';
import type { Submission } from '../domain/submission/submission.ts';
import { findTaxon } from '../domain/taxon.ts';
import type { ContentIssue } from '../sources/issues.ts';
import type { ContentFile } from '../sources/read-content.ts';
import { toEvent } from '../sources/to-event.ts';
import { toOrganizer, toVenue } from '../sources/to-records.ts';
import { type Publication, toEventFile } from '../sources/inbox/publication.ts';
import type { Known } from './known.ts';
import { type Origin, toPublication } from './to-publication.ts';

const toFile = <T>(value: T): ContentFile<T> => ({
  file: 'preview',
  stem: 'preview',
  value,
  lineOf: () => null,
});
/** Most of a description that stands for a summary which nobody has written yet. */
const MAX_SUMMARY = 280;

/** The first sentences of a text, at most 280 characters. */
export function suggestSummary(text: string): string {
  const line = text.split('\n')[0] ?? '';
  if (line.length <= MAX_SUMMARY) return line;
  const sentences = line.slice(0, MAX_SUMMARY).match(/^.*[.!?…](?=\s|$)/su)?.[0];
  return sentences ?? `${line.slice(0, MAX_SUMMARY).replace(/\s+\S*$/, '')}…`;
}

/**
 * The event as its page will show it; what a reviewer has yet to write is taken from the text. Null
 * where it cannot be shown.
 */
export function toPreview(
  submission: Submission,
  additions: Additions,
  known: Known,
  origin: Origin,
): EventDetail | null {
  const summary = additions.summary || suggestSummary(submission.description);
  const filled = { ...additions, summary, other_title: additions.other_title || submission.title };
  const { publication } = toPublication(submission, filled, origin, known);
  return publication && toDetail(publication, known, origin.now_ms);
}

function toDetail(publication: Publication, known: Known, now_ms: number): EventDetail | null {
  const issues: ContentIssue[] = [];
  const moment = { now_ms, timestamp: formatTimestamp(now_ms) };
  const { venue: at, organizer: by } = publication;
  const venue =
    at &&
    ('id' in at
      ? known.getVenue(at.id)
      : toVenue(toFile(at.file), known.taxonomy.zones, EMPTY_LEDGER, moment, [], issues).record);
  const organizer =
    by &&
    ('id' in by
      ? known.getOrganizer(by.id)
      : toOrganizer(toFile(by.file), EMPTY_LEDGER, moment, []).record);
  const places = {
    venues: new Map(venue ? [['at', venue]] : []),
    organizers: new Map(organizer ? [['by', organizer]] : []),
    // A submission has days, and days do not rest.
    town: { holidays: [], terms: [] },
  };
  const file = toFile({
    ...toEventFile(publication),
    slug: byLang(() => 'preview'),
    ...(venue ? { venue: 'at' } : {}),
    ...(organizer ? { organizer: 'by' } : {}),
  });
  const horizon = toCancunDay(now_ms).add({ months: HORIZON_MONTHS * 2 });
  const { record, occurrences } = toEvent(file, places, EMPTY_LEDGER, moment, horizon, issues);
  if (issues.length > 0) return null;
  const upcoming = filterUpcoming(occurrences, now_ms);
  return {
    event: record,
    venue,
    organizer,
    occurrences,
    ahead_count: upcoming.length,
    ...pickNext(upcoming, now_ms),
    regularity: findRegularity(record.habit, occurrences, now_ms),
    is_past: upcoming.length === 0,
    category:
      record.category === null ? null : findTaxon(known.taxonomy.categories, record.category),
    zone: record.zone === null ? null : findTaxon(known.taxonomy.zones, record.zone),
  };
}
