// The places that are open today beside a list of events: a line each as in the text, as many as the
// list has events at most (contract 4.14, 13.10).
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import { tellPlaces } from '../../i18n/open-places.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { tCount } from '../../i18n/translate.ts';
import { toPublicOpenPlaces } from '../../serializers/wire/opening.ts';
import { withoutEmpty } from './without-empty.ts';

/** The places that are told, and what is said of the others. */
export interface ToldPlaces {
  readonly lines: readonly { readonly place: OpenPlace; readonly text: string }[];
  /** Which have closed, which do not open. */
  readonly sentences: readonly string[];
  /** How many more there are, and where; null where all are told. */
  readonly more: string | null;
}

/** At most `most` of them, those that are open first. */
export function tellOpenPlaces(
  places: readonly OpenPlace[],
  now_ms: number,
  most: number,
  lang: Lang,
  site: Site,
): ToldPlaces {
  const told = tellPlaces(places, now_ms, lang);
  const left_out = told.lines.length - most;
  const url = toAbsolute(site.url, PAGE_PATHS.today[lang]);
  return {
    lines: told.lines
      .slice(0, most)
      .map(({ place, facts }) => ({ place, text: facts.join(' · ') })),
    sentences: told.sentences,
    more: left_out > 0 ? tCount(lang, 'mcp.list.places_more', left_out, { url }) : null,
  };
}

/** Their hours; `text` says these, the price and the zone as the text beside does. */
export const toLeanPlaces = ({ lines }: ToldPlaces, lang: Lang, site: Site): unknown[] =>
  lines.map(({ place, text }) => {
    const [fields] = toPublicOpenPlaces([place], lang, site);
    if (fields === undefined) return null;
    const { name, url, today } = fields;
    const { date: _as_the_day, note: _said_by_text, free_for: _too, ...hours } = today;
    return withoutEmpty({ name, url, text, today: hours });
  });
