// Flyer parser: fills in the submission form from the pasted text of a flyer, by rules in both
// languages, with unambiguous facts only. An ambiguous fact becomes a question at its control, and
// lines with facts that no rule matched are listed (contract 14.42). A part is a line of the text
// or a sentence of it; an extracted fact is consumed: blanked in the part's `rest`, so that no
// later rule matches it again.
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
import * as patterns from './flyer-patterns.ts';
import type { FormValues } from './form-values.ts';
import { VOLUNTARY_PATTERN } from './price-words.ts';
import { suggestVenue } from './duplicate-detection.ts';
import { normalizeUrl } from './links.ts';
import { SUBMISSION_LIMITS } from './field-rules.ts';

/** Taxonomy and venues of the agenda, and the current day. */
export interface FlyerContext {
  readonly taxonomy: Taxonomy;
  readonly venues: readonly { readonly id: string; readonly name: string }[];
  readonly today: Temporal.PlainDate;
  /** Language of the text if detection fails. */
  readonly lang: Lang;
}
/** Form values found in the text, and the facts left for the sender. */
export interface FlyerParseResult {
  readonly values: FormValues;
  /** Questions about ambiguous facts, by control. */
  readonly questions: ReadonlyMap<FormField, FlyerQuestion>;
  /** Lines, or sentences of them, with a fact that no rule matched. */
  readonly unparsed: readonly string[];
}

const EMOJI_PATTERN =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3)+/gu;
/** Removes emoji, and punctuation and decoration at both ends. */
const cleanPart = (text: string): string =>
  text
    .replace(EMOJI_PATTERN, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\d¿¡"“«+$#@(]+|[\s!.:;,|*~-]+$/gu, '');

/** Splits a line into sentences, but not after `Av.` or `p.m.` */
const SENTENCE_BREAK = /(?<=(?:\p{L}{5}|\d{2}|\))[.!?])\s+|[|;·•]/u;

/**
 * Splits a text into short lines and sentences, without the markup of chats and with decorative
 * letters normalized.
 */
const splitIntoParts = (text: string): readonly FlyerLine[] =>
  text
    .normalize('NFKC')
    .replace(/\*|(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, '')
    .split('\n')
    .flatMap((line_text, line) =>
      line_text.split(SENTENCE_BREAK).map((sentence) => ({ sentence, line })),
    )
    .flatMap(({ sentence, line }) =>
      (sentence.match(/.{1,800}/gu) ?? []).map((piece) => ({ text: piece.trim(), line })),
    )
    .filter(({ text }) => text !== '')
    .map((part) => ({ ...part, rest: part.text }));

/** Extracts the first link of each kind. */
function extractLinks(parts: readonly FlyerLine[]): FlyerMatches {
  const values: Partial<Record<FormField, string>> = {};
  consumeMatches(parts, patterns.LINK_PATTERN, ([match], part) => {
    const link = normalizeUrl(match.replace(/[.,;:!?)\]]+$/, ''));
    const part_text = foldText(part.text);
    const ticket_or_source = patterns.TICKET_SALE_PATTERN.test(part_text)
      ? 'ticket_url'
      : 'source_url';
    const control = patterns.REGISTRATION_PATTERN.test(part_text)
      ? 'registration_url'
      : ticket_or_source;
    if (patterns.NON_SOURCE_LINK_PATTERN.test(link) || values[control] !== undefined) return false;
    values[control] = link;
    return true;
  });
  return { values };
}

/** Extracts an age limit, or else the mark that an event suits families. */
function extractAge(parts: readonly FlyerLine[]): FlyerMatches {
  const [limits, all_ages]: [string[], string[]] = [[], []];
  consumeMatches(parts, patterns.AGE_LIMIT_PATTERN, ([match], { text }) => {
    // An age for a reduced price is not an age limit.
    if (/gratis|free|descuento|inapam/i.test(text)) return false;
    return limits.push(match === '🔞' ? '+18' : match.charAt(0).toUpperCase() + match.slice(1)) > 0;
  });
  consumeMatches(parts, patterns.ALL_AGES_PATTERN, ([match]) => all_ages.push(match) > 0);
  const [age_restriction] = limits;
  if (age_restriction !== undefined) return { values: { age_restriction } };
  return { values: all_ages.length > 0 ? { family: '1' } : {} };
}

/**
 * Extracts free entry or the lowest and highest price; both together, or a foreign currency, is a
 * question.
 */
function extractPrice(parts: readonly FlyerLine[]): FlyerMatches {
  const free_quotes: string[] = [];
  consumeMatches(parts, patterns.FREE_ENTRY_PATTERN, ([match], { text }) =>
    patterns.PARTLY_FREE_PATTERN.test(foldText(text)) ? false : free_quotes.push(match) > 0,
  );
  const { amounts, quotes, price_parts, is_foreign, minimum_word } = matchAmounts(
    parts,
    free_quotes.length > 0,
  );
  if (is_foreign || (free_quotes.length > 0 && amounts.size > 0)) {
    const question = { reason: 'price', quote: [...free_quotes, ...quotes].join(', ') } as const;
    return { values: {}, questions: [['price_kind', question]] };
  }
  if (amounts.size === 0) return { values: free_quotes.length > 0 ? { price_kind: 'free' } : {} };
  const [min, max] = [Math.min(...amounts), Math.max(...amounts)];
  const price_min = min === max && minimum_word ? `${minimum_word} ${min}` : String(min);
  const price_max = max > min ? String(max) : '';
  const price_note = extractPriceNote(price_parts, max > min);
  return { values: { price_kind: 'fixed', price_min, price_max, price_note } };
}

