// The hidden stamp of a form: why what came with a wrong one is not taken in, and which one the form
// is shown with again (contract 14.5).
import { checkFormStamp, createFormStamp } from '../../desk/secret.ts';
import type { Visit } from '../visit.ts';

/** What somebody is told whose stamp is not ours, too young or too old. */
export const STAMP_REFUSALS = {
  forged: 'submit.refused.forged',
  too_soon: 'submit.refused.too_soon',
  too_old: 'submit.refused.too_old',
} as const;

/** The first moment counts: a form that is shown again need not be looked at for as long. */
export function reuseStamp(visit: Visit, now_ms: number): string {
  const sent = visit.fields.stamp ?? '';
  const verdict = checkFormStamp(visit.inbox, sent, now_ms);
  return verdict === 'ok' || verdict === 'too_soon' ? sent : createFormStamp(visit.inbox, now_ms);
}
