// What a page is made of, as one short text: the same digest on the same day, the same page by the same code.
import { createHash, hash } from 'node:crypto';
import type { EventCard, OpenVenue } from '../domain/agenda.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { pagePathOf } from './page-definition.ts';
import { matchPage } from './page-registry.ts';
import type { PageContext } from './page-context.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isCard = (value: unknown): value is EventCard =>
  isObject(value) && 'event' in value && 'more_dates' in value;
const isOpenPlace = (value: unknown): value is OpenVenue =>
  isObject(value) && 'on_day' in value && 'venue' in value;
const isOccurrence = (value: unknown): value is OccurrenceRecord =>
  isObject(value) && 'sequence' in value && 'start_ms' in value;

/** Digests of records that a snapshot reads once and many pages show. A changed copy is another object. */
const digests = new WeakMap<object, string>();

/** What a page can say of a record: when that last changed is for calendars, feeds and data. */
function digestRecord(record: object | null): string | null {
  if (record === null) return null;
  const known = digests.get(record);
  if (known !== undefined) return known;
  const parts = Object.entries(record).filter(([name]) => name !== 'updated_at');
  const digest = hash('sha256', JSON.stringify(parts), 'base64url');
  digests.set(record, digest);
  return digest;
}

/**
 * The values that a page is loaded as, as text: the records of its lists as their digests, dates without when they
 * last changed. A map or a function would be missed (tests/site/page-digest.test.ts).
 */
const toText = (page: object): string =>
  JSON.stringify(page, (_, value: unknown) => {
    if (isOccurrence(value)) {
      const { updated_at: _at, sequence: _sequence, ...date } = value;
      return Object.values(date);
    }
    if (isOpenPlace(value)) return { ...value, venue: digestRecord(value.venue) };
    if (!isCard(value)) return value;
    const { event, venue, organizer, ...rest } = value;
    return [...[event, venue, organizer].map(digestRecord), rest];
  });

/**
 * The digest of the values that the page at a path is rendered from with a query, and its Markdown; null
 * where the path is none of those, so that only the whole snapshot tells.
 */
export function digestPageInputs(state: PageContext, path: string, query = ''): string | null {
  const page = matchPage(pagePathOf(path));
  if (page === null || page.is_form) return null;
  const answer = page.load(state, query);
  return createHash('sha256')
    .update(toTaxonomyText(state))
    .update(page.name)
    .update(answer.kind === 'page' ? toText(answer.page) : JSON.stringify(answer))
    .digest('base64url')
    .slice(0, 22);
}

const taxonomies = new WeakMap<PageContext['snapshot'], string>();

function toTaxonomyText({ snapshot }: PageContext): string {
  const text = taxonomies.get(snapshot) ?? JSON.stringify(snapshot.taxonomy);
  taxonomies.set(snapshot, text);
  return text;
}
