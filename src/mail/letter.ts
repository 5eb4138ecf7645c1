// A letter in plain text, in its reader's language: what is so, of which submissions, and where to go on.
import { parseDay } from '../domain/cancun-time.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { BATCH_MAIL, type MailKind } from '../domain/mail.ts';
import type { QueueGroup } from '../domain/queue/waiting.ts';
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

/** Those of one kind to one reader, in one letter. */
export function writeLetter(
  kind: Exclude<MailKind, 'digest'>,
  items: readonly [LetterItem, ...LetterItem[]],
  lang: Lang,
  site: Site,
): Letter {
  const [first] = items;
  const { reference } = first;
  const { leave_url } = first;
  const foot = kind === 'receipt' ? 'mail.foot.receipt' : 'mail.foot';
  const of_batch = first.events === null ? null : BATCH_MAIL.find((known) => known === kind);
  return {
    ...{ lang, leave_url },
    subject: of_batch
      ? t(lang, `mail.subject.batch.${of_batch}`, { reference })
      : tCount(lang, `mail.subject.${kind}`, items.length, { reference, name: site.name }),
    text: toText(
      lang,
      site,
      items.map((item) => toPart(item, lang)),
      leave_url === null ? [] : [t(lang, foot, { name: site.name }), leave_url],
    ),
  };
}

const toText = (
  lang: Lang,
  site: Site,
  parts: readonly string[],
  foot: readonly string[],
): string =>
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
    ...(words === null || words.text === ''
      ? []
      : [`${t(lang, words.by)}\n${quoteText(words.text)}`]),
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

/** What waits at the desk. */
export interface Waiting {
  readonly total: number;
  readonly groups: readonly { readonly group: QueueGroup; readonly count: number }[];
  /** The most urgent first. */
  readonly first: readonly {
    /** In a stranger's words. */
    readonly title: string;
    /** The next of its days. */
    readonly day: string | null;
    /** Of the desk. */
    readonly path: string;
  }[];
}

/** What waits, for editors. */
export function writeDigest({ total, groups, first }: Waiting, site: Site): Letter {
  const lang = DEFAULT_LANG;
  const counts = groups
    .filter(({ count }) => count > 0)
    .map(({ group, count }) => tCount(lang, `mail.digest.${group}`, count));
  const lines = first.map(({ title, day, path }) => {
    const when = day === null ? '' : `\n> ${toMoment(day, lang)}`;
    return `${quoteLine(title)}${when}\n${site.url}${path}`;
  });
  const desk = `${t(lang, 'mail.desk')}\n${site.url}${DESK_PATHS.queue}`;
  return {
    lang,
    subject: tCount(lang, 'mail.subject.digest', total, { name: site.name }),
    text: toText(lang, site, [[counts.join('\n'), ...lines, desk].join('\n\n')], []),
    leave_url: null,
  };
}
