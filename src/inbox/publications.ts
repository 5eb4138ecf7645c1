// The table of publications: the texts that the desk has let into the agenda, as plain records for
// sources.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

export interface PublicationRow {
  readonly reference: string;
  readonly channel: 'form' | 'agent';
  readonly record: unknown;
}

/** A record stored as JSON; its schema is for whoever reads it. */
export const JsonColumn = v.pipe(
  v.string(),
  v.transform((text): unknown => JSON.parse(text)),
);
const Rows = v.array(
  v.object({
    reference: v.string(),
    channel: v.picklist(['form', 'agent']),
    record: JsonColumn,
  }),
);

export function listPublications(inbox: Inbox): readonly PublicationRow[] {
  return v.parse(
    Rows,
    inbox
      .prepare(
        'select reference, channel, publications.record from publications join submissions using (reference) order by reference',
      )
      .all(),
  );
}

const FormColumn = v.nullable(v.pipe(JsonColumn, v.record(v.string(), v.string())));

/** What stood in the controls when it was approved; null where nothing is published or nobody noted it. */
export function getApprovedForm(inbox: Inbox, reference: string): Record<string, string> | null {
  const form: unknown = inbox
    .prepare("select record -> '$.form' from publications where reference = ?")
    .pluck()
    .get(reference);
  return form === undefined ? null : v.parse(FormColumn, form);
}

/** Stores the record of a reference, over the one that is there. */
export function putPublication(inbox: Inbox, reference: string, record: object): void {
  inbox
    .prepare(
      'insert into publications values (?, ?) on conflict do update set record = excluded.record',
    )
    .run(reference, JSON.stringify(record));
}

/** The references of what the desk has let in. */
export const listPublishedReferences = (inbox: Inbox): readonly string[] =>
  v.parse(
    v.array(v.string()),
    inbox.prepare('select reference from publications order by reference').pluck().all(),
  );
