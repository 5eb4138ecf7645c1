// What a page is made of, as one short text: the same digest on the same day, the same page by the same
// code.
import { createHash, hash } from 'node:crypto';
import type { EventCard, OpenPlace } from '../domain/agenda.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { byLang, type Lang, LANGS } from '../domain/lang.ts';
import { toPageOf } from './page-kind.ts';
import { findPage } from './registry.ts';
import type { SiteState } from './state.ts';

/** Which texts of a record a page can say: those of its language, or all. */
type Said = Lang | 'all';

const isLocal = (value: unknown): value is Record<Lang, unknown> =>
  typeof value === 'object' && value !== null && LANGS.every((lang) => lang in value);

/** What a page can say of a record: when that last changed is for calendars, feeds and data. */
const toSaid = (record: object, said: Said): unknown[] =>
  Object.entries(record).flatMap(([name, value]) => {
    if (name === 'updated_at') return [];
    const is_other = said !== 'all' && name !== 'slug' && isLocal(value);
    return [[name, is_other ? value[said] : value]];
  });

/** Digests of records that a snapshot reads once and many pages show. A changed copy is another object. */
const digests: Readonly<Record<Said, WeakMap<object, string>>> = {
  all: new WeakMap(),
  ...byLang(() => new WeakMap<object, string>()),
};

function toRecordText(record: object | null, said: Said): string | null {
  if (record === null) return null;
  const known = digests[said].get(record);
  if (known !== undefined) return known;
  const digest = hash('sha256', JSON.stringify(toSaid(record, said)), 'base64url');
  digests[said].set(record, digest);
  return digest;
}

const isCard = (value: unknown): value is EventCard =>
  typeof value === 'object' && value !== null && 'event' in value && 'more_dates' in value;

const isOpenPlace = (value: unknown): value is OpenPlace =>
  typeof value === 'object' && value !== null && 'on_day' in value && 'venue' in value;

const isOccurrence = (value: unknown): value is OccurrenceRecord =>
  typeof value === 'object' && value !== null && 'sequence' in value && 'start_ms' in value;

/** What lists are of. */
const SHORTENED = [isCard, isOpenPlace, isOccurrence];

/** A date without when it last changed, as no page says it; its fields always come in the same order. */
function toDate({ updated_at: _, sequence: __, ...date }: OccurrenceRecord): unknown[] {
  return Object.values(date);
}

/** What a page is given, with its maps as lists and the records of its cards as their digests. */
function toShort(value: unknown, said: Said): unknown {
  if (value instanceof Map) return [...value].map(([key, one]) => [key, toShort(one, said)]);
  if (isOccurrence(value)) return toDate(value);
  if (isOpenPlace(value)) return { ...value, venue: toRecordText(value.venue, said) };
  if (Array.isArray(value))
    return SHORTENED.some((isOne) => isOne(value[0]))
      ? value.map((one) => toShort(one, said))
      : value;
  if (!isCard(value)) return value;
  const { event, venue, organizer, next, ...rest } = value;
  const records = [event, venue, organizer].map((record) => toRecordText(record, said));
  return [...records, toShort(next, said), rest];
}

/** A value, or those in it where it is an agenda. */
const toShortParts = (value: unknown, said: Said): unknown =>
  typeof value === 'object' && value !== null && 'events' in value && !Array.isArray(value)
    ? Object.entries(value).map(([name, one]) => [name, toShort(one, said)])
    : toShort(value, said);

/**
 * The values that a page is given, as text. Only what a page is given first may be a map: further down
 * it would be missed, as a function would be anywhere (tests/site/answer-digest.test.ts).
 */
const toText = (page: object, said: Said): string =>
  JSON.stringify(Object.entries(page).map(([name, value]) => [name, toShortParts(value, said)]));

/**
 * The digest of the values that the page at a path is rendered from with a query, and its Markdown; null
 * where the path is none of those, so that only the whole snapshot tells.
 */
export function digestAnswer(state: SiteState, path: string, query = ''): string | null {
  const page = findPage(toPageOf(path));
  if (page === null || page.is_form) return null;
  const answer = page.load(state, query);
  const said = page.is_in_one_language ? page.lang : 'all';
  return createHash('sha256')
    .update(toTaxonomyText(state))
    .update(page.name)
    .update(answer.kind === 'page' ? toText(answer.page, said) : JSON.stringify(answer))
    .digest('base64url')
    .slice(0, 22);
}

const taxonomies = new WeakMap<SiteState['snapshot'], string>();

function toTaxonomyText({ snapshot }: SiteState): string {
  const text = taxonomies.get(snapshot) ?? JSON.stringify(snapshot.taxonomy);
  taxonomies.set(snapshot, text);
  return text;
}
