// Price texts: formats prices as readable phrases in the requested language (contract 4.7).
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../town.ts';
import { listFreeVisitorsOf, type Price } from '../domain/event/event.ts';
import {
  type Admission,
  decidePriceKind,
  listFreeVisitors,
  type Visitor,
} from '../domain/opening-hours.ts';
import { foldText } from '../domain/text-folding.ts';
import type { Lang } from '../domain/lang.ts';
import { formatMonthAndYear } from './format-dates.ts';
import { capitalize, formatList, t, localeOf } from './translate.ts';

/**
 * Cache by language, decimals and currency: creating a formatter costs as much as serializing a
 * whole event.
 */
const FORMATS = new Map<string, Intl.NumberFormat>();

function getNumberFormat(lang: Lang, digits: number, currency?: string): Intl.NumberFormat {
  const key = `${lang} ${digits} ${currency}`;
  const format =
    FORMATS.get(key) ??
    new Intl.NumberFormat(localeOf(lang), {
      ...(currency && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  FORMATS.set(key, format);
  return format;
}

/** Formats a whole number: `1,200`. */
export const formatNumber = (number: number, lang: Lang): string =>
  getNumberFormat(lang, 0).format(number);

/** Returns the currency sign: `$`. */
const currencySign = (currency: string, lang: Lang): string =>
  getNumberFormat(lang, 0, currency)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? '';

/**
 * Formats an amount: `$150 MXN`; the town's own currency as `€15` or `15 €`, unless its sign is an
 * ambiguous `$`.
 */
const formatAmount = (amount: number, currency: string, lang: Lang): string => {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const is_local = currency === TOWN.currency.code;
  const sign = is_local || currency === 'USD' ? currencySign(currency, lang) : '';
  return is_local && (sign !== '$' || currency === 'USD')
    ? getNumberFormat(lang, digits, currency).format(amount)
    : `${sign}${getNumberFormat(lang, digits).format(amount)} ${currency}`;
};

/** Formats a price filter without currency code: `$200`, with the amount as requested. */
export const formatFilterAmount = (amount: number, lang: Lang): string =>
  formatAmount(0, TOWN.currency.code, lang)
    .replace('0', `${amount}`)
    .replace(` ${TOWN.currency.code}`, '');

/** Removes the currency after an amount, if another amount with it follows: `$350`, `15`. */
const withoutCurrency = (amount: string): string => amount.replace(/\s\D+$/, '');

/** The amounts of a price; `min` and `max` are null if unknown, and 0 is free. */
type Amounts = Pick<Price, 'is_free' | 'min' | 'max' | 'currency' | 'note'> &
  Partial<Pick<Price, 'visitors'>>;

/** Returns true if the note itself contains all amounts, or that admission is free. */
function containsPrice(note: string, { is_free, min, max }: Amounts, lang: Lang): boolean {
  if (is_free) return foldText(note).includes(foldText(t(lang, 'price.free')));
  const numbers = new Set(note.replace(/(?<=\d)[,\s](?=\d{3}\b)/g, '').match(/\d+(\.\d+)?/g));
  return [min, max].every((amount) => !amount || numbers.has(String(amount)));
}

/**
 * Formats a price: `Gratis`, `$95 MXN`, `Desde $350 MXN`, `De $350 a $900 MXN`, `Precio por
 * confirmar`; with an editor's note after the amounts, or alone if it contains them.
 */
export function formatPrice(price: Amounts, lang: Lang): string {
  const { note } = price;
  if (note === null) return formatAmounts(price, lang);
  if (containsPrice(note[lang], price, lang)) return note[lang];
  return t(lang, 'price.noted', { price: formatAmounts(price, lang), note: note[lang] });
}

/** Visitor groups by residence. The others, by age or card, get conditions in their notes. */
const RESIDENCES: readonly Visitor[] = ['national', 'resident', 'foreign'];

/**
 * Lists the visitors who enter free, by residence if they differ by it: `nacionales y residentes`,
 * `niñas y niños (menores de 13 años)`. The note follows the last group that has it.
 */
function formatFreeGroups(
  free: readonly Visitor[],
  visitors: readonly Admission[],
  lang: Lang,
): string {
  const residents = free.filter((visitor) => RESIDENCES.includes(visitor));
  const groups = (residents.length > 0 ? residents : free).map((visitor) => ({
    name: t(lang, `opening.visitor.${visitor}`),
    note: visitors.find((each) => each.visitor === visitor && each.amount === 0)?.note?.[lang],
  }));
  const names = groups.map(({ name, note }, index) =>
    note === undefined || note === groups[index + 1]?.note
      ? name
      : t(lang, 'opening.because', { sentence: name, reason: note }),
  );
  return formatList(names, lang);
}

/** Formats `gratis para nacionales y residentes`. */
const formatFreeFor = (
  free: readonly Visitor[],
  visitors: readonly Admission[],
  lang: Lang,
): string => t(lang, 'price.free_for', { visitors: formatFreeGroups(free, visitors, lang) });

/**
 * Formats the mark of an entry that is free for some visitors: `gratis para residentes`; null if
 * it is free for all or none of them.
 */
export const formatFreeMark = (
  free: readonly Visitor[],
  visitors: readonly Admission[],
  lang: Lang,
): string | null =>
  free.length === 0 || free.includes('everyone') ? null : formatFreeFor(free, visitors, lang);

/**
 * Formats prices by visitor if some enter free: `Gratis para nacionales y residentes; visitantes
 * $210 MXN`, or first the amounts if the free ones are children or hold a card.
 * @param free Visitors who enter free, not everyone.
 */
export function formatPartlyFree(
  free: readonly Visitor[],
  visitors: readonly Admission[],
  lang: Lang,
): string {
  const free_for = formatFreeFor(free, visitors, lang);
  const payers = visitors.filter(({ visitor }) => !free.includes(visitor));
  const [first] = payers;
  if (first === undefined) return capitalize(free_for);
  const amounts = payers.map(({ amount }) => amount);
  const [min, max] = [Math.min(...amounts), Math.max(...amounts)];
  const { currency } = first;
  const price = formatAmounts({ is_free: false, min, max, currency, note: null }, lang);
  if (!free.some((visitor) => RESIDENCES.includes(visitor)))
    return t(lang, 'price.partly_free', { first: price, others: free_for });
  const others = t(
    lang,
    payers.every(({ visitor }) => visitor === 'foreign') ? 'price.visitors' : 'price.others',
  );
  const others_pay = t(lang, 'price.others_pay', {
    others,
    price: price.charAt(0).toLocaleLowerCase(lang) + price.slice(1),
  });
  return t(lang, 'price.partly_free', { first: capitalize(free_for), others: others_pay });
}

/** Formats the amounts without the note. */
function formatAmounts(price: Amounts, lang: Lang): string {
  if (price.is_free) return t(lang, 'price.free');
  const { visitors = [] } = price;
  const free = listFreeVisitors(visitors);
  if (free.length > 0) return formatPartlyFree(free, visitors, lang);
  if (decidePriceKind(price) === 'unknown') return t(lang, 'price.unknown');
  const [min, max] = [price.min, price.max].map((n) =>
    n === null ? null : formatAmount(n, price.currency, lang),
  );
  if (min && max)
    return min === max ? min : t(lang, 'price.range', { min: withoutCurrency(min), max });
  if (min) return t(lang, 'price.from', { min });
  return max ? t(lang, 'price.up_to', { max }) : t(lang, 'price.unknown');
}

/** Formats the month of an outdated price: `marzo de 2026`; null if it is current. */
const formatPriceMonth = ({ as_of }: Price, lang: Lang): string | null =>
  as_of === null ? null : formatMonthAndYear(Temporal.PlainDate.from(as_of), lang);

/**
 * Formats the advice on an outdated price: `precio de marzo de 2026; confírmalo`, if any (contract
 * 6.10).
 */
export function formatPriceAdvice(price: Price, lang: Lang): string | null {
  const month = formatPriceMonth(price, lang);
  return month === null ? null : t(lang, 'price.confirm', { month });
}

/**
 * Formats the price after the label `Precio:`, so that an unknown one is only `por confirmar`. An
 * outdated price has its advice, `$95 MXN (precio de marzo de 2026; confírmalo)`; in lists only
 * `$95 MXN (de marzo de 2026)`.
 */
export function formatPriceWithAdvice(price: Price, lang: Lang, is_brief: boolean): string {
  const text = formatPrice(price, lang);
  const value = text === t(lang, 'price.unknown') ? t(lang, 'price.unknown_value') : text;
  const month = formatPriceMonth(price, lang);
  const advice =
    is_brief && month !== null ? t(lang, 'price.of', { month }) : formatPriceAdvice(price, lang);
  return advice === null ? value : `${value} (${advice})`;
}

/** Maximum characters of a short price. */
const MAX_SHORT_LENGTH = 26;

/** Ends of clauses in a note; punctuation between digits is part of a number. */
const CLAUSE_SEPARATOR = /[;(]|[,.:](?!\d)/;
const FREE_PATTERN = /\b(?:gratis|gratuit[oa]s?|libre|free)\b/i;

/**
 * Shortens a note to its first clause (`De paga` from `De paga; pregunta …`) or, if entry is free,
 * the paid part; truncated.
 */
function shortenNote(note: string, min: number | null): string {
  const clauses = note.split(CLAUSE_SEPARATOR).map((clause) => clause.trim());
  const paid = min === 0 ? clauses.find((clause) => !FREE_PATTERN.test(clause)) : null;
  const text = capitalize(paid || clauses[0] || note);
  if (text.length <= MAX_SHORT_LENGTH) return text;
  return `${text.slice(0, MAX_SHORT_LENGTH).replace(/\s+\S*$/, '')}…`;
}

/**
 * Returns true if the price is free or has an amount above 0. A minimum of 0 without a maximum is
 * free entry to a place where visitors pay for food and drinks, which is not a known price.
 */
export const isPriceKnown = (price: Price): boolean => decidePriceKind(price) !== 'unknown';

/**
 * Formats a short price for lists: the amounts or, if they are unknown, a clause of the editor's
 * note.
 */
export function formatShortPrice(price: Price, lang: Lang): string {
  const { min, max, currency, note } = price;
  if (!price.is_free && listFreeVisitorsOf(price).length > 0) return formatAmounts(price, lang);
  if (!isPriceKnown(price) && note) return shortenNote(note[lang], min);
  if (!price.is_free && min !== null && max !== null && min !== max) {
    const highest = formatAmount(max, currency, lang);
    if (min === 0) return t(lang, 'price.span', { min: t(lang, 'price.free'), max: highest });
    // `$430` and `1,350 MXN`: only the first amount has the sign.
    const minimum = withoutCurrency(formatAmount(min, currency, lang));
    return t(lang, 'price.span', { min: minimum, max: highest.replace(/^\D+/, '') });
  }
  return formatAmounts(price, lang);
}
