// A price in words (contract 4.7): always a readable phrase in the language of the reader.
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../town.ts';
import type { Price } from '../domain/event/event.ts';
import { foldText } from '../domain/text-folding.ts';
import type { Lang } from '../domain/lang.ts';
import { formatMonthAndYear } from './format-dates.ts';
import { capitalize, t, localeOf } from './translate.ts';

/** Made once for each language, number of decimals and currency: one costs as much as a whole event's JSON. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function toFormat(lang: Lang, digits: number, currency?: string): Intl.NumberFormat {
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

/** A whole number as the language writes it: `1,200`. */
export const formatNumber = (number: number, lang: Lang): string =>
  toFormat(lang, 0).format(number);

/** The sign of money that is written here: `$`. */
const toSign = (currency: string, lang: Lang): string =>
  toFormat(lang, 0, currency)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? '';

/** `$150 MXN`; of the town's own money `€15`, `15 €` or `$15`, where no other has that sign, or it is dollars. */
const toAmount = (amount: number, currency: string, lang: Lang): string => {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const is_own = currency === TOWN.currency.code;
  const sign = is_own || currency === 'USD' ? toSign(currency, lang) : '';
  return is_own && (sign !== '$' || currency === 'USD')
    ? toFormat(lang, digits, currency).format(amount)
    : `${sign}${toFormat(lang, digits).format(amount)} ${currency}`;
};

/** `$200`, as it was asked for, where nobody takes it for other money. */
export const formatFilterAmount = (amount: number, lang: Lang): string =>
  toAmount(0, TOWN.currency.code, lang)
    .replace('0', `${amount}`)
    .replace(` ${TOWN.currency.code}`, '');

/** `$350`, `15`, where what stands behind it stands behind another amount. */
const withoutCurrency = (amount: string): string => amount.replace(/\s\D+$/, '');

type Amounts = Pick<Price, 'is_free' | 'min' | 'max' | 'currency' | 'note'>;

/** Whether a note says each amount itself, or that it is free. */
function isSaidIn(note: string, { is_free, min, max }: Amounts, lang: Lang): boolean {
  if (is_free) return foldText(note).includes(foldText(t(lang, 'price.free')));
  const said = new Set(note.replace(/(?<=\d)[,\s](?=\d{3}\b)/g, '').match(/\d+(\.\d+)?/g));
  return [min, max].every((amount) => !amount || said.has(String(amount)));
}

/**
 * `Gratis`, `$95 MXN`, `Desde $350 MXN`, `De $350 a $900 MXN`, `Precio por confirmar`; with an
 * editor's note behind the amounts, or alone where it says them.
 */
export function formatPrice(price: Amounts, lang: Lang): string {
  const { note } = price;
  if (note === null) return toAmountsText(price, lang);
  if (isSaidIn(note[lang], price, lang)) return note[lang];
  return t(lang, 'price.noted', { price: toAmountsText(price, lang), note: note[lang] });
}

function toAmountsText(price: Amounts, lang: Lang): string {
  if (price.is_free) return t(lang, 'price.free');
  const [min, max] = [price.min, price.max].map((n) =>
    n === null ? null : toAmount(n, price.currency, lang),
  );
  if (min && max)
    return min === max ? min : t(lang, 'price.range', { min: withoutCurrency(min), max });
  if (min) return t(lang, 'price.from', { min });
  return max ? t(lang, 'price.up_to', { max }) : t(lang, 'price.unknown');
}

/** `marzo de 2026`; null where the price is not an older one. */
const toMonth = ({ as_of }: Price, lang: Lang): string | null =>
  as_of === null ? null : formatMonthAndYear(Temporal.PlainDate.from(as_of), lang);

/** `precio de marzo de 2026; confírmalo`; null where nothing is to be checked (contract 6.10). */
export function formatPriceAdvice(price: Price, lang: Lang): string | null {
  const month = toMonth(price, lang);
  return month === null ? null : t(lang, 'price.confirm', { month });
}

/**
 * The price beside the label `Precio:`, which is not said twice: `por confirmar`. With what to check,
 * `$95 MXN (precio de marzo de 2026; confírmalo)`; in a list only `$95 MXN (de marzo de 2026)`.
 */
export function formatPriceWithAdvice(price: Price, lang: Lang, is_brief: boolean): string {
  const text = formatPrice(price, lang);
  const value = text === t(lang, 'price.unknown') ? t(lang, 'price.unknown_value') : text;
  const month = toMonth(price, lang);
  const doubt =
    is_brief && month !== null ? t(lang, 'price.of', { month }) : formatPriceAdvice(price, lang);
  return doubt === null ? value : `${value} (${doubt})`;
}

const MAX_SHORT = 26;

/** Clauses of a note; a mark between figures is part of a number. */
const BETWEEN_CLAUSES = /[;(]|[,.:](?!\d)/;
const FREE_WORDS = /\b(?:gratis|gratuit[oa]s?|libre|free)\b/i;

/** `De paga` of `De paga; pregunta …`; where entry is free, what is paid for. Cut where long. */
function toShortNote(note: string, min: number | null): string {
  const clauses = note.split(BETWEEN_CLAUSES).map((clause) => clause.trim());
  const paid = min === 0 ? clauses.find((clause) => !FREE_WORDS.test(clause)) : null;
  const told = paid || clauses[0] || note;
  const words = capitalize(told);
  if (words.length <= MAX_SHORT) return words;
  return `${words.slice(0, MAX_SHORT).replace(/\s+\S*$/, '')}…`;
}

/** Whether an amount, or that it is free, says the price: no amount says what is free but for what is consumed. */
export const isPriceKnown = ({ is_free, min, max }: Price): boolean =>
  is_free || max !== null || (min !== null && min > 0);

/** The price where there is room for little: the amounts, or a clause of an editor's note. */
export function formatShortPrice(price: Price, lang: Lang): string {
  const { min, max, currency, note } = price;
  if (!isPriceKnown(price) && note) return toShortNote(note[lang], min);
  const lowest = isFreeForLocals(price) ? 0 : min;
  if (!price.is_free && lowest !== null && max !== null && lowest !== max) {
    const most = toAmount(max, currency, lang);
    if (lowest === 0) return t(lang, 'price.span', { min: t(lang, 'price.free'), max: most });
    // `$430` and `1,350 MXN`: the sign of both stands before the first.
    const least = withoutCurrency(toAmount(lowest, currency, lang));
    return t(lang, 'price.span', { min: least, max: most.replace(/^\D+/, '') });
  }
  return toAmountsText(price, lang);
}

/** Whether those who live here enter free, so that what the others pay is half of the price. */
const isFreeForLocals = ({ visitors }: Price): boolean =>
  visitors.some(
    ({ visitor, amount }) => amount === 0 && (visitor === 'national' || visitor === 'resident'),
  );
