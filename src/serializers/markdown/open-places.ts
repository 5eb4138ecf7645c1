// The places that are open on a day as Markdown: one line each, after what takes place.
import type { RootContent } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import { toClosedPlaces, toOpenPlaceFacts } from '../../i18n/opening.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { heading, link, list, paragraph, plain, text } from './nodes.ts';

/** Under a heading of level 2; nothing where there are none. */
export function toOpenPlacesSection(
  places: readonly OpenPlace[],
  title: string,
  lang: Lang,
  site: Site,
): RootContent[] {
  if (places.length === 0) return [];
  const closed = toClosedPlaces(places, lang);
  const open = places.filter(({ on_day }) => on_day.opening.is_open);
  const items = open.map((place) => [
    link(toAbsolute(site.url, toThingPath('venue', place.venue.slug, lang)), place.venue.name),
    text(': '),
    plain(
      [...toOpenPlaceFacts(place, lang), place.zone?.name[lang] ?? place.venue.locality].join(
        ' · ',
      ),
    ),
  ]);
  return [
    heading(2, plain(title)),
    ...(items.length === 0 ? [] : [list(items)]),
    ...(closed === null ? [] : [paragraph(plain(closed))]),
  ];
}
