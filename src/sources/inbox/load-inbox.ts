// What the desk let into the agenda, read back through the schemas of content/; a row that does not
// pass is left out and named.
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

const known = v.strictObject({ id: v.string() });
const { image, ...OTHER_FIELDS } = EventSchema.entries;

/** An approved submission: an event file with its venue and organizer, known ones by id, new ones whole. */
export const PublicationSchema = v.strictObject({
  event: v.strictObject({
    ...OTHER_FIELDS,
    /** What content says by link, the inbox may hold itself. */
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
  venue: v.nullable(v.union([known, v.strictObject({ file: VenueSchema })])),
  organizer: v.nullable(v.union([known, v.strictObject({ file: OrganizerSchema })])),
  /** What stood in the controls when it was approved, but for what is private: to compare a later text with. */
  form: v.optional(v.record(v.string(), v.string())),
});
export type Publication = v.InferOutput<typeof PublicationSchema>;

const { venue, organizer } = PublicationSchema.entries;
/** What places it names, whatever else it says. */
const PlacesSchema = v.object({ venue, organizer });

/** Its event as a file of content: an uploaded picture by a link that only a release understands. */
export function eventFileOf({ event }: Pick<Publication, 'event'>): EventFile {
  const { image, ...others } = event;
  if (image === undefined) return others;
  const url = 'upload' in image ? formatUploadUri(image.upload) : image.url;
  return { ...others, image: { url, alt: image.alt } };
}

/** What the desk says over an event, wherever it came from, or over one of its days (contract 5.3). */
const OverrideSchema = v.union([
  v.strictObject({
    status: v.picklist(['published', 'cancelled', 'postponed']),
    note: optionalLocalLine(MAX_LENGTHS.summary),
  }),
  v.strictObject({
    status: v.literal('withdrawn'),
    date: daySchema,
    reason: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_REASON_LENGTH)),
  }),
  /** Its organizer says that it is on, at these moments. */
  v.strictObject({
    status: v.literal('confirmed'),
    on: daySchema,
    by: v.string(),
    starts: v.array(v.string()),
  }),
]);

/** Null where it is none that this version knows. */
export function parseStatusOverride(record: unknown): v.InferOutput<typeof OverrideSchema> | null {
  const result = v.safeParse(OverrideSchema, record);
  return result.success ? result.output : null;
}

export type InboxRecords = Awaited<ReturnType<typeof loadInboxRecords>>;

export const NO_INBOX_RECORDS: InboxRecords = {
  publications: [],
  told: [],
  waiting_venues: [],
  overrides: [],
  notices: [],
  edits: [],
  followed: [],
  left_out: [],
};

/** A row that a newer schema refuses is left out and named: it must not keep the rest from being published. */
export async function loadInboxRecords(inbox: Inbox) {
  const left_out: string[] = [];
  const read = <Row extends { readonly record: unknown }, S extends v.GenericSchema>(
    rows: readonly Row[],
    schema: S,
    toName: (row: Row) => string,
  ): readonly (Omit<Row, 'record'> & { readonly record: v.InferOutput<S> })[] =>
    rows.flatMap((row) => {
      const { success, output, issues } = v.safeParse(schema, row.record);
      if (success) return [{ ...row, record: output }];
      const [issue] = issues;
      left_out.push(`${toName(row)} ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
      return [];
    });
  const { publications, told, overrides, notices, edits } = await loadAppliedChanges(inbox);
  return {
    publications: read(publications, PublicationSchema, ({ id }) => id),
    told: told.flatMap(({ record, ...one }) => {
      const { success, output } = v.safeParse(PlacesSchema, record);
      return success ? [{ ...one, record: output }] : [];
    }),
    waiting_venues: await listVenuesNamedByPendingChanges(inbox),
    overrides: read(overrides, OverrideSchema, ({ event, date }) => `${event} ${date}`),
    notices: read(notices, NoticeSchema, ({ id }) => id),
    edits,
    followed: await listStatusesFromSources(inbox),
    left_out,
  };
}
