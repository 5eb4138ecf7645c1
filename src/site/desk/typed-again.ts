// What was typed into a form that could not be done, shown again where it was typed: the session had
// ended, it was too much, or the disk takes no more.
import { DESK_PATHS } from '../../i18n/paths.ts';
import { showAccountAgain } from './account.ts';
import { showBatchAgain } from './batch.ts';
import { showCorrection } from './corrections.ts';
import { showAgain } from './item.ts';
import { showLog } from './log.ts';
import { showNoticesAgain } from './notices.ts';
import { showPeopleAgain } from './people.ts';
import { showQueue } from './queue.ts';
import { toId } from './room.ts';
import type { DeskRequest, ScreenResult } from './screens.ts';
import { showTyped } from './thing.ts';

type Show = (request: DeskRequest, status: number, notice: string) => Promise<ScreenResult>;
type ShowThing = (
  request: DeskRequest,
  id: string,
  status: number,
  notice: string,
) => Promise<ScreenResult | null>;

/** By the path that a form is sent to. */
const PLACES: Readonly<Record<string, Show>> = {
  [DESK_PATHS.account]: showAccountAgain,
  [DESK_PATHS.people]: showPeopleAgain,
  [DESK_PATHS.notices]: showNoticesAgain,
};
/** By what stands before an id. */
const THINGS: readonly (readonly [string, ShowThing])[] = [
  [DESK_PATHS.items, showAgain],
  [DESK_PATHS.corrections, showCorrection],
  [DESK_PATHS.edit, showTyped],
  [DESK_PATHS.batches, showBatchAgain],
];

/** The screen of a form with what was typed in it; the queue where it has none, or the thing is gone. */
export async function showTypedAt(
  request: DeskRequest,
  path: string,
  status: number,
  notice: string,
): Promise<ScreenResult> {
  const place = PLACES[path];
  if (place !== undefined) return place(request, status, notice);
  if (path === DESK_PATHS.undo && request.visit.fields.from === 'log')
    return showLog(request, status, notice);
  for (const [start, show] of THINGS) {
    const id = toId(start, path);
    const shown = id ? await show(request, id, status, notice) : null;
    if (shown !== null) return shown;
  }
  return showQueue(request, status, notice);
}
