// The feed of a thousand occurrences beside the same calendar made with ical.js's components.
import ICAL from 'ical.js';
import { handleApi } from '../../src/api/handle-api.ts';
import { toOpenFilter } from '../../src/domain/filters/event-filter.ts';
import { LIMITS } from '../../src/domain/filters/limit.ts';
import { toFeedRange } from '../../src/domain/filters/date.ts';
import { findOccurrences, type FoundOccurrence } from '../../src/snapshot/find-occurrences.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { NOW_MS, SITE_URL } from './bench-town.ts';
import { toMedian } from './medians.ts';

const ROUNDS = 30;
const FEED = { method: 'GET', path: '/api/v1/events.ics', query: '', headers: {} } as const;

export interface FeedRatio {
  readonly ratio: number;
  readonly target: number;
  readonly occurrences: number;
  readonly body_kb: number;
  /**
   * Milliseconds: the first feed of a snapshot, which reads every event; the next ones; ical.js's.
   */
  readonly first_ms: number;
  readonly ours_ms: number;
  readonly icaljs_ms: number;
}

/** The same words and times as a calendar of ical.js, written out. */
function writeWithComponents(items: readonly FoundOccurrence[], zone: ICAL.Timezone): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.updatePropertyWithValue('version', '2.0');
  calendar.updatePropertyWithValue('prodid', '-//bench//');
  for (const { card, occurrence } of items) {
    const { event, venue } = card;
    const item = new ICAL.Component('vevent');
    const written = new ICAL.Event(item);
    written.uid = occurrence.id;
    written.summary = event.title.es;
    written.description = `${event.summary.es}\n\n${SITE_URL}/eventos/${event.slug.es}`;
    written.location = [venue?.name, venue?.address, venue?.locality].filter(Boolean).join(', ');
    written.startDate = ICAL.Time.fromDateTimeString(occurrence.start.slice(0, 19));
    written.endDate = ICAL.Time.fromDateTimeString(occurrence.end.slice(0, 19));
    written.startDate.zone = zone;
    for (const [name, value] of [
      ['dtstamp', occurrence.updated_at],
      ['last-modified', occurrence.updated_at],
      ['sequence', '0'],
      ['status', 'CONFIRMED'],
      ['transp', 'TRANSPARENT'],
      ['url', `${SITE_URL}/eventos/${event.slug.es}`],
      ['categories', card.category?.name.es ?? ''],
      ['contact', card.organizer?.name ?? ''],
    ] as const) {
      item.addPropertyWithValue(
        name,
        name === 'dtstamp' || name === 'last-modified'
          ? ICAL.Time.fromDateTimeString(value.slice(0, 19))
          : value,
      );
    }
    calendar.addSubcomponent(item);
  }
  return calendar.toString();
}

/** Both in turn, many times, the middle of each. */
export function measureFeed(snapshot_path: string): FeedRatio {
  const snapshot = openSnapshot(snapshot_path);
  const context = {
    snapshot,
    now_ms: NOW_MS,
    site: { url: SITE_URL, name: 'Hoy Cancún', contact_email: null },
  };
  const timed = <T>(make: () => T): readonly [number, T] => {
    const begun_ms = performance.now();
    const made = make();
    return [performance.now() - begun_ms, made];
  };
  const [first_ms, { body }] = timed(() => handleApi(FEED, context));
  const { items } = findOccurrences(snapshot, {
    ...toOpenFilter(NOW_MS, LIMITS.feed.max),
    range: toFeedRange(NOW_MS),
  });
  const [ours, icaljs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(timed(() => handleApi(FEED, context))[0]);
    icaljs.push(
      timed(() => Buffer.from(writeWithComponents(items, ICAL.Timezone.localTimezone)))[0],
    );
  }
  closeSnapshot(snapshot);
  const [ours_ms, icaljs_ms] = [toMedian(ours), toMedian(icaljs)];
  return {
    ratio: ours_ms / icaljs_ms,
    target: 0.1,
    occurrences: items.length,
    body_kb: (body?.length ?? 0) / 1024,
    first_ms,
    ours_ms,
    icaljs_ms,
  };
}
