// Page digests: hash the data that a page is rendered from, so that the page cache can reuse a page
// after a release that did not change it. On the same day and with the same code, an equal digest
// means an equal page.
import { createHash, hash } from 'node:crypto';
import type { EventCard, OpenVenue } from '../domain/agenda.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { pagePathOf } from './page-definition.ts';
import { matchPage } from './page-registry.ts';
import type { PageContext } from './page-context.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
/** A card is an event with its next occurrence, venue, organizer and picture. */
const isCard = (value: unknown): value is EventCard =>
  isObject(value) && 'event' in value && 'more_dates' in value;
const isOpenVenue = (value: unknown): value is OpenVenue =>
  isObject(value) && 'on_day' in value && 'venue' in value;
const isOccurrence = (value: unknown): value is OccurrenceRecord =>
  isObject(value) && 'sequence' in value && 'start_ms' in value;

/** Digests by record object: a snapshot reads each record once, and many pages show it. */
const record_digests = new WeakMap<object, string>();

/**
 * Digests the fields of a record that pages show; only calendars, feeds and the public data have
 * `updated_at`.
 */
function digestRecord(record: object | null): string | null {
  if (record === null) return null;
  const cached = record_digests.get(record);
  if (cached !== undefined) return cached;
  const parts = Object.entries(record).filter(([name]) => name !== 'updated_at');
  const digest = hash('sha256', JSON.stringify(parts), 'base64url');
  record_digests.set(record, digest);
  return digest;
}

/**
 * Serializes the loaded data of a page, with records as their digests and occurrences without their
 * modification time and sequence number.
 * Maps and functions would be lost (tests/site/page-digest.test.ts).
 */
const serializePageData = (page: object): string =>
  JSON.stringify(page, (_, value: unknown) => {
    if (isOccurrence(value)) {
      const { updated_at: _updated_at, sequence: _sequence, ...shown_fields } = value;
      return Object.values(shown_fields);
    }
    if (isOpenVenue(value)) return { ...value, venue: digestRecord(value.venue) };
    if (!isCard(value)) return value;
    const { event, venue, organizer, ...other_fields } = value;
    return [...[event, venue, organizer].map(digestRecord), other_fields];
  });

/**
 * Returns the digest of the data that a page and its Markdown version are rendered from.
 * @returns null if the path is not a page, or is a form: its cached copy ends with the snapshot.
 */
export function digestPageInputs(context: PageContext, path: string, query = ''): string | null {
  const page = matchPage(pagePathOf(path));
  if (page === null || page.is_form) return null;
  const outcome = page.load(context, query);
  return createHash('sha256')
    .update(serializeTaxonomy(context))
    .update(page.name)
    .update(outcome.kind === 'page' ? serializePageData(outcome.page) : JSON.stringify(outcome))
    .digest('base64url')
    .slice(0, 22);
}

/** The taxonomy as JSON, by snapshot: every page shows or filters by its names. */
const taxonomy_texts = new WeakMap<PageContext['snapshot'], string>();

function serializeTaxonomy({ snapshot }: PageContext): string {
  const text = taxonomy_texts.get(snapshot) ?? JSON.stringify(snapshot.taxonomy);
  taxonomy_texts.set(snapshot, text);
  return text;
}
