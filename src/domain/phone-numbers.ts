// Phone numbers: find the numbers in plain text that a visitor may call, written as in the town's
// country or internationally.
import { findPhoneNumbersInText, isSupportedCountry } from 'libphonenumber-js/min';
import { TOWN } from '../town.ts';

/** A part of a text; `phone` is its number as in `+529988984510`, or null for words. */
export interface TextPart {
  readonly text: string;
  readonly phone: string | null;
}

/** The end of a text after which digits belong to an address, a code or a word. */
const NO_PHONE_BEFORE_PATTERN = /(?:[=#_\p{L}]|[^\d\s]\/)$/u;
/**
 * Dates, which are valid numbers in countries with eight digits: `2026-11-29`, `20.11.2026`,
 * `2025-2026`, `20261129`.
 */
const DATE_PATTERN =
  /^(?:\d{1,2}[ .-]\d{1,2}[ .-](?:19|20)\d\d|(?:19|20)\d\d(?:[ .-]?\d\d[ .-]?\d\d))(?!\d)/;

/** Without it, only international numbers are found. */
const COUNTRY = isSupportedCountry(TOWN.country) ? TOWN.country : undefined;

/** Splits a text at its phone numbers; the parts joined are the text. */
export function splitAtPhones(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of findPhoneNumbersInText(text, COUNTRY)) {
    const before = text.slice(end, match.startsAt);
    const written = text.slice(match.startsAt, match.endsAt);
    if (NO_PHONE_BEFORE_PATTERN.test(before) || DATE_PATTERN.test(written)) continue;
    parts.push({ text: before, phone: null }, { text: written, phone: match.number.number });
    end = match.endsAt;
  }
  return [...parts, { text: text.slice(end), phone: null }].filter((part) => part.text !== '');
}
