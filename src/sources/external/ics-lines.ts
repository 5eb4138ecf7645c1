// iCalendar lines: decodes and splits a file into blocks of unfolded lines (RFC 5545, 3.1).
// Tolerates wrong encodings, folds and line ends, because ical.js rejects a whole file for one
// invalid line.

/** One unfolded line; `line` is its number in the file, from 1. */
export interface IcsLine {
  readonly line: number;
  readonly name: string;
  /** Names in upper case, values without quotes. */
  readonly params: ReadonlyMap<string, string>;
  readonly value: string;
}

/** An event or a time zone in the file. */
export interface IcsBlock {
  readonly kind: 'VEVENT' | 'VTIMEZONE';
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
 * Decodes bytes as UTF-8, UTF-16 (by its byte order mark) or otherwise Windows-1252. Never throws.
 */
export function decodeBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Splits a text into blocks and the lines outside of them. A block without an END line ends at the
 * next block.
 */
export function splitIcsBlocks(text: string) {
  const [lines, blocks]: [IcsLine[], IcsBlock[]] = [[], []];
  let has_calendar = false;
  let open_block: IcsBlock | null = null;
  /** Depth of inner components: alarms of an event, which are ignored, and rules of a time zone. */
  let depth = 0;
  for (const raw of unfold(text.replace(/^\ufeff/, ''))) {
    const line = parseLine(raw.line, raw.text);
    const value = line?.value.toUpperCase() ?? '';
    if (line?.name === 'BEGIN' && value === 'VCALENDAR') has_calendar = true;
    else if (line?.name === 'BEGIN' && (value === 'VEVENT' || value === 'VTIMEZONE')) {
      if (open_block !== null) blocks.push(open_block);
      open_block = { kind: value, line: raw.line, lines: [], skipped: [], is_closed: false };
      depth = 0;
    } else if (open_block === null) {
      if (line !== null) lines.push(line);
    } else if (line?.name === 'BEGIN') depth += 1;
    else if (line?.name === 'END' && (value === open_block.kind || value === 'VCALENDAR')) {
      blocks.push({ ...open_block, is_closed: value === open_block.kind });
      open_block = null;
    } else if (line?.name === 'END') depth = Math.max(0, depth - 1);
    else if (depth > 0 && open_block.kind === 'VEVENT') continue;
    else if (line === null) open_block.skipped.push(raw.line);
    else open_block.lines.push(line);
  }
  if (open_block !== null) blocks.push(open_block);
  return { has_calendar, lines, blocks };
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

/**
 * Unfolds lines. A line that does not begin like a property continues the text property before it.
 */
function unfold(text: string): readonly { readonly line: number; readonly text: string }[] {
  const unfolded: { line: number; parts: string[]; is_text: boolean }[] = [];
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const previous = unfolded.at(-1);
    if (previous !== undefined && /^[ \t]/.test(raw)) {
      previous.parts.push(raw.slice(1));
      // Some programs fold within the name of the property.
      previous.is_text ||= previous.parts.length < 16 && isTextProperty(previous.parts.join(''));
    } else if (raw.trim() === '') continue;
    else if (previous?.is_text && !isProperty(raw)) previous.parts.push(`\\n${raw}`);
    else unfolded.push({ line: index + 1, parts: [raw], is_text: isTextProperty(raw) });
  }
  return unfolded.map(({ line, parts }) => ({ line, text: parts.join('') }));
}

/** A parameter of a property, with its name and first value: `;TZID="Europe/Madrid"`. */
const PARAM_PATTERN = /^;([^=;:"]+)=("[^"]*"|[^;:,"]*)(?:,(?:"[^"]*"|[^;:,"]*))*/;

/** More parameters than any property has; a line with more is invalid. */
const MAX_PARAMS = 50;

/**
 * Parses a line as a property; retries without quotes if they are misplaced.
 * @returns null if it is invalid.
 */
function parseLine(line: number, text: string): IcsLine | null {
  const [, name = '', rest = ''] = /^([A-Za-z][A-Za-z0-9-]*)(.*)$/s.exec(text) ?? [];
  const params = new Map<string, string>();
  let remainder = rest;
  for (let count = 0; count < MAX_PARAMS; count++) {
    const [param = '', param_name = '', value = ''] = PARAM_PATTERN.exec(remainder) ?? [];
    if (param === '') break;
    params.set(param_name.toUpperCase(), value.replaceAll('"', ''));
    remainder = remainder.slice(param.length);
  }
  if (name !== '' && remainder.startsWith(':'))
    return { line, name: name.toUpperCase(), params, value: remainder.slice(1).trim() };
  return text.includes('"') ? parseLine(line, text.replaceAll('"', '')) : null;
}
