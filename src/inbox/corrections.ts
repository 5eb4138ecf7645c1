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
import { type Change, getCurrent, insertChange, listChanges } from './changes.ts';
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
export const getCorrection = async (
  inbox: Inbox,
  reference: string,
): Promise<StoredCorrection | null> => toCorrection(await getCurrent(inbox, reference));

/** The one with this digest that waits; null where none does. */
export async function getPendingCorrection(
  inbox: Inbox,
  digest: string,
): Promise<StoredCorrection | null> {
  const [found] = await listChanges(inbox, (query) =>
    query.where('digest', '=', digest).where('state', '=', 'waiting'),
  );
  return found === undefined ? null : toCorrection(found);
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
): Promise<number> => {
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
