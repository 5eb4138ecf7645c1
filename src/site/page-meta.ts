// What every page has in its head, with the picture that it is shared with (contract 16.1); and what an address
// answers that has no page: where the thing has moved to, or why there is none.
import { createHash } from 'node:crypto';
import { type AgendaPageKind, isSingleDay } from '../domain/date-keywords.ts';
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { type DayRange, fromDayNumber, toDayNumber } from '../domain/local-time.ts';
import { getEffectiveStatus } from '../domain/event/facts.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import { findPicture, type Poster, type PosterCard } from '../domain/pictures.ts';
import type { Site } from '../domain/site.ts';
import { formatDateParts, formatHoursOrNote } from '../i18n/format-dates.ts';
import { type PageName, dayPath, markdownPath, posterPath } from '../i18n/paths.ts';
import { t, tPlural } from '../i18n/translate.ts';

export interface PosterLink {
  /** With the digest of its words behind it, so that another picture has another address. */
  readonly path: string;
  readonly alt: string;
}

/** What a page says of itself: its name, its addresses and its other forms. */
export interface PageMeta {
  readonly lang: Lang;
  /** Without the site's name. */
  readonly title: string;
  /** One sentence, plain text. */
  readonly description: string;
  /** Canonical paths in each language; null for a page that has no address (an error). */
  readonly paths: LocalText | null;
  /**
   * What stands behind the path in each language, `?free=1`: such a page is one of many, so it is not
   * to be indexed and its canonical address is the path alone. Empty or absent for all others.
   */
  readonly query?: LocalText;
  /** Known to its holder alone: not to be indexed, its address said nowhere in the head. */
  readonly is_private?: true;
  readonly markdown: string | null;
  readonly calendar: string | null;
  /** Structured data (schema.org). */
  readonly json_ld: object | null;
  /** The entry of the menu that this page is. */
  readonly entry: PageName | null;
  readonly site: Site;
  /** The picture that it is shared with; absent where it is the site's own. */
  readonly poster?: PosterLink;
}

type MetaMore = Pick<PageMeta, 'title' | 'description'> & Partial<PageMeta>;

/** What the page at these paths says of itself, and what differs from a plain one. */
export const buildPageMeta = (
  { site }: { readonly site: Site },
  lang: Lang,
  paths: LocalText | null,
  more: MetaMore,
): PageMeta => ({
  lang,
  site,
  paths,
  markdown: paths && markdownPath(paths[lang]),
  calendar: null,
  json_ld: null,
  entry: null,
  ...more,
});

/**
 * The ways in which there is no page, with their HTTP status; the last is fetched while there is a
 * network, to be shown when there is none.
 */
export const FAILURE_STATUS = { not_found: 404, gone: 410, broken: 500, offline: 200 } as const;
export type FailureKind = keyof typeof FAILURE_STATUS;

export interface FailureResult {
  readonly kind: 'failure';
  readonly failure: FailureKind;
  /** Where it is not that of its kind. */
  readonly status?: number;
}

export const NOT_FOUND: FailureResult = { kind: 'failure', failure: 'not_found' };
/** Withdrawn for legal reasons. */
export const GONE: FailureResult = { kind: 'failure', failure: 'gone' };
/** Without the front server nothing can be taken in. */
export const UNAVAILABLE: FailureResult = { kind: 'failure', failure: 'broken', status: 503 };

/** The page of a failure in one language: without an address, not to be indexed. */
export const buildFailureView = (kind: FailureKind, lang: Lang, site: Site) => ({
  meta: buildPageMeta({ site }, lang, null, {
    title: t(lang, `failure.${kind}.title`),
    description: t(lang, `failure.${kind}.text`),
  }),
});

export const digestPoster = (poster: object): string =>
  createHash('sha256').update(JSON.stringify(poster)).digest('base64url').slice(0, 10);

export function posterLink(poster: Poster, path: string): PosterLink {
  const { date, cards, mark, title, lines } = poster;
  const day = date && `${date.weekday} ${date.number} ${date.month}`;
  const titles = cards.map((card) => card.title);
  return {
    path: `${path}?v=${digestPoster(poster)}`,
    alt: [mark, title, day, ...lines, ...titles].filter((part) => part).join(', '),
  };
}

