// iCalendar lines: splits a file into blocks of unfolded lines (RFC 5545, 3.1), which it decodes one
// by one. Tolerates wrong encodings, folds and line ends, because ical.js rejects a whole file for
// one invalid line.
import { decodeByteText, decodeByteTextAs } from './decode-text.ts';

/** One unfolded line; `line` is its number in the file, from 1. */
export interface IcsLine {
  readonly line: number;
  readonly name: string;
  /** Names in upper case, values without quotes. */
  readonly params: ReadonlyMap<string, string>;
  readonly value: string;
}

/** A VCALENDAR of the file. */
interface IcsCalendar {
  /** Its METHOD and CALSCALE, and other properties. */
  readonly lines: IcsLine[];
}

/** An event or a time zone in the file. */
export interface IcsBlock {
  readonly kind: 'VEVENT' | 'VTIMEZONE';
  readonly calendar: IcsCalendar;
  /** Number of its BEGIN line, from 1. */
  readonly line: number;
  readonly lines: IcsLine[];
  /** Numbers of the lines that are neither a property nor the continuation of one. */
  readonly skipped: number[];
  /** True if the block ends with its END line. */
  readonly is_closed: boolean;
}

/** Finds the first property with this name and a value. */
export const findIcsLine = (lines: readonly IcsLine[], name: string): IcsLine | undefined =>
  lines.find((line) => line.name === name && line.value !== '');

/** Returns the value of the first property with this name, or an empty string. */
export const icsValue = (lines: readonly IcsLine[], name: string): string =>
  findIcsLine(lines, name)?.value ?? '';

/**
 * Splits a text of bytes into blocks and the lines outside of them. A block without an END line
 * ends at the next block. `is_whole` is false if the text ends within a calendar.
 */
export function splitIcsBlocks(byte_text: string) {
  const [lines, blocks]: [IcsLine[], IcsBlock[]] = [[], []];
  let calendar: IcsCalendar = { lines };
  let has_calendar = false;
  let is_whole = true;
  let open_block: IcsBlock | null = null;
  /** Depth of inner components: alarms of an event, which are ignored, and rules of a time zone. */
  let depth = 0;
  for (const raw of unfold(byte_text)) {
    const line = parseLine(raw.line, raw.text);
    const value = line?.value.toUpperCase() ?? '';
    if (line?.name === 'BEGIN' && value === 'VCALENDAR') {
      has_calendar = true;
      is_whole = false;
      calendar = { lines: [] };
    } else if (line?.name === 'BEGIN' && (value === 'VEVENT' || value === 'VTIMEZONE')) {
      if (open_block !== null) blocks.push(open_block);
      const { line: number } = raw;
      const empty = { lines: [], skipped: [], is_closed: false };
      open_block = { kind: value, calendar, line: number, ...empty };
      is_whole = false;
      depth = 0;
    } else if (line?.name === 'END' && value === 'VCALENDAR') {
      if (open_block !== null) blocks.push(open_block);
      open_block = null;
      is_whole = true;
    } else if (open_block === null) {
      if (line !== null) for (const list of new Set([lines, calendar.lines])) list.push(line);
    } else if (line?.name === 'BEGIN') depth += 1;
    else if (line?.name === 'END' && value === open_block.kind) {
      blocks.push({ ...open_block, is_closed: true });
      open_block = null;
    } else if (line?.name === 'END') depth = Math.max(0, depth - 1);
    else if (depth > 0 && open_block.kind === 'VEVENT') continue;
    else if (line === null) open_block.skipped.push(raw.line);
    else open_block.lines.push(line);
  }
  if (open_block !== null) blocks.push(open_block);
  return { has_calendar, is_whole, lines, blocks };
}

/** Property names (RFC 5545, RFC 7986); any other word before a colon may be part of a text. */
const PROPERTY_NAMES: ReadonlySet<string> = new Set(
  `BEGIN END VERSION PRODID CALSCALE METHOD NAME COLOR IMAGE SOURCE REFRESH-INTERVAL CONFERENCE UID
  DTSTAMP DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID SUMMARY DESCRIPTION LOCATION
  URL CATEGORIES STATUS CLASS TRANSP SEQUENCE PRIORITY CREATED LAST-MODIFIED ORGANIZER ATTENDEE CONTACT
  COMMENT ATTACH GEO RESOURCES RELATED-TO REQUEST-STATUS TZID TZNAME TZURL TZOFFSETFROM TZOFFSETTO
  ACTION TRIGGER REPEAT ACKNOWLEDGED`.split(/\s+/),
);
const isProperty = (text: string): boolean => {
  const name = /^([A-Za-z][A-Za-z0-9-]*)[;:]/.exec(text)?.[1]?.toUpperCase() ?? '';
  // Some programs write only the name on a line and fold the rest.
  return PROPERTY_NAMES.has(name) || name.startsWith('X-') || PROPERTY_NAMES.has(text.trimEnd());
};
/** Text properties, which people break into lines without folding. */
const isTextProperty = (text: string): boolean =>
  /^(DESCRIPTION|SUMMARY|LOCATION|COMMENT)\b/i.test(text);

/** Property in quoted-printable, which continues after a `=` at the end of a line (RFC 2045, 6.7). */
const isQuotedPrintable = (text: string): boolean =>
  /^[^:]{1,200};(?:ENCODING=)?"?QUOTED-PRINTABLE\b/i.test(text);

