// What was just done at the desk, told on the screen after it.
import { type Key, t, tCount } from '../../i18n/translate.ts';
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
  erased: 'desk.done.erased',
};

/** In words; null where nothing was done. */
export function toDoneNotice(visit: Visit): string | null {
  if (visit.method === 'POST') return null;
  const { done = '' } = visit.query;
  if (done === 'several') return toSeveralNotice(visit);
  const key = DONE[done];
  return key ? t(visit.lang, key) : null;
}

function toSeveralNotice({ query, lang }: Visit): string {
  const { count = '0', passed = '' } = query;
  const told = tCount(lang, 'desk.done.several', Math.min(Number(count) || 0, 1000));
  const references = passed.split(' ').filter((one) => /^HC-[0-9A-Z]{6}$/.test(one));
  const over =
    references.length === 0
      ? []
      : [t(lang, 'desk.done.passed_over', { references: references.join(', ') })];
  return [told, ...over].join(' ');
}