function toPosterDate(range: DayRange, lang: Lang): NonNullable<Poster['date']> {
  const parts = formatDateParts(range, lang);
  const find = (kind: 'weekday' | 'number' | 'month'): string =>
    parts.find((part) => part.kind === kind)?.text ?? '';
  return { weekday: find('weekday'), number: find('number'), month: find('month') };
}

/** The card of an event, by its motif's name, with the day of the month; none where it has no picture. */
function toCards(
  card: Pick<EventCard, 'event' | 'motif'>,
  day: number | undefined,
  lang: Lang,
  title: string | null,
): readonly PosterCard[] {
  const picture = findPicture(card);
  if (picture === null) return [];
  const name = picture.kind === 'drawing' ? picture.motif.name[lang].toLocaleUpperCase(lang) : null;
  const number = day === undefined ? '' : `${fromDayNumber(day).day}`;
  return [{ picture, number, name, title }];
}

/** The poster of an event: of its next date, or of its last. */
export function buildEventPoster(detail: EventDetail, lang: Lang, site: Site): Poster {
  const { event, venue, zone, next } = detail;
  const shown = next ?? detail.occurrences.at(-1) ?? null;
  const status = getEffectiveStatus(event, next);
  const place = venue?.name ?? event.location_note?.[lang] ?? zone?.name[lang];
  const hours = shown && formatHoursOrNote(shown, lang);
  return {
    name: site.name,
    date:
      shown &&
      toPosterDate(
        { from: fromDayNumber(shown.first_day), to: fromDayNumber(shown.last_day) },
        lang,
      ),
    cards: toCards(detail, shown?.first_day, lang, null),
    mark: status && t(lang, `status.${status}`),
    title: event.title[lang],
    lines: [place, hours].filter((line) => typeof line === 'string'),
  };
}

export interface PosterAgenda {
  readonly agenda: AgendaPageKind;
  readonly range: DayRange;
  readonly paths: LocalText;
  /** Of a festivity; null of other days. */
  readonly name: LocalText | null;
  /** What is named, and how much there is in all, whatever the page is narrowed by. */
  readonly shown: readonly EventCard[];
  readonly count: number;
}

/** What began before stands on the first day. */
const toShownDay = ({ next }: EventCard, { from }: DayRange): number =>
  Math.max(next?.first_day ?? 0, toDayNumber(from));

/** The poster of days. It says the same whenever it is looked at, so it never says "today". */
export function buildAgendaPoster(
  { agenda: kind, range, name, shown, count }: PosterAgenda,
  lang: Lang,
  site: Site,
): Poster {
  return {
    name: site.name,
    date: toPosterDate(range, lang),
    cards: shown.flatMap((card) =>
      toCards(card, toShownDay(card, range), lang, card.event.title[lang]),
    ),
    mark: null,
    title: name
      ? t(lang, 'agenda.title.festivity', { name: name[lang] })
      : t(lang, kind === 'weekend' ? 'poster.weekend' : 'agenda.title.day'),
    lines: count === 0 ? [] : [tPlural(lang, 'events.count', count)],
  };
}

/** Where the poster of days is found: a day's at its date, whatever word led there. */
export const agendaPosterPath = (
  { agenda: kind, range, paths }: Pick<PosterAgenda, 'agenda' | 'range' | 'paths'>,
  lang: Lang,
): string => posterPath(isSingleDay(kind) ? dayPath(range.from.toString(), lang) : paths[lang]);

/** The ways to keep an event, or to follow all dates of something. */
export interface SubscribeLinks {
  /** What they are folded under. */
  readonly title: string;
  /** What a calendar calls itself. */
  readonly name: string;
  readonly save: { readonly file: string; readonly google: string } | null;
  /** Absolute. */
  readonly follow_url: string | null;
  readonly share: {
    readonly text: string;
    readonly url: string;
    readonly whatsapp: string;
  } | null;
}

export const buildSubscribeLinks = (
  title: string,
  name: string,
  follow_url: string,
): SubscribeLinks => ({
  title,
  name,
  save: null,
  follow_url,
  share: null,
});
