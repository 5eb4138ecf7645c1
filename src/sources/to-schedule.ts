// The `when` of a file as schedules, with the issues only expansion can find.
import type { Temporal } from 'temporal-polyfill';
import { parseDay } from '../domain/cancun-time.ts';
import { expandDays, expandRule, type Schedule } from '../domain/event/occurrences.ts';
import type { When } from './content-schema.ts';
import type { ContentFile, ContentIssue } from './read-file.ts';

/** The schedule of one rule. */
export function toSchedule(when: When): Schedule {
  return {
    rrule: when.rrule ?? null,
    easter: when.easter ?? null,
    dates: when.dates ?? null,
    since: when.since ?? null,
    until: when.until ?? null,
    start: when.start ?? null,
    end: when.end ?? null,
    days: when.days,
    except: when.except,
  };
}

/**
 * The days of a rule up to `horizon`; a rule that cannot be expanded or gives no day at all is a
 * issue.
 */
export function toDays(
  when: When,
  position: number,
  horizon: Temporal.PlainDate,
  source: ContentFile<unknown>,
  issues: ContentIssue[],
): Temporal.PlainDate[] {
  const issue = (name: string, message: string): Temporal.PlainDate[] => {
    const path = ['when', position, name];
    issues.push({
      file: source.file,
      line: source.lineOf(path),
      field: `when[${position}].${name}`,
      message,
    });
    return [];
  };
  if (when.since !== undefined && when.until !== undefined && when.until < when.since)
    return issue('until', `is before since (${when.since})`);
  if (when.rrule !== undefined && !isRule(when.rrule))
    return issue(
      'rrule',
      'is not a rule of RFC 5545. Write for example FREQ=WEEKLY;BYDAY=SU or FREQ=MONTHLY;BYDAY=-1FR, without DTSTART',
    );
  return expandDays(toSchedule(when), horizon);
}

function isRule(rrule: string): boolean {
  const day = parseDay('2024-01-01');
  if (!day || !/^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+-]+)*$/.test(rrule))
    return false;
  try {
    expandRule(rrule, day, day);
    return true;
  } catch {
    return false;
  }
}
