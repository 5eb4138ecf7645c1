// Past events: skips the past events of a large calendar before it is parsed, because exports
// contain the whole past of a calendar.
import type { Temporal } from 'temporal-polyfill';
import { toZoned } from '../../domain/local-time.ts';
import { IMPORT_LIMITS } from '../../domain/imported-events.ts';
import { readAsByteText } from './decode-text.ts';

/** Days before today on which an event may have ended somewhere else, or have begun and still last. */
const DAYS_BEFORE = { ended: 2, lasting: 370 } as const;
/** Lines with the days of an event, also folded ones. */
const DAY_PATTERN = /^DT(START|END)[^\n]{0,200}?[:\s](\d{8}|\d{4}-\d\d-\d\d)/gim;
/** Properties of an event that has other dates than these, or is one of several versions. */
const SERIES_PATTERN = /^(?:RRULE|RDATE|RECURRENCE-ID)/im;

/**
 * Removes past events from a calendar that is larger than the limit. Keeps series, events with the
 * UID of another event, and everything that it does not recognize.
 */
export function skipPastEvents(bytes: Uint8Array, now_ms: number): Uint8Array {
  if (bytes.length <= IMPORT_LIMITS.bytes) return bytes;
  const [head = '', ...blocks] = readAsByteText(bytes).split(/^(?=BEGIN:VEVENT\b)/im);
  const counts = new Map<string, number>();
  for (const uid of blocks.map(uidOf)) counts.set(uid, (counts.get(uid) ?? 0) + Number(uid !== ''));
  const today = toZoned(now_ms).toPlainDate();
  const remaining = blocks.map((block) => {
    const end = block.search(/^END:VEVENT\b/im);
    const is_single = (counts.get(uidOf(block)) ?? 0) <= 1 && !SERIES_PATTERN.test(block);
    return end !== -1 && is_single && isPast(block, today)
      ? block.slice(end).replace(/^END:VEVENT[^\S\r\n]*\r?\n?/i, '')
      : block;
  });
  return Buffer.from([head, ...remaining].join(''), 'latin1');
}

const uidOf = (block: string): string => /^UID[^\r\n]*/im.exec(block)?.[0] ?? '';

function isPast(block: string, today: Temporal.PlainDate): boolean {
  const days = Array.from(block.matchAll(DAY_PATTERN), ([, name = '', day = '']) => ({
    has_end: name.toUpperCase() === 'END',
    day: day.replaceAll('-', ''),
  }));
  const has_end = days.some((one) => one.has_end);
  const may_last = !has_end && /^DURATION/im.test(block);
  const limit = today.subtract({ days: may_last ? DAYS_BEFORE.lasting : DAYS_BEFORE.ended });
  const last_day = limit.toString().replaceAll('-', '');
  return days.length > 0 && days.every(({ day }) => day < last_day);
}
