// The places that are open on the day of a list of events: a line each as in the text, as many as the
// list has events at most (contract 4.14, 13.10).
import type { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { EventFilter } from '../../domain/query/event-query.ts';
import type { Lang } from '../../domain/lang.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import { tellPlaces } from '../../i18n/open-places.ts';
import { toOpenPlacesTitle } from '../../i18n/opening.ts';
import { PAGE_PATHS, toAbsolute, toDayPath } from '../../i18n/paths.ts';
import { tCount } from '../../i18n/translate.ts';
import { toPublicOpenPlaces } from '../../serializers/wire/places.ts';
import type { McpContext } from '../context.ts';
import { cutText, cutTexts, fewer } from '../cut.ts';
import { withoutEmpty } from './without-empty.ts';

/** The places that are told, and what is said of the others. */
export interface ToldPlaces {
  /** Of which day they are: `Abierto hoy`. */
  readonly title: string;
  readonly lines: readonly { readonly place: OpenPlace; readonly text: string }[];
  /** Which have closed, which do not open. */
  readonly sentences: readonly string[];
  /** How many more there are, and where; null where all are told. */
  readonly more: string | null;
}

/** As many of those of a day as the list may have events, those that are open first; today's by the hour. */
export function tellOpenPlaces(
  all: readonly OpenPlace[],
  day: Temporal.PlainDate,
  { now_ms, limit: most }: Pick<EventFilter, 'now_ms' | 'limit'>,
  lang: Lang,
  context: McpContext,
): ToldPlaces {
  const { site } = context;
  const places = all.map((place) => ({ ...place, venue: cutTexts(place.venue, context) }));
  const is_today = day.equals(toCancunDay(now_ms));
  const told = tellPlaces(places, is_today ? now_ms : null, lang);
  const left_out = told.lines.length - most;
  const path = is_today ? PAGE_PATHS.today[lang] : toDayPath(day.toString(), lang);
  const url = toAbsolute(site.url, path);
  return {
    title: toOpenPlacesTitle(is_today ? 'today' : 'day', places, lang),
    lines: told.lines
      .slice(0, most)
      .map(({ place, facts }) => ({ place, text: cutText(facts.join(' · '), context) })),
    sentences: told.sentences.map((sentence) => cutText(sentence, context)),
    more: left_out > 0 ? tCount(lang, 'mcp.list.places_more', left_out, { url }) : null,
  };
}

/** Their hours; `text` says these, the price and the zone as the text beside does. */
export const toLeanPlaces = ({ lines }: ToldPlaces, lang: Lang, context: McpContext): unknown[] =>
  lines.map(({ place, text }) => {
    const [fields] = toPublicOpenPlaces([place], lang, context.site);
    if (fields === undefined) return null;
    const { name, url, today } = fields;
    const { date: _as_the_day, note: _said_by_text, free_for: _too, ...hours } = today;
    const spans = fewer(hours.spans, context);
    return withoutEmpty({ name, url, text, today: { ...hours, spans } });
  });