/**
 * Unfolds lines. A line that does not begin like a property continues the text property before it.
 */
function unfold(byte_text: string): readonly { readonly line: number; readonly text: string }[] {
  const unfolded: { line: number; parts: string[]; is_text: boolean; is_quoted: boolean }[] = [];
  // vCalendar 1.0 keeps the space of a folded line.
  const keeps_space = /^VERSION:1\.0/im.test(byte_text.slice(0, 1_000));
  for (const [index, with_mark] of byte_text.split(/\r\n|\n|\r/).entries()) {
    // A byte order mark, also of a calendar that was appended to another one.
    const raw = with_mark.startsWith('\xef\xbb\xbf') ? with_mark.slice(3) : with_mark;
    const previous = unfolded.at(-1);
    const last_part = previous?.parts.at(-1);
    if (previous?.is_quoted && last_part?.endsWith('=') && !isProperty(raw)) {
      const rest = keeps_space ? raw : raw.replace(/^[ \t]/, '');
      previous.parts.splice(-1, 1, last_part.slice(0, -1), rest);
    } else if (previous !== undefined && /^[ \t]/.test(raw)) {
      previous.parts.push(raw.slice(1));
      // Some programs fold within the name of the property.
      if (previous.parts.length < 16) {
        const start = previous.parts.join('');
        previous.is_text ||= isTextProperty(start);
        previous.is_quoted ||= isQuotedPrintable(start);
      }
    } else if (raw.trim() === '') continue;
    else if (previous?.is_text && !isProperty(raw)) previous.parts.push(`\\n${raw}`);
    else
      unfolded.push({
        line: index + 1,
        parts: [raw],
        is_text: isTextProperty(raw),
        is_quoted: isQuotedPrintable(raw),
      });
  }
  return unfolded.map(({ line, parts }) => ({ line, text: parts.join('') }));
}

/** A parameter of a property, with its name and its values: `;TZID="Europe/Madrid"`. */
const PARAM_PATTERN = /^;([^=;:"]+)(?:=((?:"[^"]*"|[^;:,"]*)(?:,(?:"[^"]*"|[^;:,"]*))*))?/;

/** More parameters than any property has; a line with more is invalid. */
const MAX_PARAMS = 50;

/** Properties with times. Their values have no colon before the day. */
const TIME_NAMES: ReadonlySet<string> = new Set([
  'DTSTART',
  'DTEND',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
]);
/** Longer lines with times are not repaired. */
const MAX_TIME_LINE = 2_000;
/** The value of a property with times, after parameters with unquoted colons. */
const TIME_VALUE_PATTERN = /:(\d{4}-?\d\d-?\d\d(?:[T ,/].*)?)$/i;

/**
 * Parses a line of bytes as a property; retries without quotes if they are misplaced.
 * @returns null if it is invalid.
 */
function parseLine(line: number, byte_text: string): IcsLine | null {
  const [, name = '', rest = ''] = /^([A-Za-z][A-Za-z0-9-]*)(.*)$/s.exec(byte_text) ?? [];
  const params = new Map<string, string>();
  let remainder = rest;
  for (let count = 0; count < MAX_PARAMS; count++) {
    const [param = '', param_name = '', value] = PARAM_PATTERN.exec(remainder) ?? [];
    if (param === '') break;
    // vCalendar 1.0 omits `ENCODING=`.
    if (value === undefined) params.set('ENCODING', param_name);
    else params.set(param_name.toUpperCase(), decodeByteText(value.replaceAll('"', '')));
    remainder = remainder.slice(param.length);
  }
  const property = { line, name: name.toUpperCase(), params };
  if (TIME_NAMES.has(property.name) && !/^:\s{0,9}\d{4}-?\d\d-?\d\d/.test(remainder)) {
    const repaired = parseUnquotedTime(rest);
    if (repaired !== null) return { ...property, ...repaired };
  }
  if (name !== '' && remainder.startsWith(':'))
    return { ...property, value: decodeValue(remainder.slice(1), params).trim() };
  return byte_text.includes('"') ? parseLine(line, byte_text.replaceAll('"', '')) : null;
}

/** Decodes quoted-printable and the charset of a value. */
function decodeValue(value: string, params: IcsLine['params']): string {
  if (params.get('ENCODING')?.toUpperCase() !== 'QUOTED-PRINTABLE')
    return decodeByteTextAs(value, params.get('CHARSET'));
  const bytes = value.replace(/=([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decodeByteTextAs(bytes, params.get('CHARSET'));
}

/** Parses `;TZID=GMT-06:00:20261212T190000`, whose colon should be quoted. */
function parseUnquotedTime(quoted: string): Pick<IcsLine, 'params' | 'value'> | null {
  if (quoted.length > MAX_TIME_LINE) return null;
  const rest = quoted.replaceAll('"', '');
  const [, value] = TIME_VALUE_PATTERN.exec(rest) ?? [];
  if (value === undefined) return null;
  const params = rest.slice(1, -value.length - 1).split(';');
  const pairs = params.map((param) => param.split('=', 2));
  const named = pairs.map(([name = '', text = '']) => [name.toUpperCase(), text] as const);
  return { params: new Map(named), value };
}
