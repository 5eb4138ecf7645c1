// A price in words (decisions, Resources 6): always a readable phrase in the asked language.
import type { Price } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { t } from './translate.ts';

/** Made once: a formatter costs as much as a whole event's JSON. */
const FORMATS = new Map<number, Intl.NumberFormat>();

function toFormat(digits: number): Intl.NumberFormat {
  const format =
    FORMATS.get(digits) ??
    new Intl.NumberFormat('es-MX', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  FORMATS.set(digits, format);
  return format;
}

const toAmount = (amount: number, currency: string): string => {
  const number = toFormat(Number.isInteger(amount) ? 0 : 2).format(amount);
  return currency === 'MXN' || currency === 'USD'
    ? `$${number} ${currency}`
    : `${number} ${currency}`;
};

/**
 * `Gratis`, `$95 MXN`, `Desde $350 MXN`, `$350 MXN a $900 MXN`, `Consultar`; an editor's note wins.
 */
export function toPriceText(price: Price, lang: Lang): string {
  if (price.note) return price.note[lang];
  if (price.is_free) return t(lang, 'price.free');
  const [min, max] = [price.min, price.max].map((n) =>
    n === null ? null : toAmount(n, price.currency),
  );
  if (min && max) return min === max ? min : t(lang, 'price.range', { min, max });
  if (min) return t(lang, 'price.from', { min });
  return max ? t(lang, 'price.up_to', { max }) : t(lang, 'price.unknown');
}
