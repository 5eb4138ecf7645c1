// Content lines of iCalendar and the values in them: text, quoted parameters, addresses, moments
// and days (RFC 5545 sections 3.1, 3.2 and 3.3; RFC 6868).
import { Temporal } from 'temporal-polyfill';
import { toPlainText } from '../plain-text.ts';

/** Octets in a line, without its CRLF; a continuation's leading space counts. */
const MAX_OCTETS = 75;

/** The line with its CRLF, folded where it is longer than 75 octets; no character is cut. */
export function foldLine(line: string): string {
  if (line.length * 3 <= MAX_OCTETS || Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`;
  let folded = '';
  let start = 0;
  let octets = 0;
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + size > MAX_OCTETS) {
      folded += `${line.slice(start, at)}\r\n `;
      start = at;
      octets = 1;
    }
    octets += size;
    at += code > 0xffff ? 2 : 1;
  }
  return `${folded}${line.slice(start)}\r\n`;
}

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

/** `20261121`: the local day of a timestamp that carries Cancún's offset. */
export const toDateStamp = (timestamp: string): string =>
  `${timestamp.slice(0, 4)}${timestamp.slice(5, 7)}${timestamp.slice(8, 10)}`;

/** `20261121T200000`: local Cancún time of a timestamp that carries Cancún's offset. */
export const toLocalStamp = (timestamp: string): string =>
  `${toDateStamp(timestamp)}T${timestamp.slice(11, 13)}${timestamp.slice(14, 16)}${timestamp.slice(17, 19)}`;

/** `20261122T010000Z`: the same instant in UTC. */
export const toUtcStamp = (timestamp: string): string =>
  `${toLocalStamp(Temporal.Instant.from(timestamp).toString({ smallestUnit: 'second' }))}Z`;
