// The picture that a page is shared with: its words, its address, and the poster at an address
// (contract 16.1).
import { createHash } from 'node:crypto';
import { type AgendaKind, isOneDay } from '../domain/agenda-words.ts';
import type { EventDetail } from '../domain/agenda.ts';
import { type DayRange, fromDayNumber } from '../domain/cancun-time.ts';
import { findStatus } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import type { Poster } from '../domain/pictures.ts';
import type { Site } from '../domain/site.ts';
import { toDateParts, toHoursOrNote } from '../i18n/dates.ts';
import { toDayPath, toPagePath, toPosterPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import type { PosterLink } from './page.ts';

export const toPosterDigest = (poster: Poster): string =>
  createHash('sha256').update(JSON.stringify(poster)).digest('base64url').slice(0, 10);

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
