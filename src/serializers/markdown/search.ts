// The results of a search as Markdown: what was asked, the events in order of time, where the list
// goes on.
import type { RootContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { type Cursor, formatCursor } from '../../domain/query/event-query.ts';
import type { ParameterTexts } from '../../domain/query/parameters.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { withQuery } from '../../i18n/api-paths.ts';
import { PAGE_PATHS, toAbsolute, toMarkdownPath } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { toDoubtEntry, toEventEntry } from './event-entry.ts';
import { type NarrowedText, toNarrowedEntry } from './narrowed.ts';
import { heading, link, list, paragraph, plain } from './nodes.ts';

export interface FoundEvents {
  readonly cards: readonly EventCard[];
  readonly total: number;
  /** The query in one spelling. */
  readonly texts: ParameterTexts;
  /** Where the list goes on; null at its end. */
  readonly next: Cursor | null;
  /** Places, notices and pages that the words find too; before the events or behind them. */
  readonly beside: { readonly sections: readonly Section[]; readonly is_first: boolean } | null;
}

interface Section {
  readonly title: string;
  readonly lines: readonly {
    readonly name: string;
    readonly path: string;
    readonly facts: readonly string[];
  }[];
  readonly more: { readonly label: string; readonly path: string } | null;
}

const toSection = ({ title, lines, more }: Section, site: Site): RootContent[] => [
  heading(2, plain(title)),
  list([
    ...lines.map(({ name, path, facts }) => [
      link(new URL(path, site.url).href, name),
      plain(facts.length === 0 ? '' : `: ${facts.join(' · ')}`),
    ]),
    ...(more ? [[link(new URL(more.path, site.url).href, more.label)]] : []),
  ]),
];

export function toSearchMarkdown(
  { cards, total, texts, next, beside }: FoundEvents,
  narrowed: NarrowedText,
  lang: Lang,
  site: Site,
): string {
  const opening = {
    title: t(lang, 'search.title'),
    about: t(lang, 'md.about_search', {
      events: tCount(lang, 'events.count', total),
      zone: t(lang, 'time.zone'),
    }),
    terms: t(lang, 'md.terms', { name: site.name }),
    path: PAGE_PATHS.search,
    query: narrowed.query,
  };
  const others = (beside?.sections ?? []).flatMap((section) => toSection(section, site));
  const events: RootContent[] =
    cards.length === 0
      ? [paragraph(plain(t(lang, 'search.none')))]
      : cards.flatMap((card) => toEventEntry(card, lang, site, 3, false));
  return toDocument(
    opening,
    [
      ...toNarrowedEntry(narrowed, lang, site),
      ...(beside?.is_first ? others : []),
      heading(2, plain(t(lang, 'label.events'))),
      ...toDoubtEntry(cards, lang),
      ...events,
      ...toNextEntry(texts, next, lang, site),
      ...(beside?.is_first ? [] : others),
    ],
    lang,
    site,
  );
}

/** The way to the next page, as text too. */
function toNextEntry(
  texts: ParameterTexts,
  next: Cursor | null,
  lang: Lang,
  site: Site,
): RootContent[] {
  if (next === null) return [];
  const path = toMarkdownPath(PAGE_PATHS.search[lang]);
  const url = toAbsolute(site.url, withQuery(path, { ...texts, cursor: formatCursor(next) }));
  return [paragraph(link(url, t(lang, 'search.next')))];
}
