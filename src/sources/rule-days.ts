// The days of a `when`: all that its rule gives, and those on which it takes place.
import type { Temporal } from 'temporal-polyfill';
import { type RestingTown, skipRestDays } from '../domain/day/resting-rules.ts';
import { expandDays, isRule } from '../domain/event/occurrences.ts';
import type { OpeningHours } from '../domain/opening-hours.ts';
import type { EventFile, When } from './content-schema.ts';
import type { ContentIssue } from './issues.ts';
import type { ContentFile } from './read-content.ts';

/** The days of a rule up to `horizon`; what keeps it from being expanded is an issue. */
export function toDays(
  when: When,
  position: number,
  horizon: Temporal.PlainDate,
  source: ContentFile<unknown>,
  issues: ContentIssue[],
): Temporal.PlainDate[] {
  const issue = (name: string, message: string): Temporal.PlainDate[] => {
    pushIssue(source, position, name, message, issues);
    return [];
  };
  if (when.since !== undefined && when.until !== undefined && when.until < when.since)
    return issue('until', `is before since (${when.since})`);
  if (when.rrule !== undefined && !isRule(when.rrule))
    return issue(
      'rrule',
      'is not a rule of RFC 5545. Write for example FREQ=WEEKLY;BYDAY=SU or FREQ=MONTHLY;BYDAY=-1FR, without DTSTART',
    );
  return expandDays(when, horizon);
}

function pushIssue(
  source: ContentFile<unknown>,
  position: number,
  name: string,
  message: string,
  issues: ContentIssue[],
): void {
  issues.push({
    file: source.file,
    line: source.lineOf(['when', position, name]),
    field: `when[${position}].${name}`,
    message,
  });
}

/**
 * For each `when` of an event the days up to `horizon` on which it takes place. `hours`: those of
 * its venue, null where they are not known.
 */
export function toEventDays(
  source: ContentFile<EventFile>,
  hours: OpeningHours | null,
  town: RestingTown,
  horizon: Temporal.PlainDate,
  issues: ContentIssue[],
): readonly (readonly Temporal.PlainDate[])[] {
  return source.value.when.map((when, position) => {
    const days = toDays(when, position, horizon, source, issues);
    if (when.term === true && town.terms.length === 0)
      pushIssue(
        source,
        position,
        'term',
        'needs the terms of the school year in calendar.yml. Write them there with their source',
        issues,
      );
    return skipRestDays(when, days, hours, town);
  });
}
