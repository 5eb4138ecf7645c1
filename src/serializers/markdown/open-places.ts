// The places that are open on a day as Markdown: one line each, after what takes place.
import type { RootContent } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import { tellPlaces } from '../../i18n/open-places.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { heading, link, list, paragraph, plain, text } from './nodes.ts';

/**
 * Under a heading of level 2; nothing where there are none. `hour_ms`: the minute that today's
 * document is of, else null.
 */
export function toOpenPlacesSection(
  places: readonly OpenPlace[],
  title: string,
  hour_ms: number | null,
  lang: Lang,
  site: Site,
): RootContent[] {
  if (places.length === 0) return [];
  const { lines, sentences } = tellPlaces(places, hour_ms, lang);
  const items = lines.map(({ place, facts }) => [
    link(toAbsolute(site.url, toThingPath('venue', place.venue.slug, lang)), place.venue.name),
    text(': '),
    plain(facts.join(' · ')),
  ]);
  return [
    heading(2, plain(title)),
    ...(items.length === 0 ? [] : [list(items)]),
    ...sentences.map((sentence) => paragraph(plain(sentence))),
  ];
}
