// A row of the table of changes.
import * as v from 'valibot';
import { CHANGE_ASKS, CHANGE_DOORS, CHANGE_MAKERS, CHANGE_STATES } from '../domain/change.ts';
import { HISTORY_KINDS } from '../domain/history.ts';

const json = <S extends v.GenericSchema>(schema: S) =>
  v.nullable(v.pipe(v.string(), v.parseJson(), schema));
/** A column that is 1 or 0. */
const flag = v.pipe(
  v.number(),
  v.transform((one) => one === 1),
);

export const ChangeRow = v.object({
  id: v.number(),
  /** When it was asked for: timestamp. */
  at: v.string(),
  maker: v.picklist(CHANGE_MAKERS),
  door: v.picklist(CHANGE_DOORS),
  kind: v.picklist(HISTORY_KINDS),
  /** The id of what it is about; null where that is known by the reference alone. */
  thing: v.nullable(v.string()),
  /** `HC-7K3M9Q`: the same for all that is asked under one token; null of an editor's own. */
  reference: v.nullable(v.string()),
  /** From 1; one more with each thing that its sender asks. */
  revision: v.number(),
  asks: v.picklist(CHANGE_ASKS),
  title: v.string(),
  /** The days that are meant, YYYY-MM-DD; null is all of it. */
  dates: json(v.array(v.string())),
  /** The sender's words to the desk. */
  message: v.nullable(v.string()),
  /** As whoever asks wrote it. */
  text: json(v.unknown()),
  /** An editor's work on the text, by control. */
  draft: json(v.record(v.string(), v.string())),
  /** What the agenda is told by it; null until it was applied once. */
  record: json(v.unknown()),
  /** Of an edit, what the source said then. */
  source: json(v.unknown()),
  state: v.picklist(CHANGE_STATES),
  /** The number of the decision by which it stands so. */
  decided: v.nullable(v.number()),
  reason: v.nullable(v.string()),
  is_doubtful: flag,
  /** What is private of it was erased. */
  is_forgotten: flag,
  /** The calendar that it came with, by what name, saying what. */
  batch: v.nullable(v.number()),
  uid: v.nullable(v.string()),
  uid_digest: v.nullable(v.string()),
});
