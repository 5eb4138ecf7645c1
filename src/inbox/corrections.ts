// The table of corrections: what readers say has changed, each as it stands at the desk.
import * as v from 'valibot';
import {
  CORRECTABLE,
  CORRECTION_STATES,
  type CorrectedThing,
  type Correction,
  CorrectionLangSchema,
  CorrectionRecordSchema,
  type CorrectionState,
  type StoredCorrection,
} from '../domain/correction.ts';
import type { Lang } from '../domain/lang.ts';
import type { Inbox } from './open.ts';

const Row = v.object({
  reference: v.string(),
  received_at: v.string(),
  kind: v.picklist(CORRECTABLE),
  thing: v.string(),
  title: v.string(),
  lang: CorrectionLangSchema,
  state: v.picklist(CORRECTION_STATES),
  reason: v.nullable(v.string()),
  record: v.string(),
});
const SELECT =
  'select reference, received_at, kind, thing, title, lang, state, reason, record from corrections';

function toStored(row: unknown): StoredCorrection {
  const { kind, thing, title, record, ...rest } = v.parse(Row, row);
  return {
    ...rest,
    about: { kind, id: thing, title },
    ...v.parse(CorrectionRecordSchema, JSON.parse(record)),
  };
}

/** By its reference, in any case; null where there is none. */
export function getCorrection(inbox: Inbox, reference: string): StoredCorrection | null {
  const row: unknown = inbox.prepare(`${SELECT} where reference = ?`).get(reference.toUpperCase());
  return row === undefined ? null : toStored(row);
}

/** The one with this digest that waits; null where none does. */
export function getPendingCorrection(inbox: Inbox, digest: string): StoredCorrection | null {
  const row: unknown = inbox
    .prepare(`${SELECT} where state = 'pending' and digest = ?`)
    .get(digest);
  return row === undefined ? null : toStored(row);
}

/** A new correction, pending. */
export function insertCorrection(
  inbox: Inbox,
  row: {
    readonly reference: string;
    readonly digest: string;
    readonly at: string;
    readonly about: CorrectedThing;
    readonly lang: Lang;
    readonly correction: Correction;
  },
): void {
  const { reference, digest, at, about, lang, correction } = row;
  inbox
    .prepare("insert into corrections values (?, ?, ?, ?, ?, ?, ?, 'pending', null, ?)")
    .run(
      reference,
      digest,
      at,
      about.kind,
      about.id,
      about.title,
      lang,
      JSON.stringify(correction),
    );
}

/** The desk has decided. */
export function setCorrectionState(
  inbox: Inbox,
  reference: string,
  state: CorrectionState,
  reason: string | null,
): void {
  inbox
    .prepare('update corrections set state = ?, reason = ? where reference = ?')
    .run(state, reason, reference);
}
