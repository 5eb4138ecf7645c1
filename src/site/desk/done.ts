// What was just done at the desk, told on the screen after it.
import { type Key, t } from '../../i18n/translate.ts';
import type { Visit } from '../visit.ts';

/** What was just done, told after the redirect back. */
const DONE: Readonly<Record<string, Key>> = {
  approve: 'desk.done.approved',
  ask: 'desk.done.asked',
  reject: 'desk.done.rejected',
  decided: 'desk.done.decided',
  undone: 'desk.done.undone',
  settled: 'desk.done.settled',
  reopened: 'desk.done.reopened',
  saved: 'desk.done.saved',
  edited: 'desk.edit.done',
  erased: 'desk.done.erased',
};

/** In words; null where nothing was done. */
export function toDoneNotice(visit: Visit): string | null {
  if (visit.method === 'POST') return null;
  const { done = '' } = visit.query;
  const key = DONE[done];
  return key ? t(visit.lang, key) : null;
}
