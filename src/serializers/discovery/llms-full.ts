// llms-full.txt: the guide, the next days, all events and places, how to publish and the API in one
// document of one language, never above its bound; what does not fit is said and linked (contract 3.10).
import type { Temporal } from 'temporal-polyfill';
import type { PhrasingContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { findOriginals } from '../../domain/event/event.ts';
import { listFacts } from '../../domain/event/facts.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toLongDay } from '../../i18n/dates.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { toForce } from '../../i18n/notice-words.ts';
import { LINE_JOINT, toFactLines } from '../../i18n/fact-lines.ts';
import {
  type DirectoryName,
  PAGE_PATHS,
  toAbsolute,
  toDayPath,
  toDirectoryPath,
  toMarkdownPath,
  toThingPath,
} from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import type { ListedThing } from '../markdown/directory.ts';
import { toMarkdown } from '../markdown/document.ts';
import { toDoubtEntry, toWhenWords } from '../markdown/event-entry.ts';
import { heading, link, list, paragraph, plain, quote, strong, text } from '../markdown/nodes.ts';
import { toGuide, toTermsEntry } from './llms.ts';

/** Most bytes of the whole, whatever the town. */
export const MAX_FULL_BYTES = 200_000;
/** Kept for the sentences about what did not fit. */
const RESERVED_BYTES = 4_000;

interface FullDocument {
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

export interface FullText {
  readonly taxonomy: Taxonomy;
  readonly days: readonly {
    readonly day: Temporal.PlainDate;
    readonly cards: readonly EventCard[];
  }[];
  /** All that are ahead, by their next date. */
  readonly events: readonly EventCard[];
  readonly places: readonly {
    readonly section: DirectoryName;
    readonly title: string;
    readonly things: readonly ListedThing[];
    readonly total: number;
  }[];
  readonly notices: readonly NoticeRecord[];
  readonly documents: readonly FullDocument[];
}

/** A part: whole, or as many of its lines as fit; `path` has all of it. */
interface Part {
  readonly title: string;
  readonly path: string;
  readonly head: string;
  readonly lines: readonly string[];
  readonly total: number;
}

const toBytes = (words: string): number => Buffer.byteLength(words);

/** One event on a line, with all that lists say of it. */
function toLine(card: EventCard, lang: Lang, site: Site, under_day: boolean): string {
  const facts = listFacts(card, 'line').map(({ name, value }) =>
    name === 'when'
      ? (toWhenWords(card, lang, under_day) ?? '')
      : toFactLines(value, lang).join(LINE_JOINT),
  );
  const written = findOriginals(card.event, lang).title;
  const original = written === undefined ? [] : [t(lang, `original.${written}`)];
  const url = toAbsolute(site.url, toThingPath('event', card.event.slug, lang));
  return toItem([
    link(url, card.event.title[lang]),
    plain(`: ${[...original, ...facts].filter((words) => words !== '').join(' · ')}`),
  ]);
}

const toItem = (item: readonly PhrasingContent[]): string => toMarkdown([list([item])]);

function listParts(full: FullText, lang: Lang, site: Site): readonly Part[] {
  const notices: Part = {
    title: t(lang, 'llms.page.notices'),
    path: toMarkdownPath(PAGE_PATHS.notices[lang]),
    head: toMarkdown([heading(2, plain(t(lang, 'llms.page.notices')))]),
    lines: full.notices.map((notice) =>
      toItem([
        strong(notice.title[lang]),
        plain(` (${toForce(notice, lang)}): ${notice.body[lang]}`),
      ]),
    ),
    total: full.notices.length,
  };
  const days = full.days.map(({ day, cards }): Part => {
    const path = toMarkdownPath(toDayPath(day.toString(), lang));
    const title = toLongDay(day, lang);
    return {
      ...{ title, path },
      head: toMarkdown([heading(2, link(toAbsolute(site.url, path), title))]),
      lines: cards.map((card) => toLine(card, lang, site, true)),
      total: cards.length,
    };
  });
  const events: Part = {
    title: t(lang, 'llms.full.events'),
    path: toMarkdownPath(PAGE_PATHS.search[lang]),
    head: toMarkdown([heading(2, plain(t(lang, 'llms.full.events')))]),
    lines: full.events.map((card) => toLine(card, lang, site, false)),
    total: full.events.length,
  };
  const places = full.places.map(
    ({ section, title, things, total }): Part => ({
      ...{ title, total },
      path: toMarkdownPath(toDirectoryPath(section, lang)),
      head: toMarkdown([heading(2, plain(title))]),
      lines: things.map(({ name, path, facts, count }) =>
        toItem([
          link(toAbsolute(site.url, path), name),
          plain(`: ${[...facts, tCount(lang, 'events.count', count)].join(' · ')}`),
        ]),
      ),
    }),
  );
  return [notices, ...days, events, ...places, ...full.documents.map(toWhole)];
}

/** A document that stands in it whole or not at all. */
const toWhole = ({ title, path, text: whole }: FullDocument): Part => ({
  ...{ title, path, head: '' },
  lines: [whole],
  total: 1,
});

/** The whole document, at most MAX_FULL_BYTES. */
export function toLlmsFull(full: FullText, lang: Lang, site: Site): string {
  const opening = toMarkdown([
    heading(1, plain(site.name)),
    quote(paragraph(plain(t(lang, 'llms.about')))),
    ...toTermsEntry(lang, site),
    ...toGuide(full.taxonomy, lang, site),
    ...toDoubtEntry(full.events, lang),
  ]);
  let left = MAX_FULL_BYTES - RESERVED_BYTES - toBytes(opening);
  const blocks = listParts(full, lang, site).map((part) => {
    const shown = takeFitting(part, left);
    left -= toBytes(shown.join(''));
    return [part.head, shown.slice(1).join(''), toRest(part, shown.length - 1, lang, site)];
  });
  return [opening, ...blocks.flat().filter((block) => block !== '')].join('\n');
}

/** The head of a part and as many of its lines as fit into so many bytes. */
function takeFitting({ head, lines }: Part, bytes: number): readonly string[] {
  let left = bytes - toBytes(head);
  const fits = (line: string): boolean => {
    left -= toBytes(line);
    return left >= 0;
  };
  const end = lines.findIndex((line) => !fits(line));
  return [head, ...lines.slice(0, end < 0 ? lines.length : end)];
}

/** What was left out, and where it is; nothing where all is there. */
function toRest({ title, path, total }: Part, shown: number, lang: Lang, site: Site): string {
  if (total === shown) return '';
  const words = shown === 0 ? title : tCount(lang, 'llms.full.more', total - shown);
  return toMarkdown([
    paragraph(text(`${t(lang, 'llms.full.cut')} `), link(toAbsolute(site.url, path), words)),
  ]);
}
