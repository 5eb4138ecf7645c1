// The day that an answer is about, in both halves: sun, moon, feasts and what they close, where to look
// for ferries, sargassum and weather (contract 4.15, 13.10).
import type { Temporal } from 'temporal-polyfill';
import { isComputed, toDayFacts } from '../../domain/day/day-facts.ts';
import type { Lang } from '../../domain/lang.ts';
import { toDayLines, toLinkWords } from '../../i18n/day-facts.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { link, paragraph, plain, text } from '../../serializers/markdown/nodes.ts';
import { toPublicDay } from '../../serializers/wire/day.ts';
import type { McpContext } from '../context.ts';
import { cutTexts, fewer } from '../cut.ts';
import { withoutEmpty } from './without-empty.ts';

export interface ToldDay {
  readonly fields: unknown;
  /** Two lines: its sentences, the links. */
  readonly text: string;
}

/** Fields of a day that are there even where they hold nothing (contract 4.15). */
const ALWAYS = ['holidays', 'seasons', 'links', 'closes'];

/** Null of a day that is not computed. */
export function tellDay(day: Temporal.PlainDate, lang: Lang, context: McpContext): ToldDay | null {
  if (!isComputed(day)) return null;
  const known = toDayFacts(day, context.snapshot.calendar);
  const { next_feast } = known;
  const facts = {
    ...known,
    holidays: cutTexts(fewer(known.holidays, context), context),
    seasons: fewer(known.seasons, context).map((turn) => ({
      ...turn,
      season: cutTexts(turn.season, context),
    })),
    links: cutTexts(fewer(known.links, context), context),
    next_feast: next_feast && { ...next_feast, holiday: cutTexts(next_feast.holiday, context) },
  };
  const links = facts.links.flatMap((one, at) => {
    const { topic, label } = toLinkWords(one, lang);
    return [text(`${at === 0 ? '' : ' · '}${topic}: `), link(one.url, label)];
  });
  const sentences = toDayLines(facts, lang).map((line) => line.text);
  return {
    fields: withoutEmpty(toPublicDay(facts, lang), ALWAYS),
    text: toMarkdown([
      paragraph(plain(sentences.join(' '))),
      ...(links.length === 0 ? [] : [paragraph(...links)]),
    ]).trimEnd(),
  };
}
