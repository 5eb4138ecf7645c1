// What each parameter of the API means, in words: one truth for OpenAPI, the docs page and the MCP tools.
import { EVENT_PARAMETERS, type ParameterDescription } from '../domain/event-parameters.ts';
import { NOTICE_DATE_WORDS } from '../domain/notice-query.ts';
import { DATE_WORDS, FROM_ALONE_DAYS, MAX_RANGE_DAYS } from '../domain/range.ts';
import type { Lang } from '../domain/lang.ts';
import { type Key, t } from './translate.ts';

type ParameterKey = Extract<Key, `param.${string}`>;
/** The parameters that have words: the shared filters and those of single operations. */
export type ParameterName = ParameterKey extends `param.${infer Name}` ? Name : never;

/** The rule of a parameter in sentences, with its limits filled in. */
export function toParameterWords(name: ParameterName, lang: Lang): string {
  const words = name === 'notice_date' ? NOTICE_DATE_WORDS : DATE_WORDS;
  return t(lang, `param.${name}`, { words: words.join(', '), from_days: FROM_ALONE_DAYS, max_days: MAX_RANGE_DAYS });
}

/** The shared filters in the interface's order, each with its rule in one language. */
export const describeEventParameters = (lang: Lang): readonly ParameterDescription[] =>
  EVENT_PARAMETERS.map((form) => ({ ...form, description: toParameterWords(form.name, lang) }));
