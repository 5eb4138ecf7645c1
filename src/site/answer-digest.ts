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

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isLocal = (value: unknown): value is Record<Lang, unknown> =>
  isObject(value) && LANGS.every((lang) => lang in value);
const isCard = (value: unknown): value is EventCard =>
  isObject(value) && 'event' in value && 'more_dates' in value;
const isOpenPlace = (value: unknown): value is OpenPlace =>
  isObject(value) && 'on_day' in value && 'venue' in value;
const isOccurrence = (value: unknown): value is OccurrenceRecord =>
  isObject(value) && 'sequence' in value && 'start_ms' in value;

/** Digests of records that a snapshot reads once and many pages show. A changed copy is another object. */
const digests: Readonly<Record<Said, WeakMap<object, string>>> = {
  all: new WeakMap(),
  ...byLang(() => new WeakMap<object, string>()),
};

/** What a page can say of a record: when that last changed is for calendars, feeds and data. */
function digestRecord(record: object | null, said: Said): string | null {
  if (record === null) return null;
  const known = digests[said].get(record);
  if (known !== undefined) return known;
  const parts = Object.entries(record).flatMap(([name, value]) => {
    if (name === 'updated_at') return [];
    const is_other = said !== 'all' && name !== 'slug' && isLocal(value);
    return [[name, is_other ? value[said] : value]];
  });
  const digest = hash('sha256', JSON.stringify(parts), 'base64url');
  digests[said].set(record, digest);
  return digest;
}

/**
 * The values that a page is loaded as, as text: the records of its lists as their digests, dates without when they
 * last changed. A map or a function would be missed (tests/site/answer-digest.test.ts).
 */
const toText = (page: object, said: Said): string =>
  JSON.stringify(page, (_, value: unknown) => {
    if (isOccurrence(value)) {
      const { updated_at: _at, sequence: _sequence, ...date } = value;
      return Object.values(date);
    }
    if (isOpenPlace(value)) return { ...value, venue: digestRecord(value.venue, said) };
    if (!isCard(value)) return value;
    const { event, venue, organizer, ...rest } = value;
    return [...[event, venue, organizer].map((record) => digestRecord(record, said)), rest];
  });

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
