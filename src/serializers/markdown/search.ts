// The results of a search as Markdown: what was asked, the events in order of time, where the list
// goes on.
import type { RootContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { formatCursor, type Cursor } from '../../domain/filters/cursor.ts';
import type { ParameterTexts } from '../../domain/filters/filter.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { withQuery } from '../../i18n/api-paths.ts';
import { PAGE_PATHS, toAbsolute, toMarkdownPath } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { toDoubtEntry, toEventEntry } from './event-entry.ts';
import { type NarrowedText, toNarrowedEntry } from './narrowed.ts';
import { heading, link, paragraph, plain } from './nodes.ts';

/** A page of what a search found. */
export interface FoundEvents {
  readonly cards: readonly EventCard[];
  /** All that match, on every page. */
  readonly total: number;
  /** The query in one spelling. */
  readonly texts: ParameterTexts;
  /** Where the list goes on; null at its end. */
  readonly next: Cursor | null;
}

/** The whole document. */
export function toSearchMarkdown(
  { cards, total, texts, next }: FoundEvents,
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
  const events: RootContent[] =
    cards.length === 0
      ? [paragraph(plain(t(lang, 'search.none')))]
      : cards.flatMap((card) => toEventEntry(card, lang, site, 3, false));
  return toDocument(
    opening,
    [
      ...toNarrowedEntry(narrowed, lang, site),
      heading(2, plain(t(lang, 'label.events'))),
      ...toDoubtEntry(cards, lang),
      ...events,
      ...toNextEntry(texts, next, lang, site),
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
