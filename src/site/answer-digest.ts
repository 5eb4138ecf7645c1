// What a page is made of, as one short text: the same digest, the same page by the same code. And
// which events it says something of, so that a cancellation knows which pages are not true any more.
import { createHash, hash } from 'node:crypto';
import type { EventCard } from '../domain/agenda.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { byLang, type Lang, LANGS } from '../domain/lang.ts';
import type { OpenPlace } from '../domain/venue-day.ts';
import { toPathLang } from '../i18n/paths.ts';
import { listEventIds } from '../snapshot/list-things.ts';
import { resolvePath } from './answer.ts';
import type { SiteState } from './state.ts';

const MARKDOWN_ENDING = '.md';
/** The path of a page by its own or that of its Markdown; of what is neither, itself. */
export const toPageOf = (path: string): string =>
  path.endsWith(MARKDOWN_ENDING) ? path.slice(0, -MARKDOWN_ENDING.length) : path;

/** An id, of an event or of anything else. */
const ID = /\b[a-z]{2}_[a-z0-9]+/g;

/** Which texts of a record a page can say: those of its language, or all. */
type Said = Lang | 'all';

/** Lists: of the things on them they say nothing in another language, but for addresses. */
const LISTS: ReadonlySet<string> = new Set(['agenda', 'taxon', 'venue', 'organizer']);

const isLocal = (value: unknown): value is Record<Lang, unknown> =>
  typeof value === 'object' && value !== null && LANGS.every((lang) => lang in value);

/** What a page can say of a record: when that last changed is for calendars, feeds and data. */
const toSaid = (record: object, said: Said): unknown[] =>
  Object.entries(record).flatMap(([name, value]) => {
    if (name === 'updated_at') return [];
    const is_other = said !== 'all' && name !== 'slug' && isLocal(value);
    return [[name, is_other ? value[said] : value]];
  });

/**
 * Records that a snapshot reads once and many pages show: the ids that stand in one, and the digest of what is said
 * of it, by the object that it is. A changed copy is another object.
 */
const digests: Readonly<Record<Said, WeakMap<object, string>>> = {
  all: new WeakMap(),
  ...byLang(() => new WeakMap<object, string>()),
};

function toRecordText(record: object | null, said: Said): string | null {
  if (record === null) return null;
  const known = digests[said].get(record);
  if (known !== undefined) return known;
  const text = JSON.stringify(toSaid(record, said));
  const digest = hash('sha256', text, 'base64url');
  const short = [...new Set(text.match(ID)), digest].join(' ');
  digests[said].set(record, short);
  return short;
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

interface Digested {
  readonly state: SiteState;
  readonly page: string;
  readonly digest: string | null;
  readonly events: readonly string[] | null;
}
/** A page comes right before its Markdown: one digest is enough for both. */
let last: Digested | null = null;

/**
 * The digest of the values that the page at a path is rendered from, and its Markdown, sha-256 in
 * base64url, 22 characters; null where the path is no page of the snapshot, so that only its bytes
 * can tell. What a document says beside the answer is the taxonomy's; of the instant both say only
 * what the answer says.
 */
export function digestAnswer(state: SiteState, path: string): string | null {
  return digestOnce(state, path).digest;
}

/**
 * The ids of the events that a page, or its Markdown, names; null where it may say something of all of
 * them, as a document does.
 */
export function listMentioned(state: SiteState, path: string): readonly string[] | null {
  return digestOnce(state, path).events;
}

function digestOnce(state: SiteState, path: string): Digested {
  const page = toPageOf(path);
  if (last?.state !== state || last.page !== page) last = digestPage(state, page);
  return last;
}

function digestPage(state: SiteState, page: string): Digested {
  const result = resolvePath(state, page);
  if (result === null) return { state, page, digest: null, events: null };
  const said = LISTS.has(result.kind) ? toPathLang(page) : 'all';
  const text = 'page' in result ? toText(result.page, said) : '';
  const digest = createHash('sha256')
    .update(toTaxonomyText(state))
    .update(result.kind)
    .update(text)
    .digest('base64url')
    .slice(0, 22);
  return { state, page, digest, events: result.kind === 'data' ? null : listIds(state, text) };
}

const known = new WeakMap<SiteState['snapshot'], ReadonlySet<string>>();

function listIds({ snapshot }: SiteState, text: string): readonly string[] {
  const ids = known.get(snapshot) ?? new Set(listEventIds(snapshot));
  known.set(snapshot, ids);
  return [...new Set(text.match(ID))].filter((id) => ids.has(id));
}

const taxonomies = new WeakMap<SiteState['snapshot'], string>();

function toTaxonomyText({ snapshot }: SiteState): string {
  const text = taxonomies.get(snapshot) ?? JSON.stringify(snapshot.taxonomy);
  taxonomies.set(snapshot, text);
  return text;
}
