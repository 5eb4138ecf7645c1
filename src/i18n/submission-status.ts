// How a submission stands, in words: its page and the tool that follows it say the same.
import type { ShownAs } from '../domain/submission/sender-acts.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import type { Lang } from '../domain/lang.ts';
import { type Key, t } from './translate.ts';

export interface StatusWords {
  /** `Lo recibimos. Está en espera de revisión.` */
  readonly stage: string;
  /** What comes next, or what its sender should do. */
  readonly next: string;
}

function toStageKey({ state, asks, is_published }: StoredSubmission, shown: ShownAs): Key {
  if (state === 'pending' && is_published)
    return `status.stage.pending_${asks === 'publish' ? 'change' : asks}`;
  if (state === 'rejected' && is_published) return 'status.stage.change_rejected';
  return state === 'approved' && shown !== 'none'
    ? `status.stage.${shown}`
    : `status.stage.${state}`;
}

/** `shown`: as what a release shows its event. */
export function toStatusWords(stored: StoredSubmission, shown: ShownAs, lang: Lang): StatusWords {
  const { state } = stored;
  const next = state === 'approved' && shown !== 'none' ? shown : state;
  return { stage: t(lang, toStageKey(stored, shown)), next: t(lang, `status.next.${next}`) };
}
