// What an editor may press beside the text of a submission: send it back, reject it, grant what it asks for, erase what is private.
import { AppError } from '../../domain/app-error.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { toReason } from '../../i18n/form-words.ts';
import { erase } from '../../desk/forget.ts';
import { reopen } from '../../desk/decide.ts';
import { grant, refuse, type Review } from '../../desk/review.ts';
import { type Redirect, redirect } from '../visit.ts';
import { toDuplicateReason } from './duplicate-of.ts';
import { planNext } from './next.ts';
import { readNote } from './read-note.ts';
import { readSentBack } from './sent-back.ts';
import type { DeskRequest } from './screens.ts';

/** `duplicate:HC-7K3M9Q` of the list, or what was typed; null where neither was pressed. */
const readDuplicate = (does: string, typed: string): string | null =>
  does === 'duplicate' ? typed : (/^duplicate:([\w-]+)$/.exec(does)?.[1] ?? null);

/** Where it leads; null where what was pressed is about the text. Throws AppError. */
export async function decideItem(
  request: DeskRequest,
  stored: StoredSubmission,
  review: Review,
): Promise<Redirect | null> {
  const { inbox, fields } = request.visit;
  const { does = '', reason = '', duplicate_of = '' } = fields;
  const { reference, submission } = stored;
  if (does === 'erase') {
    await erase(inbox, reference, request.actor);
    return redirect(`${DESK_PATHS.items}/${reference}?done=erased`);
  }
  if (does === 'reopen') {
    await reopen(inbox, request.actor, reference, reason);
    return redirect(`${DESK_PATHS.items}/${reference}?done=reopened`);
  }
  const goOn = await planNext(request, reference);
  if (does === 'grant') {
    await grant(inbox, review, readNote(fields));
    return goOn('approve');
  }
  const refusal = readSentBack(does);
  if (refusal !== null) {
    const { action, chosen } = refusal;
    await refuse(inbox, review, action, toReason(chosen, reason, submission.lang));
    return goOn(action);
  }
  const named = readDuplicate(does, duplicate_of);
  if (named === null) return null;
  const why = await toDuplicateReason(inbox, request.state, named, submission.lang);
  if (why === null)
    throw new AppError('invalid_parameter', 'duplicate_of: nothing has that', 'no_such_duplicate');
  await refuse(inbox, review, 'reject', toReason(null, `${why} ${reason}`, submission.lang));
  return goOn('reject');
}
