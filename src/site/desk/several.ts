// Several items of the queue rejected at once, for one reason.
import { AppError } from '../../domain/app-error.ts';
import { findRejection } from '../../domain/canned.ts';
import { toReason } from '../../i18n/canned.ts';
import { t } from '../../i18n/translate.ts';
import { type Picked, rejectSeveral } from '../../desk/queue.ts';
import { type Redirect, redirect } from '../visit.ts';
import { readPlace, toQueuePath } from './next.ts';
import { showQueue } from './queue.ts';
import { isTypedWrong, toRefusal } from './refusals.ts';
import type { DeskRequest, ScreenResult } from './screens.ts';

const PICKED = /^(HC-[0-9A-Z]{6})\.(\d{1,6})$/;
/** References that are told after it. */
const TOLD = 10;

const readPicked = (text: string): Picked[] =>
  text.split(',').flatMap((part) => {
    const [, reference, revision] = PICKED.exec(part) ?? [];
    return reference === undefined ? [] : [{ reference, revision: Number(revision) }];
  });

/** What was checked is rejected; shown again where nothing was, or with what is wrong. */
export function handleSeveral(request: DeskRequest): ScreenResult | Redirect {
  const { visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const picked = readPicked(fields.pick ?? '');
  const chosen = findRejection(fields.does);
  if (picked.length === 0) return showQueue(request, 422, t(lang, 'desk.refused.nothing_picked'));
  try {
    const { decided, passed_over } = rejectSeveral(inbox, actor, picked, (own) =>
      toReason(chosen, fields.words ?? '', own),
    );
    const told = {
      done: 'several',
      count: String(decided.length),
      ...(passed_over.length > 0 ? { passed: passed_over.slice(0, TOLD).join(' ') } : {}),
    };
    return redirect(toQueuePath(readPlace(visit), told));
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !isTypedWrong(thrown)) throw thrown;
    return showQueue(request, 422, toRefusal(thrown, lang));
  }
}
