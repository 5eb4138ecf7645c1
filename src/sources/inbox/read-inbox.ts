// What the desk let into the agenda, read back through the schemas of content/; a row that does not
// pass is left out and named.
import * as v from 'valibot';
import type { Edit } from '../../domain/edit/edit.ts';
import { listDeskNotices, listEdits, listOverrides } from '../../inbox/applied.ts';
import type { Inbox } from '../../inbox/open.ts';
import { listPublications } from '../../inbox/submissions.ts';
import { type NoticeFile, NoticeSchema } from '../content-schema.ts';
import { type Override, OverrideSchema } from './override.ts';
import { type Publication, PublicationSchema } from './publication.ts';

export interface InboxRecords {
  readonly publications: readonly {
    readonly reference: string;
    readonly publication: Publication;
  }[];
  readonly overrides: readonly {
    readonly event: string;
    readonly date: string;
    readonly override: Override;
  }[];
  readonly notices: readonly { readonly id: string; readonly notice: NoticeFile }[];
  readonly edits: readonly Edit[];
  /**
   * What is left out, and why: a row that a newer schema refuses must not keep the rest from being
   * published.
   */
  readonly left_out: readonly string[];
}

export const NO_INBOX_RECORDS: InboxRecords = {
  publications: [],
  overrides: [],
  notices: [],
  edits: [],
  left_out: [],
};

export async function readInboxRecords(inbox: Inbox): Promise<InboxRecords> {
  const left_out: string[] = [];
  const read = <S extends v.GenericSchema>(
    schema: S,
    record: unknown,
    name: string,
  ): v.InferOutput<S>[] => {
    const result = v.safeParse(schema, record);
    if (result.success) return [result.output];
    left_out.push(`${name} ${v.getDotPath(result.issues[0]) ?? ''}: ${result.issues[0].message}`);
    return [];
  };
  return {
    publications: (await listPublications(inbox)).flatMap(({ reference, record }) =>
      read(PublicationSchema, record, reference).map((publication) => ({ reference, publication })),
    ),
    overrides: (await listOverrides(inbox)).flatMap(({ event, date, record }) =>
      read(OverrideSchema, record, `${event} ${date}`).map((override) => ({
        event,
        date,
        override,
      })),
    ),
    notices: (await listDeskNotices(inbox)).flatMap(({ id, record }) =>
      read(NoticeSchema, record, id).map((notice) => ({ id, notice })),
    ),
    edits: await listEdits(inbox),
    left_out,
  };
}
