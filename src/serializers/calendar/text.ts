// Values of type TEXT and of quoted parameters in iCalendar (RFC 5545 sections 3.3.11 and 3.2, RFC
// 6868).
import { toPlainText } from '../plain-text.ts';

/** A TEXT value: invisible characters gone, backslash, semicolon, comma and line ends escaped. */
export function toTextValue(text: string): string {
  return toPlainText(text)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** A parameter value in quotes; what may not stand there is written as RFC 6868 says. */
export function toQuoted(text: string): string {
  return `"${toPlainText(text).replaceAll('^', '^^').replaceAll('"', "^'").replaceAll('\n', '^n')}"`;
}

/**
 * An address as URI value: percent-encoded, so that it holds no space, quote or line end. Throws
 * for what is no address.
 */
export const toUriValue = (url: string): string => new URL(url).href;
