// The files that the desk can change, field by field: the schemas of content/, with the places that
// an event names by their ids, and with the pictures that the inbox holds itself.
import * as v from 'valibot';
import type { HistoryKind } from '../../domain/history.ts';
import { SAME_FIELD, type ThingRecord } from '../../domain/edit/edit.ts';
import { readUploadLink } from '../../domain/submission/picture.ts';
import { EventSchema, NoticeSchema, OrganizerSchema, VenueSchema } from '../content-schema.ts';
import { toSentence } from '../issues.ts';
import { identity, line, local, MAX, placeId, provenance } from '../schema-fields.ts';

const pictureLink = v.pipe(
  line(MAX.url),
  v.check(
    (text) => readUploadLink(text) !== null || (/^https?:\/\//i.test(text) && URL.canParse(text)),
    'must be an address that begins with https:// or http://',
  ),
  v.metadata({ control: 'picture' }),
);

/** By kind. What the schema of content/ takes is taken, and nothing else. */
export const EDITABLE = {
  event: v.strictObject({
    ...EventSchema.entries,
    venue: v.optional(placeId('venue')),
    organizer: v.optional(placeId('organizer')),
    image: v.optional(v.strictObject({ url: pictureLink, alt: local(line(MAX.summary)) })),
  }),
  venue: VenueSchema,
  organizer: OrganizerSchema,
  notice: NoticeSchema,
} as const;

/** What is decided elsewhere at the desk, or never changes: no field of the editor. */
const NOT_EDITED: readonly string[] = [
  'id',
  'former_ids',
  'status',
  'status_note',
  'changes',
  'withdrawn',
];

/** What readers see comes before what a thing is called by programs and where it comes from. */
const LAST: readonly string[] = [...Object.keys(provenance), ...Object.keys(identity), SAME_FIELD];

/** The schema of each field of a kind that can be edited, in the order of the form. */
export function listEditable(kind: HistoryKind): readonly (readonly [string, v.GenericSchema])[] {
  const schema = EDITABLE[kind];
  const { entries } = 'pipe' in schema ? schema.pipe[0] : schema;
  const fields: [string, v.GenericSchema][] = Object.entries(entries);
  return fields
    .filter(([field]) => !NOT_EDITED.includes(field))
    .sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));
}

const pick = (record: ThingRecord, isPicked: (field: string) => boolean): ThingRecord =>
  Object.fromEntries(Object.entries(record).filter(([field]) => isPicked(field)));

/** The fields of a record that can be edited. */
export function toEditable(kind: HistoryKind, record: ThingRecord): ThingRecord {
  const fields = new Set(listEditable(kind).map(([field]) => field));
  return pick(record, (field) => fields.has(field));
}

/** A source's record with an edit in its place: what cannot be edited stays the source's. */
export function layEdit(kind: HistoryKind, source: ThingRecord, edit: ThingRecord): ThingRecord {
  const own = toEditable(kind, source);
  return { ...pick(source, (field) => !(field in own)), ...toEditable(kind, edit) };
}

/** A fault of a field, by its path: `when.0.start`. */
export interface FieldIssue {
  readonly path: string;
  readonly rule: 'missing' | 'invalid';
  readonly message: string;
}

/** A record of a kind with every fault that it has; `value` as the schema leaves it. */
export function checkRecord(
  kind: HistoryKind,
  record: object,
): {
  readonly value: Readonly<Record<string, unknown>> | null;
  readonly issues: readonly FieldIssue[];
} {
  const result = v.safeParse(EDITABLE[kind], record);
  if (result.success) return { value: { ...result.output }, issues: [] };
  return { value: null, issues: result.issues.flatMap(toFieldIssues) };
}

/** A union's fault is that of the form which got furthest. */
function toFieldIssues(issue: v.BaseIssue<unknown>): FieldIssue[] {
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  if (deeper.length > 0) return deeper.flatMap(toFieldIssues);
  const rule = issue.input === undefined ? 'missing' : 'invalid';
  return [{ path: v.getDotPath(issue) ?? '', rule, message: toSentence(issue) }];
}
