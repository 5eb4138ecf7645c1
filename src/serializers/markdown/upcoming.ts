// The upcoming events of a place or an organizer as a Markdown section.
import type { RootContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { t } from '../../i18n/translate.ts';
import { toEventEntry } from './event-entry.ts';
import { heading, paragraph, plain } from './nodes.ts';

/** A level 2 section; `cards` in order of time. */
export function toUpcomingSection(
  cards: readonly EventCard[],
  lang: Lang,
  site: Site,
): RootContent[] {
  const title = heading(2, plain(t(lang, 'label.next_events')));
  if (cards.length === 0) return [title, paragraph(plain(t(lang, 'md.no_upcoming')))];
  return [title, ...cards.flatMap((card) => toEventEntry(card, lang, site, 3, false))];
}
