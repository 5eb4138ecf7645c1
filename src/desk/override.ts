// Saying something over an event: only what the next release will read, so that nobody is told
// "done" of what it would leave out.
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { type DecisionDetails, putOverride } from '../inbox/published.ts';
import type { Inbox } from '../inbox/open.ts';
import { OverrideSchema } from '../sources/inbox/override.ts';

/**
 * Sets it, logged. Throws AppError where the record is none of the schema: too long a note, a day
 * that does not exist.
 */
export function overrideEvent(
  inbox: Inbox,
  act: DecisionDetails,
  event: string,
  date: string,
  record: object,
): void {
  const result = v.safeParse(OverrideSchema, record);
  if (!result.success)
    throw new AppError(
      'invalid_parameter',
      `override: ${v.getDotPath(result.issues[0]) ?? 'it'} is not as it must be (${result.issues[0].message})`,
    );
  putOverride(inbox, act, event, date, result.output);
}
