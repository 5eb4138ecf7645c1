// An event inside a longer Markdown document: title as link, facts, summary.
import type { Heading, RootContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toHours, toWhen } from '../../i18n/dates.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { tCount } from '../../i18n/translate.ts';
import { heading, link, list, paragraphs } from './nodes.ts';
import { toCoreFacts } from './event-facts.ts';

/** Hours alone suffice under a day's heading, unless it lasts several days. */
function toWhenWords(card: EventCard, lang: Lang, under_day: boolean): string | null {
  const { next } = card;
  if (!next) return null;
  const when = under_day && next.first_day === next.last_day ? toHours(next, lang) : toWhen(next, lang);
  const note = next.notes ? ` (${next.notes[lang]})` : '';
  const more = card.more_dates > 0 ? `, ${tCount(lang, 'dates.more', card.more_dates)}` : '';
  return `${when}${note}${more}`;
}

/** The entry, under a heading of `depth`. `under_day` says that the day stands in a heading above. */
export function toEventEntry(card: EventCard, lang: Lang, site: Site, depth: Heading['depth'], under_day: boolean): RootContent[] {
  const url = toAbsolute(site.url, toThingPath('event', card.event.slug, lang));
  return [
    heading(depth, link(url, card.event.title[lang])),
    list(toCoreFacts(card, toWhenWords(card, lang, under_day), lang, site, false)),
    ...paragraphs(card.event.summary[lang]),
  ];
}
