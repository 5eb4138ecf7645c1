// Decoding: converts the bytes of external files in any encoding, even a wrongly declared one, to text. A
// wrong byte damages no other text of the file.

/** Charset that `label` names, in lower case; null if TextDecoder does not know it. */
function findCharset(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}

/** Finds UTF-16 by its byte order mark, or by the zero byte of an ASCII letter at the beginning. */
function findUtf16([first = 1, second = 1]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first > 1 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second > 1) ? 'utf-16be' : null;
}

/** A character in UTF-8 of more than one byte, or any other byte beyond ASCII. */
const UTF8_PATTERN =
  /((?:[\xc2-\xdf]|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|\xf0[\x90-\xbf][\x80-\xbf]|[\xf1-\xf3][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf])[\x80-\xbf])|[\x80-\xff]/g;
const windows_1252 = new TextDecoder('windows-1252');

/**
 * Decodes a text of bytes (one character per byte) as UTF-8, and bytes that are not UTF-8 as
 * Windows-1252.
 */
export const decodeByteText = (text: string): string =>
  text.replace(UTF8_PATTERN, (bytes: string, character: string | undefined) =>
    character === undefined
      ? windows_1252.decode(Buffer.from(bytes, 'latin1'))
      : Buffer.from(bytes, 'latin1').toString('utf8'),
  );

/**
 * Decodes a text of bytes by a charset. Text that is UTF-8 is never decoded by another one: servers
 * and templates often name a wrong charset.
 */
export function decodeByteTextAs(text: string, label: string | undefined): string {
  const charset = findCharset(label) ?? 'utf-8';
  if (charset === 'utf-8' || isUtf8(text)) return decodeByteText(text);
  return new TextDecoder(charset).decode(Buffer.from(text, 'latin1'));
}

function isUtf8(text: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Converts the bytes of a calendar to a text with one character per byte, in UTF-8: lines must be
 * joined before they are decoded, because programs fold them within a letter.
 */
export function readAsByteText(bytes: Uint8Array): string {
  const utf16 = findUtf16(bytes);
  const utf8 = utf16 === null ? bytes : Buffer.from(new TextDecoder(utf16).decode(bytes));
  return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString('latin1');
}

/** Bytes in which a page or an XML file declares its charset. */
const MAX_DECLARATION_BYTES = 4_096;
const META_PATTERN = /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i;
const XML_PATTERN = /^\s{0,99}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})/i;

/**
 * Decodes a page or an XML file by its byte order mark, else by its declaration, else as UTF-8.
 * Never throws.
 */
export function decodeMarkup(bytes: Uint8Array): string {
  const utf16 = findUtf16(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  const text = readAsByteText(bytes);
  if (text.startsWith('\xef\xbb\xbf')) return decodeByteText(text.slice(3));
  const head = text.slice(0, MAX_DECLARATION_BYTES).replace(/<!--.{0,4096}?(?:-->|$)/gs, '');
  const [, label] = XML_PATTERN.exec(head) ?? META_PATTERN.exec(head) ?? [];
  // A declaration that can be read as ASCII is not UTF-16 (HTML standard, 13.2.3.2).
  return decodeByteTextAs(text, label?.toLowerCase().startsWith('utf-16') ? undefined : label);
}

/**
 * Converts the body of a response to UTF-8 with a byte order mark if its header names a charset,
 * which takes precedence over any declaration in the body.
 */
export function applyHeaderCharset(bytes: Buffer, content_type: string | null): Buffer {
  const [, label] = /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(content_type ?? '') ?? [];
  if (findCharset(label) === null || findUtf16(bytes) !== null) return bytes;
  return Buffer.from(
    `\ufeff${decodeByteTextAs(readAsByteText(bytes), label).replace(/^\ufeff/, '')}`,
  );
}

/** Letters of a UTF-8 text that was decoded as Windows-1252, encoded letters, or a lost letter. */
const GARBLED_PATTERN =
  /\ufffd|[ÂÃ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|â€|=C3=[89AB][0-9A-F]/;

/** Returns true if a text was decoded wrongly, here or by its sender. */
export const isGarbled = (text: string): boolean => GARBLED_PATTERN.test(text);

/**
 * Returns true if `text` differs from `original` only by letters that were decoded wrongly.
 */
export const isGarbledCopy = (text: string, original: string): boolean =>
  isGarbled(text) && !isGarbled(original) && maskLetters(text) === maskLetters(original);

const maskLetters = (text: string): string =>
  text.replaceAll(/(?:[^ -~\s]|\u00a0|=[0-9A-F]{2})+/g, '?');
