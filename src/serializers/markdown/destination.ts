// How a link's address is written: as it is, for readers that know nothing of Markdown's escapes.
// Pure.
import type { Link } from 'mdast';

/** An absolute address that may stand between angle brackets (CommonMark 6.5). */
const AUTOLINK = /^[a-z][a-z\d+.-]{1,31}:[^\p{Cc} <>]*$/iu;

/** Whether the words of a link are its address, so that `<https://…>` says both. */
export const isBare = ({ url, children: [first, second] }: Link): boolean =>
  second === undefined && first?.type === 'text' && first.value === url && AUTOLINK.test(url);

/**
 * A destination in round brackets (CommonMark 6.3): brackets and backslashes escaped, and of
 * ampersands only one that begins what reads as an entity. The serializer's own way escapes each
 * `&` before a letter: valid, but a broken address to plain readers.
 */
export const toDestination = (url: string): string =>
  url.replace(/[\p{Cc} <>]/gu, encodeURIComponent).replace(/[\\()]|&(?=#?\w+;)/g, '\\$&');
