// Inbox records: loads approved changes from the inbox and validates them with the content schemas.
// Invalid rows are left out and reported.
import * as v from 'valibot';
import { MAX_REASON_LENGTH } from '../../domain/change.ts';
import { PictureIdSchema, formatUploadUri } from '../../domain/submission/submitted-picture.ts';
import {
  listVenuesNamedByPendingChanges,
  loadAppliedChanges,
} from '../../inbox/applied-changes.ts';
import { listStatusesFromSources } from '../../inbox/followed-sources.ts';
import type { Inbox } from '../../inbox/open.ts';
import {
  type EventFile,
  EventSchema,
  NoticeSchema,
  OrganizerSchema,
  VenueSchema,
} from '../content-schema.ts';
import {
  daySchema,
  contentLineSchema,
  localTextOf,
  MAX_LENGTHS,
  optionalLocalLine,
} from '../content-field-schemas.ts';

const existingRecordSchema = v.strictObject({ id: v.string() });
const { image, ...OTHER_FIELDS } = EventSchema.entries;

/** An approved submission: an event with its venue and organizer, by id or as new files. */
export const PublicationSchema = v.strictObject({
  event: v.strictObject({
    ...OTHER_FIELDS,
    /** A picture by URL, as in content, or one uploaded to the inbox. */
    image: v.optional(
      v.union([
        v.strictObject({
          upload: PictureIdSchema,
          alt: localTextOf(contentLineSchema(MAX_LENGTHS.summary)),
        }),
        image.wrapped,
      ]),
    ),
  }),
  venue: v.nullable(v.union([existingRecordSchema, v.strictObject({ file: VenueSchema })])),
  organizer: v.nullable(v.union([existingRecordSchema, v.strictObject({ file: OrganizerSchema })])),
  /**
   * Form values at the time of approval, without private ones: to compare with a later amendment.
   */
  form: v.optional(v.record(v.string(), v.string())),
});
export type Publication = v.InferOutput<typeof PublicationSchema>;

const { venue, organizer } = PublicationSchema.entries;
/** The venue and organizer of a publication, without validating the event. */
const ReferencesSchema = v.object({ venue, organizer });

/**
 * Returns the event of a publication as a content file. An uploaded picture gets a URI that only
 * releases resolve.
 */
export function eventFileOf({ event }: Pick<Publication, 'event'>): EventFile {
  const { image, ...others } = event;
  if (image === undefined) return others;
  const url = 'upload' in image ? formatUploadUri(image.upload) : image.url;
  return { ...others, image: { url, alt: image.alt } };
}

/** A status override of an event or of one of its days (contract 5.3). */
const StatusOverrideSchema = v.union([
  v.strictObject({
    status: v.picklist(['published', 'cancelled', 'postponed']),
    note: optionalLocalLine(MAX_LENGTHS.summary),
  }),
  v.strictObject({
    status: v.literal('withdrawn'),
    date: daySchema,
    reason: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_REASON_LENGTH)),
  }),
  /**
   * The organizer confirmed these starts (`YYYY-MM-DDTHH:MM`) on a day; `by`: the event id or
   * submission reference in the link of the reminder email.
   */
  v.strictObject({
    status: v.literal('confirmed'),
    on: daySchema,
    by: v.string(),
    starts: v.array(v.string()),
  }),
]);

/** Parses a status override. @returns null if this version does not support it. */
export function parseStatusOverride(
  record: unknown,
): v.InferOutput<typeof StatusOverrideSchema> | null {
  const result = v.safeParse(StatusOverrideSchema, record);
  return result.success ? result.output : null;
}

/**
 * Approved changes: `publications` are submissions; `edits` are overrides of records, `overrides`
 * of statuses; `followed` are statuses from followed sources; `omitted` lists the rows left out,
 * each with the reason.
 */
export type InboxRecords = Awaited<ReturnType<typeof loadInboxRecords>>;

export const NO_INBOX_RECORDS: InboxRecords = {
  publications: [],
  inactive_submissions: [],
  waiting_venues: [],
  overrides: [],
  notices: [],
  edits: [],
  followed: [],
  omitted: [],
};

/**
 * Loads the inbox records. A row that a newer schema rejects is left out and reported, so that
 * others still publish.
 */
export async function loadInboxRecords(inbox: Inbox) {
  const omitted: string[] = [];
  const parseRows = <Row extends { readonly record: unknown }, S extends v.GenericSchema>(
    rows: readonly Row[],
    schema: S,
    formatName: (row: Row) => string,
  ): readonly (Omit<Row, 'record'> & { readonly record: v.InferOutput<S> })[] =>
    rows.flatMap((row) => {
      const { success, output, issues } = v.safeParse(schema, row.record);
      if (success) return [{ ...row, record: output }];
      const [issue] = issues;
      omitted.push(`${formatName(row)} ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
      return [];
    });
  const { publications, inactive_submissions, overrides, notices, edits } =
    await loadAppliedChanges(inbox);
  return {
    publications: parseRows(publications, PublicationSchema, ({ id }) => id),
    /** Versions that are no longer applied: their venues may still be in use. */
    inactive_submissions: inactive_submissions.flatMap(({ record, ...row }) => {
      const { success, output } = v.safeParse(ReferencesSchema, record);
      return success ? [{ ...row, record: output }] : [];
    }),
    /** Ids of the venues that pending submissions name. */
    waiting_venues: await listVenuesNamedByPendingChanges(inbox),
    overrides: parseRows(overrides, StatusOverrideSchema, ({ event, date }) => `${event} ${date}`),
    notices: parseRows(notices, NoticeSchema, ({ id }) => id),
    edits,
    followed: await listStatusesFromSources(inbox),
    omitted,
  };
}