/**
 * Consumes the admission prices; if entry is free, without contributions by choice. `price_parts` are their lines, `minimum_word` is `desde` or
 * `from`.
 */
function matchAmounts(parts: readonly FlyerLine[], is_free: boolean) {
  const amounts = new Set<number>();
  const price_parts = new Set<FlyerLine>();
  const quotes: string[] = [];
  let [is_foreign, minimum_word]: [boolean, string?] = [false];
  consumeMatches(parts, patterns.AMOUNT_PATTERN, (match, part) => {
    // Groups of AMOUNT_PATTERN: a multiplier (`2 x`); `$`, amount and currency; amount and
    // currency; amount alone.
    const [, multiplier, sign = '', signed_amount, sign_currency = ''] = match;
    const [named_amount, currency = '', bare_amount] = match.slice(5);
    const part_text = foldText(part.text);
    const [before_includes = ''] = part_text.split(patterns.INCLUDES_PATTERN);
    const is_first = !/[\p{L}\d]/u.test(part.text.slice(0, match.index));
    const is_admission =
      (is_first || patterns.ADMISSION_PRICE_PATTERN.test(part_text)) &&
      !patterns.OTHER_PRICE_PATTERN.test(before_includes) &&
      !(is_free && VOLUNTARY_PATTERN.test(part_text));
    if (multiplier !== undefined || !is_admission) return false;
    is_foreign ||= patterns.isForeignCurrency(sign + sign_currency + currency);
    minimum_word ??= patterns.FROM_AMOUNT_PATTERN.exec(foldedTextBefore(match))?.[0].trim();
    const figures = (signed_amount ?? named_amount ?? bare_amount ?? '').replace(/,(?=\d\d$)/, '.');
    amounts.add(Number(figures.replaceAll(',', '')));
    price_parts.add(part);
    return quotes.push(match[0].trim()) > 0;
  });
  return { amounts, quotes, price_parts, is_foreign, minimum_word };
}

/**
 * Consumes the lines of the prices as a note if they have conditions, or tiers of several prices;
 * else returns ''.
 */
function extractPriceNote(price_parts: ReadonlySet<FlyerLine>, has_several: boolean): string {
  const texts = [...price_parts].map(({ text }) => cleanPart(text));
  const folded = foldText(texts.join('. '));
  const is_noted =
    patterns.PRICE_NOTE_PATTERN.test(folded) ||
    (has_several && patterns.PRICE_TIER_PATTERN.test(folded));
  if (!is_noted) return '';
  for (const part of price_parts) part.rest = '';
  return texts.join('. ');
}

/**
 * Extracts a known venue from any part, or a new one only from a part with a label such as `Lugar:`
 * or a street.
 */
function extractVenue(
  parts: readonly FlyerLine[],
  { venues, taxonomy }: FlyerContext,
): FlyerMatches {
  const label_index = parts.findIndex(({ rest }) => patterns.PLACE_LABEL_PATTERN.test(rest));
  const label =
    patterns.PLACE_LABEL_PATTERN.exec(parts[label_index]?.rest ?? '')?.[1]?.trim() ?? '';
  const labeled_part =
    label_index >= 0 && label === '' ? parts[label_index + 1] : parts[label_index];
  const labeled_text = cleanPart(label || (labeled_part?.rest ?? '')).slice(
    0,
    SUBMISSION_LIMITS.name,
  );
  const [known_venue, ...other_venues] = findMentionedIn(
    venues,
    labeled_text || parts.map(({ rest }) => rest).join('\n'),
  );
  if (known_venue && labeled_text === '' && other_venues.length > 0) {
    const names = [known_venue, ...other_venues].map(({ name }) => name).join(', ');
    return { values: {}, questions: [['venue_name', { reason: 'place', quote: names }]] };
  }
  if (known_venue) {
    consumeVenueName(known_venue.name, parts, labeled_part);
    return { values: { venue_name: known_venue.name } };
  }
  const isStreet = ({ rest, text }: FlyerLine): boolean =>
    rest === text && patterns.STREET_PATTERN.test(text) && /\d/.test(text);
  const part = labeled_part ?? parts.find(isStreet);
  if (part === undefined) return { values: {} };
  part.rest = '';
  const place_text = labeled_text || cleanPart(part.text).slice(0, SUBMISSION_LIMITS.line);
  if (patterns.STREET_PATTERN.exec(place_text)?.index === 0)
    return { values: { venue_address: place_text } };
  const location = place_text.replace(/^(?:en|at)\s+/i, '');
  const { name, address, zone } = suggestVenue(location, venues, taxonomy.zones);
  return { values: { venue_name: name, venue_address: address, zone } };
}

