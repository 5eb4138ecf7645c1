// Corrections: what readers say has changed, each as it stands at the desk.
import * as v from 'valibot';
import {
  CorrectionLangSchema,
  CorrectionRecordSchema,
  type CorrectedThing,
  type Correction,
  type CorrectionState,
  type StoredCorrection,
} from '../domain/correction.ts';
import type { Lang } from '../domain/lang.ts';
import { type Change, getCurrent, insertChange } from './changes.ts';
import type { Inbox } from './open.ts';

const TextSchema = v.object({ ...CorrectionRecordSchema.entries, lang: CorrectionLangSchema });

const toState = ({ state }: Change): CorrectionState =>
  state === 'applied' ? 'done' : state === 'refused' ? 'dismissed' : 'pending';

function toCorrection(change: Change | null): StoredCorrection | null {
  if (change?.asks !== 'check' || change.reference === null) return null;
  const { reference, at, kind, thing, title, reason } = change;
  return {
    reference,
    received_at: at,
    about: { kind, id: thing ?? '', title },
    state: toState(change),
    reason,
    ...v.parse(TextSchema, change.text),
  };
}

/** By its reference, in any case; null where there is none. */
export const getCorrection = (inbox: Inbox, reference: string): StoredCorrection | null =>
  toCorrection(getCurrent(inbox, reference));

/** The one with this digest that waits; null where none does. */
export function getPendingCorrection(inbox: Inbox, digest: string): StoredCorrection | null {
  const reference: unknown = inbox
    .prepare("select reference from changes where digest = ? and state = 'waiting'")
    .pluck()
    .get(digest);
  return typeof reference === 'string' ? getCorrection(inbox, reference) : null;
}

/** A new correction. */
export const insertCorrection = (
  inbox: Inbox,
  row: {
    readonly reference: string;
    readonly digest: string;
    readonly at: string;
    readonly about: CorrectedThing;
    readonly lang: Lang;
    readonly correction: Correction;
    readonly is_doubtful: boolean;
  },
): number => {
  const { about, lang, correction, ...rest } = row;
  return insertChange(inbox, {
    ...rest,
    maker: 'reader',
    door: 'report',
    kind: about.kind,
    thing: about.id,
    title: about.title,
    asks: 'check',
    text: { ...correction, lang },
  });
};
