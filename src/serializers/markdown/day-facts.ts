// A day's facts inside a Markdown document: a sentence an item, then the pages to look at.
import type { RootContent } from 'mdast';
import type { DayFacts } from '../../domain/day/day-facts.ts';
import type { Lang } from '../../domain/lang.ts';
import { toDayLines, toLinkWords } from '../../i18n/day-facts.ts';
import { t } from '../../i18n/translate.ts';
import { heading, labelled, link, list, plain, text } from './nodes.ts';

/** Under a level 2 heading. */
export function toDayFactsEntry(facts: DayFacts, lang: Lang): RootContent[] {
  const links = facts.links.map((one) => {
    const { topic, label, note } = toLinkWords(one, lang);
    return labelled(topic, link(one.url, label), text(' '), plain(note));
  });
  return [
    heading(2, plain(t(lang, 'day.title'))),
    list([...toDayLines(facts, lang).map((line) => [plain(line.text)]), ...links]),
  ];
}
