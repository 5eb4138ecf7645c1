// A submission with some of its fields given anew, for a sender who says only what changes.
import { toFormValues, toSubmissionInput } from './form.ts';
import type { Submission } from './submission.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a field takes the place of: two places, or a price of what is free, cannot both be meant. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  venue: ['venue_name', 'venue_address'],
  venue_name: ['venue', 'venue_address'],
  free: ['price_min', 'price_max'],
  price_min: ['free'],
  price_max: ['free'],
  image_url: ['picture_id', 'image_alt'],
  dates: ['hours'],
  repeat: ['dates', 'hours'],
  repeat_until: ['open_end'],
};

/** The fields of a submission as texts, as they are sent in; those without a value are left out. */
export const toSentFields = (submission: Submission): Readonly<Record<string, string>> =>
  toSubmissionInput(toFormValues(submission)).input;

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

/** An hour in the new start says that neither the whole day nor an unknown hour is meant. */
const hasHour = ({ start }: Fields): boolean => typeof start === 'string' && start.includes('T');

/**
 * What was sent before, what is given now over it, and without what that takes the place of. An empty
 * text or null empties a field.
 */
export function toCorrectedFields(submission: Submission, given: Fields): Fields {
  const replaced = Object.keys(given).flatMap((name) =>
    isGiven(given[name]) && Object.hasOwn(REPLACED, name) ? (REPLACED[name] ?? []) : [],
  );
  const left_out = new Set([...replaced, ...(hasHour(given) ? ['all_day', 'hour'] : [])]);
  const kept = Object.entries(toSentFields(submission)).filter(([name]) => !left_out.has(name));
  return { ...Object.fromEntries(kept), ...given };
}
