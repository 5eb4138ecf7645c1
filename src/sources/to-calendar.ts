// content/calendar.yml as the record of a release, each holiday's key once; and what rules rest by.
import type { CalendarRecord } from '../domain/day/day-facts.ts';
import type { HolidayRecord } from '../domain/day/holidays.ts';
import type { RestingTown } from '../domain/day/resting-rules.ts';
import type { CalendarFile } from './calendar-schema.ts';
import type { ContentIssue } from './issues.ts';
import type { ContentFile } from './read-content.ts';

/** Without its seasons, which notices know. Issues are pushed; the record is then not to be used. */
export function toCalendar(
  source: ContentFile<CalendarFile> | null,
  issues: ContentIssue[],
): CalendarRecord {
  if (source === null) return { holidays: [], links: [], seasons: [] };
  const { holidays, links } = source.value;
  const keys = holidays.map(({ key }) => key);
  keys.forEach((key, position) => {
    if (keys.indexOf(key) === position) return;
    issues.push({
      file: source.file,
      line: source.lineOf(['holidays', position, 'key']),
      field: `holidays[${position}].key`,
      message: `'${key}' stands there before; a holiday is written once`,
    });
  });
  return { holidays: toHolidays(source.value), links, seasons: [] };
}

const toHolidays = ({ holidays }: CalendarFile): readonly HolidayRecord[] =>
  holidays.map(({ sources: _, every = null, ...holiday }) => ({ ...holiday, every }));

/** What the rules of events rest by: nothing where there is no calendar. */
export const toRestingTown = (source: ContentFile<CalendarFile> | null): RestingTown =>
  source === null
    ? { holidays: [], terms: [] }
    : { holidays: toHolidays(source.value), terms: source.value.terms };
