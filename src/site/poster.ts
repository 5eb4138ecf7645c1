// The picture that a page is shared with: its words, its address, and the poster at an address
// (contract 16.1, 16.2).
import { createHash } from 'node:crypto';
import { type AgendaKind, isOneDay } from '../domain/agenda-words.ts';
import type { EventDetail } from '../domain/agenda.ts';
import { fromDayNumber, type DayRange } from '../domain/cancun-time.ts';
import { findStatus } from '../domain/event/facts.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import type { Poster } from '../domain/poster.ts';
import type { Site } from '../domain/site.ts';
import { toDateParts, toHoursOrNote } from '../i18n/dates.ts';
import { toDayPath, toPagePath, toPosterPath, toSharePath, toThingPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import { readAgenda } from '../snapshot/agenda.ts';
import { isKnownRange } from './days-around.ts';
import { type Failure, GONE, type Moved, NOT_FOUND, type PosterLink, toMoved } from './page.ts';
import { parsePagePath } from './page-request.ts';
import type { SiteState } from './state.ts';

/** The digest of a poster's words. */
export const toPosterDigest = (poster: Poster): string =>
  createHash('sha256').update(JSON.stringify(poster)).digest('base64url').slice(0, 10);

/** The link to a poster at a path. */
export function toPosterLink(poster: Poster, path: string): PosterLink {
  const { date, mark, title, lines } = poster;
  const day = date && `${date.weekday} ${date.number} ${date.month}`;
  return {
    path: `${path}?v=${toPosterDigest(poster)}`,
    alt: [mark, title, day, ...lines].filter((part) => part).join(', '),
  };
}

function toPosterDate(range: DayRange, lang: Lang): NonNullable<Poster['date']> {
  const parts = toDateParts(range, lang);
  const find = (kind: 'weekday' | 'number' | 'month'): string =>
    parts.find((part) => part.kind === kind)?.text ?? '';
  return { weekday: find('weekday'), number: find('number'), month: find('month') };
}

/** The poster of an event: of its next date, or of its last. */
export function toEventPoster(detail: EventDetail, lang: Lang, site: Site): Poster {
  const { event, venue, zone, next } = detail;
  const shown = next ?? detail.occurrences.at(-1) ?? null;
  const status = findStatus(event, next);
  const place = venue?.name ?? event.location_note?.[lang] ?? zone?.name[lang];
  const hours = shown && toHoursOrNote(shown, lang);
  return {
    name: site.name,
    date:
      shown &&
      toPosterDate(
        { from: fromDayNumber(shown.first_day), to: fromDayNumber(shown.last_day) },
        lang,
      ),
    mark: status && t(lang, `status.${status}`),
    title: event.title[lang],
    lines: [place, hours].filter((line) => typeof line === 'string'),
  };
}

/** What the poster of an agenda is made of. */
export interface PosterAgenda {
  readonly agenda: AgendaKind;
  readonly range: DayRange;
  /** Of all events, whatever the page is narrowed by. */
  readonly count: number;
}

/** The poster of days. It says the same whenever it is looked at, so it never says "today". */
export function toAgendaPoster(
  { agenda: kind, range, count }: PosterAgenda,
  lang: Lang,
  site: Site,
): Poster {
  return {
    name: site.name,
    date: toPosterDate(range, lang),
    mark: null,
    title: t(lang, kind === 'weekend' ? 'poster.weekend' : 'agenda.title.day'),
    lines: count === 0 ? [] : [tCount(lang, 'events.count', count)],
  };
}

/** Where the poster of days is found: a day's at its date, whatever word led there. */
export const toAgendaPosterPath = (
  { agenda: kind, range }: Pick<PosterAgenda, 'agenda' | 'range'>,
  lang: Lang,
): string =>
  toPosterPath(
    kind === 'day' || isOneDay(kind)
      ? toDayPath(range.from.toString(), lang)
      : toPagePath(kind, lang),
  );

/** The poster of every page that has none of its own. */
const toSitePoster = (lang: Lang, site: Site): Poster => ({
  name: site.name,
  date: null,
  mark: null,
  title: t(lang, 'poster.site'),
  lines: [new URL(site.url).host],
});

/**
 * The poster at a decoded path, the way to where it is now, or 404, 410; null where the path is none
 * of a poster.
 */
export function resolvePoster(state: SiteState, path: string): Poster | Moved | Failure | null {
  const { snapshot, now_ms, site } = state;
  const shared = LANGS.find((lang) => toSharePath(lang) === path);
  if (shared) return toSitePoster(shared, site);
  const ending = toPosterPath('');
  if (!path.endsWith(ending)) return null;
  const request = parsePagePath(path.slice(0, -ending.length), now_ms);
  if (request?.kind === 'agenda') {
    const { range, lang, agenda } = request;
    if (!isKnownRange(state, range)) return NOT_FOUND;
    const count = readAgenda(snapshot, range, now_ms, lang).events.length;
    return toAgendaPoster({ agenda, range, count }, lang, site);
  }
  if (request?.kind !== 'event') return null;
  const detail = getEvent(snapshot, request.slug, now_ms);
  if (detail === 'gone') return GONE;
  if (detail === null) return NOT_FOUND;
  const { slug } = detail.event;
  return slug[request.lang] === request.slug
    ? toEventPoster(detail, request.lang, site)
    : toMoved(toPosterPath(toThingPath('event', slug, request.lang)));
}
