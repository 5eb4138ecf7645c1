// The text of a flyer as a filled-in form, by rules in both languages: what is sure of it. What can be meant in two
// ways is asked at its control, and what looks like a fact but was not understood is told (contract 14.42).
import type { Temporal } from 'temporal-polyfill';
import { cleanText } from '../clean-text.ts';
import { foldText, splitWords } from '../text-folding.ts';
import { type Lang, LANGS } from '../lang.ts';
import { findMentionedIn } from '../place-text.ts';
import { switchGrammaticalNumber } from '../word-matching.ts';
import type { Taxonomy } from '../taxon.ts';
import type { FormField } from './fields.ts';
import {
  type FlyerQuestion,
  type FlyerMatches,
  foldedTextBefore,
  type FlyerLine,
  extractDates,
  extractHours,
  consumeMatches,
} from './flyer-dates.ts';
import * as words from './flyer-patterns.ts';
import type { FormValues } from './form-values.ts';
import { suggestVenue } from './duplicate-detection.ts';
import { normalizeUrl } from './links.ts';
import { SUBMISSION_LIMITS } from './field-rules.ts';

/** What is known of the agenda, and the day on which the text is read. */
export interface FlyerContext {
  readonly taxonomy: Taxonomy;
  readonly venues: readonly { readonly id: string; readonly name: string }[];
  readonly today: Temporal.PlainDate;
  /** Of the text where it does not tell. */
  readonly lang: Lang;
}
export interface FlyerParseResult {
  readonly values: FormValues;
  readonly asks: ReadonlyMap<FormField, FlyerQuestion>;
  /** Lines, or sentences of them, with a fact of which nothing was made. */
  readonly unread: readonly string[];
}

const PICTURES =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3)+/gu;
/** Without emoji, and without what decorates its ends. */
const toPlain = (text: string): string =>
  text
    .replace(PICTURES, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\d¿¡"“«+$#@(]+|[\s!.:;,|*~-]+$/gu, '');

/** Where a line has several sentences, each by itself: not behind `Av.` or `p.m.` */
const SENTENCE = /(?<=(?:\p{L}{5}|\d{2}|\))[.!?])\s+|[|;·•]/u;

/** Lines without the marks of chats, none long; letters that only look another way become plain ones. */
const toParts = (text: string): readonly FlyerLine[] =>
  text
    .normalize('NFKC')
    .replace(/\*|(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, '')
    .split('\n')
    .flatMap((said, line) => said.split(SENTENCE).map((part) => ({ text: part, line })))
    .flatMap(({ text: said, line }) =>
      (said.match(/.{1,800}/gu) ?? []).map((piece) => ({ text: piece.trim(), line })),
    )
    .filter(({ text }) => text !== '')
    .map((part) => ({ ...part, rest: part.text }));

/** The first link of each kind. */
function readLinks(parts: readonly FlyerLine[]): FlyerMatches {
  const values: Partial<Record<FormField, string>> = {};
  consumeMatches(parts, words.LINK_PATTERN, ([said], part) => {
    const link = normalizeUrl(said.replace(/[.,;:!?)\]]+$/, ''));
    const text = foldText(part.text);
    const sells = words.TICKET_SALE_PATTERN.test(text) ? 'ticket_url' : 'source_url';
    const name = words.REGISTRATION_PATTERN.test(text) ? 'registration_url' : sells;
    if (words.NON_SOURCE_LINK_PATTERN.test(link) || values[name] !== undefined) return false;
    values[name] = link;
    return true;
  });
  return { values };
}

function readAge(parts: readonly FlyerLine[]): FlyerMatches {
  const [ages, all]: [string[], string[]] = [[], []];
  consumeMatches(parts, words.AGE_LIMIT_PATTERN, ([said], { text }) => {
    // Who pays less is no limit.
    if (/gratis|free|descuento|inapam/i.test(text)) return false;
    return ages.push(said === '🔞' ? '+18' : said.charAt(0).toUpperCase() + said.slice(1)) > 0;
  });
  consumeMatches(parts, words.ALL_AGES_PATTERN, ([said]) => all.push(said) > 0);
  const [age_restriction] = ages;
  if (age_restriction !== undefined) return { values: { age_restriction } };
  return { values: all.length > 0 ? { family: '1' } : {} };
}

