// The map of the coast as Markdown: every zone with its events of today and the way to them.
import type { Temporal } from 'temporal-polyfill';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { heading, link, list, paragraph, plain, text } from './nodes.ts';

interface MappedZones {
  readonly day: Temporal.PlainDate;
  readonly zones: readonly {
    readonly name: string;
    readonly count: number | null;
    readonly path: string;
  }[];
  readonly total: number;
}

export function toMapMarkdown(map: MappedZones, lang: Lang, site: Site): string {
  return toDocument(
    {
      title: t(lang, 'map.title'),
      about: t(lang, 'md.about_map', {
        events: tCount(lang, 'events.count', map.total),
        day: toLongDay(map.day, lang),
      }),
      terms: t(lang, 'md.terms', { name: site.name }),
      path: PAGE_PATHS.map,
    },
    [
      heading(2, plain(t(lang, 'map.zones'))),
      list(
        map.zones.map(({ name, count, path }) => [
          link(toAbsolute(site.url, path), name),
          text(`: ${count === 0 ? t(lang, 'map.none') : tCount(lang, 'events.count', count ?? 0)}`),
        ]),
      ),
      paragraph(plain(t(lang, 'map.several'))),
    ],
    lang,
    site,
  );
}
