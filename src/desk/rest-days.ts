// Rest days: stores an editor's answer whether a repeating event takes place on holidays, and
// publishes the dates if it is published already (contract 14.85).
import * as v from 'valibot';
import { refusal } from '../domain/app-error.ts';
import type { Actor } from '../domain/change.ts';
import { listStoredRestDays } from '../domain/submission/form-dates.ts';
import { getSubmission, saveDraft } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { submittedEventId } from '../sources/inbox/merge-inbox.ts';
import { createRecordSources, editRecord, getRecord } from './record-overrides.ts';
import { mergeControlValues, type ControlValues, type ReviewedRevision } from './review.ts';

const SchedulesSchema = v.tupleWithRest(
  [v.looseObject({ dates: v.optional(v.array(v.string())) })],
  v.unknown(),
);

/**
 * Answers for all holidays of a submission that have no answer yet. They become dates or
 * exceptions of the draft; of a published event the dates are added to its first schedule.
 * @param form Unsaved values of the review form.
 * @throws AppError if the submission changed after the editor saw it, or has no such day.
 */
export const answerRestDays = (
  inbox: Inbox,
  actor: Actor,
  snapshot: Snapshot,
  { reference, revision }: ReviewedRevision,
  takes_place: boolean,
  form: ControlValues,
): Promise<void> =>
  inbox.transaction(async () => {
    const stored = await getSubmission(inbox, reference);
    if (stored === null) throw refusal('no_such_submission');
    if (stored.revision !== revision) throw refusal('text_changed');
    const values = mergeControlValues(stored, form);
    const days = listStoredRestDays({ text: stored.text, draft: values }, actor.now_ms).resting;
    if (days.length === 0) throw refusal('as_it_was');
    const control = takes_place ? 'dates' : 'exceptions';
    await saveDraft(inbox, reference, {
      ...values,
      [control]: [values[control] ?? '', ...days].join('\n').trim(),
    });
    if (!takes_place || stored.state === 'waiting') return;
    const sources = createRecordSources(inbox, snapshot);
    const event_id = submittedEventId(reference);
    const record = await getRecord(inbox, sources, event_id);
    const [first, ...others] = v.parse(SchedulesSchema, record?.record.when);
    const when = [{ ...first, dates: [...(first.dates ?? []), ...days].sort() }, ...others];
    const context = { snapshot, now_ms: actor.now_ms, sources };
    const issues = await editRecord(inbox, actor, event_id, { when }, days.join(', '), context);
    if (issues.length > 0) throw refusal('no_such_thing');
  });
