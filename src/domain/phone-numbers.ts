// Phone numbers: find the numbers in plain text that a visitor may call, in the formats of any
// country.

/** A part of a text; `phone` is its number as written, or null for words. */
export interface TextPart {
  readonly text: string;
  readonly phone: string | null;
}

/**
 * Groups of digits with one separator between them, not inside a word, an amount, a date or an
 * address.
 */
const CANDIDATE_PATTERN =
  /(?<![\p{L}\d_$€£¥@#=/.,:-]|[$€£¥]\s|\d\s)(?:\+\d{1,3}[ .-]?(?:\d[ .-])?)?(?:\(\d{1,4}\)[ .-]?)?\d{2,}(?:[ .-]\d{2,})*(?![\p{L}\d_@=:]|[.,-]\d|\s?[%$€£¥°])/gu;
/** Digits of a number; E.164 allows 15. Shorter local ones are indistinguishable from amounts. */
const DIGITS = { min: 8, max: 15 } as const;
/** Minimum digits without any separator. */
const MIN_UNSEPARATED_DIGITS = 9;
/** Days and ranges of years or days: `2026-11-29`, `20.11.2026`, `2025-2026`, `20261129`. */
const DATE_PATTERN =
  /^(?:(?:19|20)\d\d[ .-]\d\d[ .-]\d\d|\d\d[ .-]\d\d[ .-](?:19|20)\d\d|(?:(?:19|20)\d\d[ .-]?)+|(?:19|20)\d{6})$/;
/** Amounts with thousands: `12 500 000`, `1.200.000.000`. */
const AMOUNT_PATTERN = /^\d{1,3}(?:[ .]\d{3})*[ .]000$/;

function isPhone(candidate: string): boolean {
  const { length } = candidate.replace(/\D/g, '');
  const min = /^\d+$/.test(candidate) ? MIN_UNSEPARATED_DIGITS : DIGITS.min;
  return (
    length >= min &&
    length <= DIGITS.max &&
    !DATE_PATTERN.test(candidate) &&
    !AMOUNT_PATTERN.test(candidate)
  );
}

/** Splits a text at its phone numbers; the parts joined are the text. */
export function splitAtPhones(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: phone, index } of text.matchAll(CANDIDATE_PATTERN)) {
    if (!isPhone(phone)) continue;
    parts.push({ text: text.slice(end, index), phone: null }, { text: phone, phone });
    end = index + phone.length;
  }
  return [...parts, { text: text.slice(end), phone: null }].filter((part) => part.text !== '');
}
