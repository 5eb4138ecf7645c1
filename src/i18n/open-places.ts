// The places that are open on a day, in words: a line each, those that are closed in a sentence;
// today's by the hour. Page, Markdown and MCP say the same from here.
import { type PlaceByHour, splitPlaces } from '../domain/agenda-parts/places-by-hour.ts';
import { toCancunTime } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { listUnsaid } from '../domain/place-line.ts';
import type { OpenPlace } from '../domain/venue-day.ts';
import { toHour, toHourKey } from './dates.ts';
import { toClosedPlaces, toOpenPlaceFacts } from './opening.ts';
import { t, toLocale } from './translate.ts';

export interface ToldPlaces {
  readonly lines: readonly { readonly place: OpenPlace; readonly facts: readonly string[] }[];
  /** `Ya cerraron: …`, `No abren: …`. */
  readonly sentences: readonly string[];
}

const toZone = ({ zone, venue }: OpenPlace, lang: Lang): string =>
  zone?.name[lang] ?? venue.locality;

/** Its zone only where the place's name does not say it. */
const toFacts = (place: OpenPlace, lang: Lang): readonly string[] => [
  ...toOpenPlaceFacts(place, lang),
  ...listUnsaid([toZone(place, lang)], [place.venue.name]),
];

/** `abierto ahora, hasta las 17:00`, `abre de 9:00 a 18:00`, `abre a las 9:00`; the other facts as on any day. */
function toFactsByHour(
  { place, state, span }: PlaceByHour,
  now_ms: number,
  lang: Lang,
): readonly string[] {
  const [hours = '', ...others] = toFacts(place, lang);
  if (span === null) return [hours, ...others];
  const { open_ms, close_ms, last_entry_ms } = span;
  // Of a place that nobody knows to close, nobody knows whether it is open.
  if (close_ms === null) {
    const open = toCancunTime(open_ms);
    const key = toHourKey(open, 'recurrence.at_one', 'recurrence.at');
    return [
      t(lang, 'opening.opens', { hours: t(lang, key, { start: toHour(open, lang) }) }),
      ...others,
    ];
  }
  if (state === 'later') return [t(lang, 'opening.opens', { hours }), ...others];
  return [toOpenNow(close_ms, last_entry_ms, now_ms, lang), ...others];
}

/** With the last entry, while it is still to come. */
function toOpenNow(
  close_ms: number,
  last_entry_ms: number | null,
  now_ms: number,
  lang: Lang,
): string {
  const close = toCancunTime(close_ms);
  const key = toHourKey(close, 'opening.now_until_one', 'opening.now_until');
  const open = t(lang, key, { hour: toHour(close, lang) });
  if (last_entry_ms === null || last_entry_ms <= now_ms) return open;
  const last_entry = toHour(toCancunTime(last_entry_ms), lang);
  return t(lang, 'opening.last_entry', { hours: open, last_entry });
}

/** The places of a day; `now_ms` where it is today and the minute is known, else null. */
export function tellPlaces(
  places: readonly OpenPlace[],
  now_ms: number | null,
  lang: Lang,
): ToldPlaces {
  const closed = toClosedPlaces(places, lang);
  if (now_ms === null) {
    const open = places.filter(({ on_day }) => on_day.opening.is_open);
    return {
      lines: open.map((place) => ({ place, facts: toFacts(place, lang) })),
      sentences: closed === null ? [] : [closed],
    };
  }
  const by_hour = splitPlaces(places, now_ms);
  const over = by_hour.flatMap(({ state, place }) => (state === 'over' ? [place.venue.name] : []));
  const names = new Intl.ListFormat(toLocale(lang), { type: 'conjunction' }).format(over);
  return {
    lines: by_hour
      .filter(({ state }) => state !== 'over' && state !== 'closed')
      .map((one) => ({ place: one.place, facts: toFactsByHour(one, now_ms, lang) })),
    sentences: [
      ...(over.length === 0 ? [] : [t(lang, 'opening.over_places', { names })]),
      ...(closed === null ? [] : [closed]),
    ],
  };
}
