// The day that an answer is about, in both halves: sun, moon, feasts and what they close, where to look
// for ferries, sargassum and weather (contract 4.15, 13.10).
import { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { type DayFacts, isComputed, toDayFacts } from '../../domain/day/day-facts.ts';
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

/**
 * In full where nothing but the day `is_asked` for; else its sentences, and where to look. Null of a day
 * that is over, or not computed.
 */
export function tellDay(
  day: Temporal.PlainDate,
  is_asked: boolean,
  lang: Lang,
  context: McpContext,
): ToldDay | null {
  const is_over = Temporal.PlainDate.compare(day, toCancunDay(context.now_ms)) < 0;
  if (is_over || !isComputed(day)) return null;
  const facts = cutFacts(toDayFacts(day, context.snapshot.calendar), context);
  const whole = toPublicDay(facts, lang);
  const sentences = toDayLines(facts, lang).map((line) => line.text);
  const links = facts.links.flatMap((one, at) => {
    const { topic, label } = toLinkWords(one, lang);
    const joint = text(at === 0 ? '' : ' · ');
    return is_asked
      ? [joint, text(`${topic}: `), link(one.url, label)]
      : [joint, link(one.url, topic)];
  });
  return {
    fields: is_asked
      ? withoutEmpty(whole, ALWAYS)
      : {
          date: whole.date,
          text: whole.text,
          links: whole.links.map(({ topic, url }) => ({ topic, url })),
        },
    text: toMarkdown([
      paragraph(plain(sentences.join(' '))),
      ...(links.length === 0 ? [] : [paragraph(...links)]),
    ]).trimEnd(),
  };
}

function cutFacts(known: DayFacts, context: McpContext): DayFacts {
  const { next_feast } = known;
  return {
    ...known,
    holidays: cutTexts(fewer(known.holidays, context), context),
    seasons: fewer(known.seasons, context).map((turn) => ({
      ...turn,
      season: cutTexts(turn.season, context),
    })),
    links: cutTexts(fewer(known.links, context), context),
    next_feast: next_feast && { ...next_feast, holiday: cutTexts(next_feast.holiday, context) },
  };
}