function readPrice(parts: readonly FlyerLine[]): FlyerMatches {
  const amounts = new Set<number>();
  const paid = new Set<FlyerLine>();
  const [free, said]: [string[], string[]] = [[], []];
  let [is_foreign, from]: [boolean, string?] = [false];
  consumeMatches(parts, words.FREE_ENTRY_PATTERN, ([found], { text }) =>
    words.PARTLY_FREE_PATTERN.test(foldText(text)) ? false : free.push(found) > 0,
  );
  consumeMatches(parts, words.AMOUNT_PATTERN, (match, part) => {
    const [, times, before = '', amount, after = '', bare, behind = '', alone] = match;
    const text = foldText(part.text);
    const [bought = ''] = text.split(words.INCLUDES_PATTERN);
    const is_first = !/[\p{L}\d]/u.test(part.text.slice(0, match.index));
    const is_paid =
      (is_first || words.ADMISSION_PRICE_PATTERN.test(text)) &&
      !words.OTHER_PRICE_PATTERN.test(bought);
    if (times !== undefined || !is_paid) return false;
    is_foreign ||= words.isForeignCurrency(before + after + behind);
    from ??= words.FROM_AMOUNT_PATTERN.exec(foldedTextBefore(match))?.[0].trim();
    const figures = (amount ?? bare ?? alone ?? '').replace(/,(?=\d\d$)/, '.');
    amounts.add(Number(figures.replaceAll(',', '')));
    paid.add(part);
    return said.push(match[0].trim()) > 0;
  });
  if (is_foreign || (free.length > 0 && amounts.size > 0)) {
    const ask = { why: 'price', said: [...free, ...said].join(', ') } as const;
    return { values: {}, asks: [['price_kind', ask]] };
  }
  if (amounts.size === 0) return { values: free.length > 0 ? { price_kind: 'free' } : {} };
  const [min, max] = [Math.min(...amounts), Math.max(...amounts)];
  const texts = [...paid].map(({ text }) => toPlain(text));
  const folded = foldText(texts.join('. '));
  const is_noted =
    words.PRICE_NOTE_PATTERN.test(folded) || (max > min && words.PRICE_TIER_PATTERN.test(folded));
  if (is_noted) for (const part of paid) part.rest = '';
  const price_min = min === max && from ? `${from} ${min}` : String(min);
  const price_max = max > min ? String(max) : '';
  const price_note = is_noted ? texts.join('. ') : '';
  return { values: { price_kind: 'fixed', price_min, price_max, price_note } };
}

/** A place of the agenda, wherever it is named; a new one only where it is called a place, or has a street. */
function readPlace(parts: readonly FlyerLine[], { venues, taxonomy }: FlyerContext): FlyerMatches {
  const at = parts.findIndex(({ rest }) => words.PLACE_LABEL_PATTERN.test(rest));
  const label = words.PLACE_LABEL_PATTERN.exec(parts[at]?.rest ?? '')?.[1]?.trim() ?? '';
  const called = at >= 0 && label === '' ? parts[at + 1] : parts[at];
  const said = toPlain(label || (called?.rest ?? '')).slice(0, SUBMISSION_LIMITS.name);
  const [known, ...others] = findMentionedIn(
    venues,
    said || parts.map(({ rest }) => rest).join('\n'),
  );
  if (known && said === '' && others.length > 0) {
    const names = [known, ...others].map(({ name }) => name).join(', ');
    return { values: {}, asks: [['venue_name', { why: 'place', said: names }]] };
  }
  if (known) {
    const named = new Set(splitWords(known.name));
    for (const part of parts)
      part.rest =
        part === called
          ? ''
          : part.rest.replace(/[\p{L}\d]+/gu, (word) => (named.has(foldText(word)) ? '' : word));
    return { values: { venue_name: known.name } };
  }
  const isStreet = ({ rest, text }: FlyerLine): boolean =>
    rest === text && words.STREET_PATTERN.test(text) && /\d/.test(text);
  const part = called ?? parts.find(isStreet);
  if (part === undefined) return { values: {} };
  part.rest = '';
  const text = said || toPlain(part.text).slice(0, SUBMISSION_LIMITS.line);
  if (words.STREET_PATTERN.exec(text)?.index === 0) return { values: { venue_address: text } };
  const place = text.replace(/^(?:en|at)\s+/i, '');
  const { name, address, zone } = suggestVenue(place, venues, taxonomy.zones);
  return { values: { venue_name: name, venue_address: address, zone } };
}

