// What a release knows of every day, whatever takes place on it: the holidays, the seasons, and where
// to look for what changes by the hour.
import * as v from 'valibot';
import { LocalTextSchema } from '../lang.ts';
import { HolidayRecordSchema } from './holidays.ts';
import { type SeasonRecord, SeasonRecordSchema } from './seasons.ts';

/** What is never computed or guessed here: a reader is sent to its source. */
export const DAY_LINK_TOPICS = ['sargassum', 'flags', 'tides', 'ferries', 'weather'] as const;

/** A page that says how it is now, and the day somebody last opened it. */
export const DayLinkRecordSchema = v.object({
  topic: v.picklist(DAY_LINK_TOPICS),
  name: LocalTextSchema,
  source: v.string(),
  url: v.string(),
  /** YYYY-MM-DD. */
  checked: v.string(),
});
export type DayLinkRecord = Readonly<v.InferOutput<typeof DayLinkRecordSchema>>;

/** As the snapshot holds it. */
export const CalendarRecordSchema = v.object({
  holidays: v.array(HolidayRecordSchema),
  links: v.array(DayLinkRecordSchema),
  /** None in snapshots from before they were known. */
  seasons: v.optional(v.array(SeasonRecordSchema), []),
});

/** Holidays and links in the order of content/calendar.yml; seasons from the notices. */
export interface CalendarRecord {
  readonly holidays: readonly v.InferOutput<typeof HolidayRecordSchema>[];
  readonly links: readonly DayLinkRecord[];
  readonly seasons: readonly SeasonRecord[];
}
