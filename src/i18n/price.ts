// A price in words (contract 4.7): always a readable phrase in the language of the reader.
import type { Price } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { t, toLocale } from './translate.ts';

/** Made once for each language and number of decimals: one costs as much as a whole event's JSON. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function toFormat(lang: Lang, digits: number): Intl.NumberFormat {
  const key = `${lang} ${digits}`;
  const format =
    FORMATS.get(key) ??
    new Intl.NumberFormat(toLocale(lang), {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  FORMATS.set(key, format);
  return format;
}

/** A whole number as the language writes it: `1,200`. */
export const toNumberText = (number: number, lang: Lang): string =>
  toFormat(lang, 0).format(number);

const toAmount = (amount: number, currency: string, lang: Lang): string => {
  const number = toFormat(lang, Number.isInteger(amount) ? 0 : 2).format(amount);
  return currency === 'MXN' || currency === 'USD'
    ? `$${number} ${currency}`
    : `${number} ${currency}`;
};

/**
 * `Gratis`, `$95 MXN`, `Desde $350 MXN`, `de $350 MXN a $900 MXN`, `Precio por confirmar`; an
 * editor's note wins.
 */
export function toPriceText(price: Price, lang: Lang): string {
  if (price.note) return price.note[lang];
  if (price.is_free) return t(lang, 'price.free');
  const [min, max] = [price.min, price.max].map((n) =>
    n === null ? null : toAmount(n, price.currency, lang),
  );
  if (min && max) return min === max ? min : t(lang, 'price.range', { min, max });
  if (min) return t(lang, 'price.from', { min });
  return max ? t(lang, 'price.up_to', { max }) : t(lang, 'price.unknown');
}

/** The same beside the label `Precio:`, which is not said twice: `por confirmar`. */
export function toPriceValue(price: Price, lang: Lang): string {
  const text = toPriceText(price, lang);
  return text === t(lang, 'price.unknown') ? t(lang, 'price.unknown_value') : text;
}