/** Consumes the whole labeled part, and the words of the venue's name elsewhere. */
function consumeVenueName(
  name: string,
  parts: readonly FlyerLine[],
  labeled_part: FlyerLine | undefined,
): void {
  const name_words = new Set(splitWords(name));
  for (const part of parts)
    part.rest =
      part === labeled_part
        ? ''
        : part.rest.replace(/[\p{L}\d]+/gu, (word) => (name_words.has(foldText(word)) ? '' : word));
}

/** Converts a title in capitals to lower case, unless it may contain a name. */
function lowerCapitals(title: string, text: string): string {
  if (title !== title.toUpperCase() || !/\p{L}{2}/u.test(title)) return title;
  const lower_case_words = new Set(text.match(/(?<!\p{L})\p{Ll}+(?!\p{L})/gu)?.map(foldText));
  const has_no_name = splitWords(title).every(
    (word) => patterns.COMMON_WORDS.has(word) || lower_case_words.has(word),
  );
  return has_no_name ? title.charAt(0) + title.slice(1).toLowerCase() : title;
}

const MAX_TITLE_LENGTH = 90;

/**
 * Finds the first part that may be a title, cut before the first consumed fact; an empty title if
 * there is none.
 */
function findTitle(parts: readonly FlyerLine[], text: string) {
  for (const [index, part] of parts.entries()) {
    // Index of the first consumed character; -1 if there is none.
    const fact_start = part.text.split('').findIndex((unit, i) => part.rest[i] !== unit);
    const unconsumed = cleanPart(fact_start < 0 ? part.text : part.text.slice(0, fact_start));
    const title = (
      fact_start < 0 ? unconsumed : unconsumed.replace(patterns.DANGLING_END_PATTERN, '')
    ).replace(patterns.SUBJECT_PREFIX_PATTERN, '');
    const is_not_title =
      patterns.NON_TITLE_PATTERN.test(foldText(title)) || !/\p{L}{3}/u.test(title);
    if (is_not_title || parts[index - 1]?.line === part.line) continue;
    if (title.length > MAX_TITLE_LENGTH || (fact_start >= 0 && !title.includes(' '))) break;
    return { title: lowerCapitals(title, text), part };
  }
  return { title: '', part: null };
}

/** Finds the category, if the title names only one; else returns ''. */
function findCategory(title: string, { categories }: Taxonomy): string {
  const withOtherNumber = (word: string) => [word, ...switchGrammaticalNumber(word)];
  const title_words = new Set(splitWords(title).flatMap(withOtherNumber));
  const [category, ...others] = categories.filter(({ slug, search_words }) =>
    [slug.es, slug.en, ...search_words.map(foldText)]
      .filter((word) => !patterns.AMBIGUOUS_CATEGORY_WORDS.has(word))
      .some((word) => withOtherNumber(word).some((each) => title_words.has(each))),
  );
  return category && others.length === 0 ? category.key : '';
}

/** Detects the language by its function words. */
function detectLang(text: string, fallback: Lang): Lang {
  const [es = 0, en = 0] = LANGS.map(
    (lang) => text.match(patterns.LANGUAGE_PATTERNS[lang])?.length ?? 0,
  );
  if (es === en) return fallback;
  return es > en ? 'es' : 'en';
}

const MAX_UNPARSED_LINES = 20;
/** Characters of a question's quote. */
const MAX_QUOTE_LENGTH = 120;

/** The whole text becomes the description. */
export const MAX_FLYER_LENGTH = SUBMISSION_LIMITS.description;

/** Parses the pasted text of a flyer. Never throws. */
export function parseFlyer(pasted: string, context: FlyerContext): FlyerParseResult {
  const text = cleanText(pasted);
  const parts = splitIntoParts(text);
  // The order matters: a consumed match, such as an hour, cannot match again as a day.
  const matches = [extractLinks, extractHours, extractPrice, extractAge].map((extract) =>
    extract(parts),
  );
  matches.push(extractDates(parts, context.today));
  const { title, part } = findTitle(parts, text);
  matches.push(extractVenue(parts, context));
  if (part) part.rest = '';
  const values = [
    ...matches.flatMap((match) => Object.entries(match.values)),
    ['title', title],
    ['description', text],
    ['category', findCategory(title, context.taxonomy)],
    ['lang', detectLang(text, context.lang)],
  ];
  const unparsed = parts
    .filter(({ rest }) => patterns.FACT_PATTERN.test(rest))
    .map((each) => cleanPart(each.text));
  return {
    values: Object.fromEntries(values.filter(([, value]) => value !== '')),
    questions: new Map(
      matches
        .flatMap(({ questions = [] }) => questions)
        .map(([name, { reason, quote }]) => [
          name,
          { reason, quote: quote.slice(0, MAX_QUOTE_LENGTH) },
        ]),
    ),
    unparsed: unparsed.slice(0, MAX_UNPARSED_LINES),
  };
}
