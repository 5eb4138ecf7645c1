// What a reader reported, on the desk: mended in the form of the thing that it is about, and the decision.
import { settleCorrection } from '../../desk/review.ts';
import { reopen } from '../../desk/decide.ts';
import { findRejection } from '../../domain/change.ts';
import { toReason } from '../../i18n/form-words.ts';
import { getCorrection } from '../../inbox/submissions.ts';
import { erase } from '../../desk/forget.ts';
import type { StoredCorrection } from '../../domain/correction.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toThingId } from '../forms/correct.ts';
import { redirect } from '../visit.ts';
import { toReported } from './find.ts';
import { readItem } from './item.ts';
import { planNext, redirectToQueue } from './journey.ts';
import { type DeskRequest, type Room, toScreen } from './room.ts';
import { readReported } from './thing.ts';

export const reportRoom: Room = {
  is_of_one: true,
  show: async (request, reference, told) => {
    const stored = await getCorrection(request.visit.inbox, reference);
    return stored && toScreen('report', await readView(request, stored), told, stored.reference);
  },
  act: async (request, reference) => {
    const { inbox, fields, lang } = request.visit;
    const { does = '', reason = '' } = fields;
    if (does === 'erase') {
      await erase(inbox, reference, request.actor);
      return redirect(`${DESK_PATHS.corrections}/${reference}?done=erased`);
    }
    if (does === 'reopen') {
      await reopen(inbox, request.actor, reference, reason);
      return redirectToQueue('reopened');
    }
    const chosen = findRejection(/^reject:(\w+)$/.exec(does)?.[1]);
    if (does !== 'done' && does !== 'dismiss' && chosen === null) {
      const told = { status: 422, notice: t(lang, 'desk.refused.reason') };
      return reportRoom.show(request, reference, told);
    }
    const goOn = await planNext(request, reference);
    const action = does === 'done' ? 'done' : 'dismiss';
    const words = toReason(chosen, reason, lang);
    await settleCorrection(inbox, request.actor, reference, action, words);
    return goOn('settled');
  },
};

export type ReportView = Awaited<ReturnType<typeof readView>>;

async function readView(request: DeskRequest, stored: StoredCorrection) {
  const { reference, about } = stored;
  const waits = stored.state === 'pending';
  return {
    reported: toReported(request, stored),
    item: await readItem(request, { reference, waits, is_reopenable: !waits }),
    /** What it is about, to be mended; null where it does not wait, or that is gone. */
    thing: waits ? await readReported(request, toThingId(about), reference) : null,
  };
}
