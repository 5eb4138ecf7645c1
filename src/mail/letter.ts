// A letter in plain text, in its reader's language: what is so, of which submissions, and where to go on.
import { parseDay } from '../domain/cancun-time.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { QUEUE_GROUPS, type QueueItem, type QueueKind } from '../domain/queue/waiting.ts';
import type { Site } from '../domain/site.ts';
import { Temporal } from 'temporal-polyfill';
import { toHour, toLongDay } from '../i18n/dates.ts';
import { DESK_PATHS } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import type { LetterItem } from './items.ts';
import { quoteLine, quoteText } from './quote.ts';

/** A letter without its address. */
export interface Letter {
  readonly lang: Lang;
  /** Nothing of a stranger's. */
  readonly subject: string;
  readonly text: string;
  /** Where its reader has no more of them; null for editors. */
  readonly leave_url: string | null;
}

/** Those of one topic to one reader, in one letter. */
export function writeLetter(items: readonly [LetterItem, ...LetterItem[]], site: Site): Letter {
  const [{ topic, lang, reference, leave_url, events }] = items;
  const { name } = site;
  const foot = topic === 'receipt' ? 'mail.foot.receipt' : 'mail.foot';
  return {
    ...{ lang, leave_url },
    subject:
      events === null || topic === 'urgent' || topic === 'reminder'
        ? tCount(lang, `mail.subject.${topic}`, items.length, { reference, name })
        : t(lang, `mail.subject.batch.${topic}`, { reference }),
    text: toText(
      site,
      lang,
      items.map((item) => toPart(item, lang)),
      leave_url === null ? [] : [t(lang, foot, { name }), leave_url],
    ),
  };
}

const toText = (site: Site, lang: Lang, parts: readonly string[], foot: readonly string[]) =>
  [
    t(lang, 'mail.hello'),
    parts.join('\n\n* * *\n\n'),
    ['-- ', `${site.name} · ${site.url}`, ...foot].join('\n'),
  ].join('\n\n');

/** Events of a calendar that are named in a letter about it. */
const EVENTS_NAMED = 20;

/** Events of a calendar, a few lines each; of many the rest in number. */
function toEvents(events: LetterItem['events'], lang: Lang): readonly string[] {
  if (events === null) return [];
  const rest = events.length - EVENTS_NAMED;
  return [
    ...events
      .slice(0, EVENTS_NAMED)
      .map(({ title, start, page_url }) =>
        [quoteLine(title), `> ${toMoment(start, lang)}`, page_url].filter(Boolean).join('\n'),
      ),
    ...(rest > 0 ? [tCount(lang, 'mail.batch.more', rest)] : []),
  ];
}

function toPart(item: LetterItem, lang: Lang): string {
  const { title, start, reference, text, words, page_url, link, events } = item;
  const under = [...(start === null ? [] : [toMoment(start, lang)]), reference].join(' · ');
  return [
    text,
    `${quoteLine(title)}\n> ${under}`,
    ...toEvents(events, lang),
    ...(words.text === '' ? [] : [`${t(lang, words.by)}\n${quoteText(words.text)}`]),
    ...(page_url === null ? [] : [`${t(lang, 'mail.page')}\n${page_url}`]),
    ...(link === null ? [] : [`${t(lang, link.text)}\n${link.url}`]),
  ].join('\n\n');
}

/** `sábado 5 de diciembre de 2026, 20:00`, from a local moment or a day. */
function toMoment(start: string, lang: Lang): string {
  const day = parseDay(start.slice(0, 10));
  if (day === null) return start.slice(0, 16);
  const time = start.slice(11);
  const long = toLongDay(day, lang);
  return time === '' ? long : `${long}, ${toHour(Temporal.PlainTime.from(time), lang)}`;
}

/** Named in a digest. */
const NAMED = 10;
const FOLDERS: Readonly<Record<QueueKind, string>> = {
  ...{ request: DESK_PATHS.items, change: DESK_PATHS.items, new: DESK_PATHS.items },
  ...{ batch: DESK_PATHS.batches, report: DESK_PATHS.corrections },
};

/** What waits at the desk, for editors: how much of it, and what is most urgent. */
export function writeDigest(queue: readonly QueueItem[], site: Site): Letter {
  const lang = DEFAULT_LANG;
  const counts = QUEUE_GROUPS.flatMap((group) => {
    const { length } = queue.filter((item) => item.group === group);
    return length === 0 ? [] : [tCount(lang, `mail.digest.${group}`, length)];
  });
  const lines = queue.slice(0, NAMED).map(({ kind, reference, title, day }) => {
    const when = day === null ? '' : `\n> ${toMoment(day, lang)}`;
    return `${quoteLine(title)}${when}\n${site.url}${FOLDERS[kind]}/${reference}`;
  });
  const desk = `${t(lang, 'mail.desk')}\n${site.url}${DESK_PATHS.queue}`;
  return {
    lang,
    subject: tCount(lang, 'mail.subject.digest', queue.length, { name: site.name }),
    text: toText(site, lang, [[counts.join('\n'), ...lines, desk].join('\n\n')], []),
    leave_url: null,
  };
}
