// The addresses that llms.txt teaches to make, each as it is typed: patterns, and questions that people
// ask with the address that answers them.
import type { PhrasingContent } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import {
  PAGE_PATHS,
  SECTION_PATHS,
  toDayPath,
  toDirectoryPath,
  toMarkdownPath,
} from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { inlineCode, text } from '../markdown/nodes.ts';

const FILTERS = 'category=…&zone=…&free=1&family=1&q=…';
/** A point in the middle of Cancún, for examples. */
const NEAR = 'near=21.161,-86.827&radius_km=2';

type Line = readonly [words: string, ...addresses: readonly string[]];

const toLine = ([words, ...addresses]: Line): PhrasingContent[] => [
  text(words),
  ...addresses.flatMap((address, at): PhrasingContent[] => [
    text(at === 0 ? ' ' : ', '),
    inlineCode(address),
  ]),
];

const toMarkdown = (page: keyof typeof PAGE_PATHS, lang: Lang, query = ''): string =>
  toMarkdownPath(PAGE_PATHS[page][lang]) + query;

const toThing = (section: 'event' | 'venue' | 'organizer', lang: Lang): string =>
  toMarkdownPath(`${SECTION_PATHS[section][lang]}/{slug}`);

/** Patterns of addresses. */
export function toHows(lang: Lang): PhrasingContent[][] {
  const date = t(lang, 'md.foot.date');
  const lines: readonly Line[] = [
    [t(lang, 'llms.how.day'), toMarkdownPath(toDayPath(date, lang))],
    [
      t(lang, 'llms.how.filters'),
      toMarkdown('today', lang, `?${FILTERS}`),
      toMarkdown('search', lang, `?date=tonight&${FILTERS}`),
    ],
    [t(lang, 'llms.how.range'), toMarkdown('search', lang, `?from=${date}&to=${date}`)],
    [t(lang, 'llms.how.near'), toMarkdown('search', lang, `?${NEAR}`)],
    [
      t(lang, 'llms.how.thing'),
      ...(['event', 'venue', 'organizer'] as const).map((section) => toThing(section, lang)),
    ],
    [
      t(lang, 'llms.how.dates_of'),
      toMarkdownPath(`${SECTION_PATHS.event[lang]}/{slug}/${t(lang, 'path.dates')}`),
    ],
  ];
  return lines.map(toLine);
}

/** Questions, each with the address that answers it. */
export function toAsks(lang: Lang): PhrasingContent[][] {
  const date = t(lang, 'md.foot.date');
  const year = date.slice(0, date.indexOf('-'));
  const market = t(lang, 'llms.example.market');
  const museum = t(lang, 'llms.example.museum');
  const lines: readonly Line[] = [
    [
      t(lang, 'llms.ask.tonight'),
      toMarkdown('search', lang, '?date=tonight&zone=isla-mujeres&free=1&family=1'),
    ],
    [t(lang, 'llms.ask.now'), toMarkdown('search', lang, '?date=now')],
    [t(lang, 'llms.ask.day'), toMarkdownPath(toDayPath(date, lang))],
    [t(lang, 'llms.ask.next'), toMarkdown('search', lang, `?q=${market}`)],
    [t(lang, 'llms.ask.month'), toMarkdown('search', lang, `?from=${year}-03-01&to=${year}-03-31`)],
    [t(lang, 'llms.ask.near'), toMarkdown('search', lang, `?date=week&${NEAR}`)],
    [
      t(lang, 'llms.ask.open'),
      `${toMarkdownPath(toDirectoryPath('venue', lang))}?q=${museum}`,
      toMarkdown('today', lang),
    ],
    [t(lang, 'llms.ask.of'), toThing('venue', lang), toThing('organizer', lang)],
    [
      t(lang, 'llms.ask.changes'),
      toMarkdown('changes', lang, `?since=${date}`),
      toMarkdown('search', lang, `?updated_since=${date}`),
    ],
    [t(lang, 'llms.ask.notices'), toMarkdown('notices', lang)],
    [t(lang, 'llms.ask.ferries'), toMarkdown('today', lang)],
    [t(lang, 'llms.ask.publish'), toMarkdown('submit', lang)],
  ];
  return lines.map(([words, ...addresses]) => toLine([`${words}:`, ...addresses]));
}
