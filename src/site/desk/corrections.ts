// One correction on the desk: what a reader reported, and the decision.
import { AppError } from '../../domain/app-error.ts';
import { t } from '../../i18n/translate.ts';
import { settleCorrection } from '../../desk/corrections.ts';
import { getCorrection } from '../../inbox/corrections.ts';
import type { Redirect } from '../visit.ts';
import { toCorrectionLine } from './correction-lines.ts';
import { readHistory, redirectToQueue } from './queue.ts';
import {
  type CorrectionScreen,
  type DeskRequest,
  isTypedWrong,
  type ScreenResult,
  toRefusal,
  toScreen,
} from './screens.ts';

/** The answer at a reference; null where there is none. What was typed comes back where it is wrong. */
export function handleCorrection(
  request: DeskRequest,
  reference: string,
): ScreenResult | Redirect | null {
  const { visit, actor } = request;
  if (visit.method === 'GET') return showCorrection(request, reference);
  const { does = '', reason = '' } = visit.fields;
  if (does !== 'done' && does !== 'dismiss')
    return showCorrection(request, reference, 422, t(visit.lang, 'desk.refused.reason'));
  try {
    settleCorrection(visit.inbox, actor, reference, does, reason);
    return redirectToQueue('settled');
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !isTypedWrong(thrown)) throw thrown;
    return showCorrection(request, reference, 422, toRefusal(thrown, visit.lang));
  }
}

/** One correction as it stands, with the reason that was typed; null where there is none. */
export function showCorrection(
  request: DeskRequest,
  reference: string,
  status = 200,
  notice: string | null = null,
): ScreenResult | null {
  const { inbox, fields } = request.visit;
  const stored = getCorrection(inbox, reference);
  if (stored === null) return null;
  const screen: CorrectionScreen = {
    screen: 'correction',
    line: toCorrectionLine(request, stored),
    reason: fields.reason ?? '',
    history: readHistory(request, stored.reference),
  };
  return toScreen(screen, status, notice);
}