/** Written small where it is in capitals, unless a name may be among them. */
function toQuiet(title: string, text: string): string {
  if (title !== title.toUpperCase() || !/\p{L}{2}/u.test(title)) return title;
  const small = new Set(text.match(/(?<!\p{L})\p{Ll}+(?!\p{L})/gu)?.map(foldText));
  const is_sure = splitWords(title).every(
    (word) => words.COMMON_WORDS.has(word) || small.has(word),
  );
  return is_sure ? title.charAt(0) + title.slice(1).toLowerCase() : title;
}

const MOST_TITLE = 90;

/** The first line that says something, up to a fact that was read of it. */
function readTitle(parts: readonly FlyerLine[], text: string) {
  for (const [at, part] of parts.entries()) {
    const cut = part.text.split('').findIndex((sign, place) => part.rest[place] !== sign);
    const whole = toPlain(cut < 0 ? part.text : part.text.slice(0, cut));
    const title = (cut < 0 ? whole : whole.replace(words.DANGLING_END_PATTERN, '')).replace(
      words.SUBJECT_PREFIX_PATTERN,
      '',
    );
    const is_none = words.NON_TITLE_PATTERN.test(foldText(title)) || !/\p{L}{3}/u.test(title);
    if (is_none || parts[at - 1]?.line === part.line) continue;
    if (title.length > MOST_TITLE || (cut >= 0 && !title.includes(' '))) break;
    return { title: toQuiet(title, text), part };
  }
  return { title: '', part: null };
}

/** The one category that the title names. */
function findCategory(title: string, { categories }: Taxonomy): string {
  const inAnyNumber = (word: string) => [word, ...switchGrammaticalNumber(word)];
  const said = new Set(splitWords(title).flatMap(inAnyNumber));
  const [one, ...others] = categories.filter(({ slug, search_words }) =>
    [slug.es, slug.en, ...search_words.map(foldText)]
      .filter((word) => !words.AMBIGUOUS_CATEGORY_WORDS.has(word))
      .some((word) => inAnyNumber(word).some((each) => said.has(each))),
  );
  return one && others.length === 0 ? one.key : '';
}

/** That of most of its small words. */
function findLang(text: string, fallback: Lang): Lang {
  const [es = 0, en = 0] = LANGS.map(
    (lang) => text.match(words.LANGUAGE_PATTERNS[lang])?.length ?? 0,
  );
  if (es === en) return fallback;
  return es > en ? 'es' : 'en';
}

/** Lines that are told as not understood, and characters that a question repeats. */
const [MOST_UNREAD, MOST_SAID] = [20, 120];

/** It becomes the description as a whole. */
export const MAX_FLYER_LENGTH = SUBMISSION_LIMITS.description;

/** Reads a text as it was pasted. Never throws. */
export function parseFlyer(pasted: string, town: FlyerContext): FlyerParseResult {
  const text = cleanText(pasted);
  const parts = toParts(text);
  // In this order: what one has taken out, as an hour, is no other's day.
  const found = [readLinks, extractHours, readPrice, readAge].map((read) => read(parts));
  found.push(extractDates(parts, town.today));
  const { title, part } = readTitle(parts, text);
  found.push(readPlace(parts, town));
  if (part) part.rest = '';
  const values = [
    ...found.flatMap((one) => Object.entries(one.values)),
    ['title', title],
    ['description', text],
    ['category', findCategory(title, town.taxonomy)],
    ['lang', findLang(text, town.lang)],
  ];
  const unread = parts
    .filter(({ rest }) => words.FACT_PATTERN.test(rest))
    .map((one) => toPlain(one.text));
  return {
    values: Object.fromEntries(values.filter(([, value]) => value !== '')),
    asks: new Map(
      found
        .flatMap(({ asks = [] }) => asks)
        .map(([name, { why, said }]) => [name, { why, said: said.slice(0, MOST_SAID) }]),
    ),
    unread: unread.slice(0, MOST_UNREAD),
  };
}
