// What each parameter of the API means, in words: one truth for OpenAPI, the docs page and the MCP
// tools.
import { EVENT_STATUSES } from '../domain/event/fields.ts';
import { NOTICE_TYPES } from '../domain/notice.ts';
import { NOTICE_WORDS } from '../domain/agenda-words.ts';
import { CHANGES_LIMIT, SINCE_DAYS } from '../domain/filters/changes-query.ts';
import { EVENT_PARAMETERS } from '../domain/filters/filters.ts';
import type { ParameterDescription } from '../domain/filters/filter.ts';
import { MAX_INCLUDED } from '../domain/filters/include.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import { MAX_Q_LENGTH } from '../domain/filters/q.ts';
import { RADIUS_KM } from '../domain/filters/near.ts';
import { FROM_ALONE_DAYS, MAX_RANGE_DAYS } from '../domain/filters/range.ts';
import { MAX_PRICE } from '../domain/filters/price-max.ts';
import { HISTORY_KINDS } from '../domain/history.ts';
import { DATE_WORDS, EVENING_HOUR } from '../domain/hour-words.ts';
import { NIGHT_ENDS_HOUR } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { type Key, t } from './translate.ts';

type ParameterKey = Extract<Key, `param.${string}`>;
/** The parameters that have words: the shared filters and those of single operations. */
export type ParameterName = ParameterKey extends `param.${infer Name}` ? Name : never;

/** What the sentences about limits are filled with, here and in the chapters of the docs. */
export const LIMIT_NUMBERS = {
  from_days: FROM_ALONE_DAYS,
  max_days: MAX_RANGE_DAYS,
  q: MAX_Q_LENGTH,
  radius: RADIUS_KM.max,
  price: MAX_PRICE,
  included: MAX_INCLUDED,
  radius_default: RADIUS_KM.fallback,
  list: LIMITS.list.max,
  list_default: LIMITS.list.fallback,
  feed: LIMITS.feed.max,
  feed_default: LIMITS.feed.fallback,
  since_days: SINCE_DAYS,
  changes: CHANGES_LIMIT.max,
  changes_default: CHANGES_LIMIT.fallback,
} as const;

/** Those that take one day. */
const DAY_PARAMETERS: ReadonlySet<ParameterName> = new Set([
  'notice_date',
  'day_date',
  'event_date',
  'open_on',
]);

/**
 * The rule of a parameter in sentences, with its limits filled in and what is to be typed as
 * `code`.
 */
export function toParameterWords(name: ParameterName, lang: Lang): string {
  const words = DAY_PARAMETERS.has(name) ? NOTICE_WORDS : DATE_WORDS;
  return t(lang, `param.${name}`, {
    words: words.map((word) => `\`${word}\``).join(', '),
    evening: EVENING_HOUR,
    morning: `0${NIGHT_ENDS_HOUR}`,
    statuses: EVENT_STATUSES.map((status) => `\`${status}\``).join(', '),
    types: NOTICE_TYPES.map((type) => `\`${type}\``).join(', '),
    kinds: HISTORY_KINDS.map((kind) => `\`${kind}\``).join(', '),
    ...LIMIT_NUMBERS,
  });
}

/** The shared filters in the contract's order, each with its rule in one language. */
export const describeEventParameters = (lang: Lang): readonly ParameterDescription[] =>
  EVENT_PARAMETERS.map((form) => ({ ...form, description: toParameterWords(form.name, lang) }));
