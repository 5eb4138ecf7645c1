// One correction on the desk: what a reader reported, and the decision.
import { AppError } from '../../domain/app-error.ts';
import { findRejection } from '../../domain/change.ts';
import { toReason } from '../../i18n/form-words.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { settleCorrection } from '../../desk/review.ts';
import { erase, readHeldWords } from '../../desk/forget.ts';
import { reopen } from '../../desk/decide.ts';
import { getCorrection } from '../../inbox/submissions.ts';
import { toThingId } from '../forms/correct.ts';
import { type Redirect, redirect } from '../visit.ts';
import { toCorrectionLine } from './correction-lines.ts';
import { readHistory, readLast } from './decision-lines.ts';
import { toDoneNotice } from './done.ts';
import { planNext, readJourney } from './next.ts';
import { redirectToQueue } from './queue.ts';
import { isTypedWrong, toRefusal, toRefusalStatus } from './refusals.ts';
import { readReported } from './thing.ts';
import { type CorrectionScreen, type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

/** The answer at a reference; null where there is none. What was typed comes back where it is wrong. */
export async function handleCorrection(
  request: DeskRequest,
  reference: string,
): Promise<ScreenResult | Redirect | null> {
  const { visit, actor } = request;
  if (visit.method === 'GET') return showCorrection(request, reference, 200, toDoneNotice(visit));
  const { does = '', reason = '' } = visit.fields;
  if (does === 'erase') {
    await erase(visit.inbox, reference, actor);
    return redirect(`${DESK_PATHS.corrections}/${reference}?done=erased`);
  }
  const chosen = findRejection(/^reject:(\w+)$/.exec(does)?.[1]);
  if (does !== 'reopen' && does !== 'done' && does !== 'dismiss' && chosen === null)
    return showCorrection(request, reference, 422, t(visit.lang, 'desk.refused.reason'));
  try {
    if (does === 'reopen') {
      await reopen(visit.inbox, actor, reference, reason);
      return redirectToQueue('reopened');
    }
    const goOn = await planNext(request, reference);
    const action = does === 'done' ? 'done' : 'dismiss';
    await settleCorrection(
      visit.inbox,
      actor,
      reference,
      action,
      toReason(chosen, reason, visit.lang),
    );
    return goOn('settled');
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (!isTypedWrong(thrown) && thrown.code !== 'unavailable') throw thrown;
    return showCorrection(
      request,
      reference,
      toRefusalStatus(thrown),
      toRefusal(thrown, visit.lang),
    );
  }
}

/** One correction as it stands, with the reason that was typed; null where there is none. */
export async function showCorrection(
  request: DeskRequest,
  reference: string,
  status = 200,
  notice: string | null = null,
): Promise<ScreenResult | null> {
  const { inbox, fields } = request.visit;
  const stored = await getCorrection(inbox, reference);
  if (stored === null) return null;
  const screen: CorrectionScreen = {
    screen: 'correction',
    journey: stored.state === 'pending' ? await readJourney(request, stored.reference) : null,
    last: await readLast(request),
    line: toCorrectionLine(request, stored),
    thing:
      stored.state === 'pending'
        ? await readReported(request, toThingId(stored.about), stored.reference)
        : null,
    reason: fields.reason ?? '',
    history: await readHistory(request, stored.reference),
    held: await readHeldWords(inbox, stored.reference),
  };
  return toScreen(screen, status, notice);
}
