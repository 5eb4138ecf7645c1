// The bytes of a calendar file as blocks of lines, whatever is wrong with its letters, folds and ends
// (RFC 5545, 3.1). ical.js refuses a whole file for one bad line.

/** One line with what was folded under it; `line` counts from 1. */
export interface IcsLine {
  readonly line: number;
  readonly name: string;
  /** In capitals, without quotes. */
  readonly params: ReadonlyMap<string, string>;
  readonly value: string;
}

/** An event or a time zone of the file. */
export interface IcsBlock {
  readonly kind: 'VEVENT' | 'VTIMEZONE';
  readonly line: number;
  readonly lines: IcsLine[];
  /** Lines that are no property and continue none. */
  readonly skipped: number[];
  /** Whether its END stands where it belongs. */
  readonly is_closed: boolean;
}

/** The first property of a name that has a value. */
export const findIcsLine = (lines: readonly IcsLine[], name: string): IcsLine | undefined =>
  lines.find((line) => line.name === name && line.value !== '');

/** Its value, or empty. */
export const icsValue = (lines: readonly IcsLine[], name: string): string =>
  findIcsLine(lines, name)?.value ?? '';

/** UTF-8, UTF-16 with its mark, or else the letters of Windows. Never throws. */
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

/** The blocks of a text and the lines beside them; a block that is not closed ends where the next begins. */
export function splitIcsBlocks(text: string) {
  const [lines, blocks]: [IcsLine[], IcsBlock[]] = [[], []];
  let has_calendar = false;
  let open: IcsBlock | null = null;
  /** Alarms within an event, which are passed over, and rules of a zone, which belong to it. */
  let depth = 0;
  for (const raw of unfold(text.replace(/^\ufeff/, ''))) {
    const line = parseLine(raw.line, raw.text);
    const value = line?.value.toUpperCase() ?? '';
    if (line?.name === 'BEGIN' && value === 'VCALENDAR') has_calendar = true;
    else if (line?.name === 'BEGIN' && (value === 'VEVENT' || value === 'VTIMEZONE')) {
      if (open !== null) blocks.push(open);
      open = { kind: value, line: raw.line, lines: [], skipped: [], is_closed: false };
      depth = 0;
    } else if (open === null) {
      if (line !== null) lines.push(line);
    } else if (line?.name === 'BEGIN') depth += 1;
    else if (line?.name === 'END' && (value === open.kind || value === 'VCALENDAR')) {
      blocks.push({ ...open, is_closed: value === open.kind });
      open = null;
    } else if (line?.name === 'END') depth = Math.max(0, depth - 1);
    else if (depth > 0 && open.kind === 'VEVENT') continue;
    else if (line === null) open.skipped.push(raw.line);
    else open.lines.push(line);
  }
  if (open !== null) blocks.push(open);
  return { has_calendar, lines, blocks };
}

/** Properties of calendars and events (RFC 5545, RFC 7986): other words before a colon may be text. */
const NAMES: ReadonlySet<string> = new Set(
  `BEGIN END VERSION PRODID CALSCALE METHOD NAME COLOR IMAGE SOURCE REFRESH-INTERVAL CONFERENCE UID
  DTSTAMP DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID SUMMARY DESCRIPTION LOCATION
  URL CATEGORIES STATUS CLASS TRANSP SEQUENCE PRIORITY CREATED LAST-MODIFIED ORGANIZER ATTENDEE CONTACT
  COMMENT ATTACH GEO RESOURCES RELATED-TO REQUEST-STATUS TZID TZNAME TZURL TZOFFSETFROM TZOFFSETTO
  ACTION TRIGGER REPEAT ACKNOWLEDGED`.split(/\s+/),
);
const isProperty = (text: string): boolean => {
  const name = /^([A-Za-z][A-Za-z0-9-]*)[;:]/.exec(text)?.[1]?.toUpperCase() ?? '';
  // Some write the name alone and fold all that belongs to it.
  return NAMES.has(name) || name.startsWith('X-') || NAMES.has(text.trimEnd());
};
/** What people break over lines without folding it. */
const IS_TEXT = /^(DESCRIPTION|SUMMARY|LOCATION|COMMENT)\b/i;

/** Lines unfolded; one that begins like no property continues the text before it. */
function unfold(text: string): readonly { readonly line: number; readonly text: string }[] {
  const unfolded: { line: number; text: string }[] = [];
  for (const [at, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const last = unfolded.at(-1);
    if (/^[ \t]/.test(raw) && last !== undefined) last.text += raw.slice(1);
    else if (raw.trim() === '') continue;
    else if (last !== undefined && !isProperty(raw) && IS_TEXT.test(last.text))
      last.text += `\\n${raw}`;
    else unfolded.push({ line: at + 1, text: raw });
  }
  return unfolded;
}

/** A property; null where the line is none. Quotes that stand where they must not are passed over. */
function parseLine(line: number, text: string): IcsLine | null {
  const [, name = '', rest = ''] = /^([A-Za-z][A-Za-z0-9-]*)(.*)$/s.exec(text) ?? [];
  const params = new Map<string, string>();
  const PARAM = /^;([^=;:"]+)=("[^"]*"|[^;:,"]*)(?:,(?:"[^"]*"|[^;:,"]*))*/;
  let left = rest;
  for (let param = PARAM.exec(left); param !== null; param = PARAM.exec(left)) {
    params.set((param[1] ?? '').toUpperCase(), (param[2] ?? '').replaceAll('"', ''));
    left = left.slice(param[0].length);
  }
  if (name !== '' && left.startsWith(':'))
    return { line, name: name.toUpperCase(), params, value: left.slice(1).trim() };
  return text.includes('"') ? parseLine(line, text.replaceAll('"', '')) : null;
}
