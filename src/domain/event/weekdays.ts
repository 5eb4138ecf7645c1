// The weekdays as recurrence rules write them (RFC 5545, 3.3.10), and that of a day by its number.

/** Monday first. */
const RULE_WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** From 1, Monday, to 7, Sunday, as Temporal counts; 0 for none of them. */
export const readWeekday = (name: string): number => RULE_WEEKDAYS.indexOf(name) + 1;

/** The weekday of a day number (days since 1970-01-01, a Thursday), from 1, Monday, to 7. */
export const toWeekday = (day_number: number): number => ((((day_number + 3) % 7) + 7) % 7) + 1;
