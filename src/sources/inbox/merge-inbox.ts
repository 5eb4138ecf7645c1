// Inbox merge: adds approved submissions and desk notices to content. A reference (HC-7K3M9Q)
// identifies a submission through all its versions. A publication is its version in the agenda: an
// event with its venue and organizer. An inactive submission is another version that was approved
// once: superseded, withdrawn or undone. New records get the slug of their name, with the reference
// appended if another record has that slug. Ids derive from `inbox/REFERENCE` for an event and the
// first venue and organizer of a submission, and `inbox/REFERENCE/NAME` for later ones.
//
// Example: the sender of HC-7K3M9Q names the new venue "Bar A", which is released, and corrects it
// to "Bar B". Both are submitted records of HC-7K3M9Q; only Bar B is current. If anything else still
// refers to Bar A, such as an event of another sender, both remain. Otherwise the id of Bar A becomes
// a former id of Bar B, and its address redirects there.
import { foldText, slugify } from '../../domain/text-folding.ts';
import { SAME_AS_FIELD } from '../../domain/override/record-override.ts';
import { byLang } from '../../domain/lang.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { EventFile, NoticeFile, OrganizerFile, VenueFile } from '../content-schema.ts';
import { getId, listSlugsAndId, deriveId } from '../identity.ts';
import type { Content, ParsedContentFile } from '../load-content.ts';
import { listRecordAddresses } from './editable-fields.ts';
import { type InboxRecords, type Publication, eventFileOf } from './load-inbox.ts';

/** Builds the file stem of an inbox record. No content file can have it, so ids never collide. */
const inboxStem = (reference: string): string => `inbox/${reference}`;

/**
 * Derives the event id of an approved submission, which is the same before and after its release.
 */
export const submittedEventId = (reference: string): string =>
  deriveId('event', inboxStem(reference));

/** Derives the id of a desk notice. In a release, its first day is appended: `no_…-20261120`. */
export const deskNoticeId = (id: string): string => deriveId('notice', inboxStem(id));

const inboxFile = <T>(reference: string, value: T): ParsedContentFile<T> => ({
  file: inboxStem(reference),
  stem: inboxStem(reference),
  value,
  lineOf: () => null,
});

/**
 * Replaces the venue and organizer that an event refers to.
 * @param find Returns the new id for the present one, which in content is a file name; undefined to
 * leave it.
 */
export function replaceRecordReferences(
  source: ParsedContentFile<EventFile>,
  find: (field: 'venue' | 'organizer', id: string) => string | undefined,
): ParsedContentFile<EventFile> {
  const { venue, organizer } = source.value;
  const new_venue = venue && find('venue', venue);
  const new_organizer = organizer && find('organizer', organizer);
  if (!new_venue && !new_organizer) return source;
  const value = {
    ...source.value,
    ...(new_venue ? { venue: new_venue } : {}),
    ...(new_organizer ? { organizer: new_organizer } : {}),
  };
  return { ...source, value };
}

/**
 * Merges approved submissions and desk notices into content, and makes every event refer to its
 * venue and organizer by id. On a name conflict, the record in content keeps its slug.
 */
export function mergeInbox(content: Content, records: InboxRecords, ledger: Ledger): Content {
  const venues = mergeReferencedRecords(
    'venue',
    content.venues,
    records,
    ledger,
    ({ venue }) => venue,
  );
  const organizers = mergeReferencedRecords(
    'organizer',
    content.organizers,
    records,
    ledger,
    ({ organizer }) => organizer,
  );

  const claimSlug = createSlugRegister('event', content.events, records, ledger);
  const submitted_events = records.publications.map(({ id: reference, record }) => {
    const id = submittedEventId(reference);
    const { title } = record.event;
    const slug = byLang((lang) => claimSlug(id, slugify(title[lang]), reference));
    const venue = venues.by_reference.get(reference);
    const organizer = organizers.by_reference.get(reference);
    return inboxFile<EventFile>(reference, {
      ...eventFileOf(record),
      id,
      slug,
      ...(venue ? { venue } : {}),
      ...(organizer ? { organizer } : {}),
    });
  });
  const desk_notices = records.notices.map(({ id, record }) =>
    inboxFile<NoticeFile>(id, confirmNotice(record)),
  );

  // Content refers to venues and organizers by file name.
  const ids_by_file = { venue: venues.by_stem, organizer: organizers.by_stem };
  const content_events = content.events.map((file) =>
    replaceRecordReferences(file, (field, file_name) => ids_by_file[field].get(file_name)),
  );
  return {
    ...content,
    venues: venues.files,
    organizers: organizers.files,
    events: [...content_events, ...submitted_events],
    notices: [...content.notices, ...desk_notices],
  };
}

/** Confirms a desk notice for its first day: the editor who writes it vouches for it. */
const confirmNotice = (notice: NoticeFile): NoticeFile => {
  const bulletin = notice.bulletin ?? notice.when[0]?.dates?.[0];
  return bulletin === undefined ? notice : { ...notice, bulletin };
};

interface MergedRecords<T> {
  readonly files: readonly ParsedContentFile<T>[];
  /** Ids of the records in content, by file stem. */
  readonly by_stem: ReadonlyMap<string, string>;
  /**
   * Ids by the reference of the publication. The id is empty if the record no longer exists, which
   * must not stop a release.
   */
  readonly by_reference: ReadonlyMap<string, string>;
}

/** A venue or organizer of a publication: the id of a record, or the file of a new one. */
type NamedPlaceRef<T> = { readonly id: string } | { readonly file: T };
type GetPlaceRef<T> = (
  publication: Pick<Publication, 'venue' | 'organizer'>,
) => NamedPlaceRef<T> | null;

/** A new venue or organizer, and the reference of its submission. */
interface SubmittedRecord<T> {
  readonly value: T;
  readonly reference: string;
}

/**
 * Merges the venues or organizers of publications into content. New records with the same name,
 * address and zone become one. A released record without references redirects to the venue or
 * organizer that the publication of its sender names now, or remains if there is none.
 */
function mergeReferencedRecords<T extends VenueFile | OrganizerFile>(
  kind: 'venue' | 'organizer',
  files: readonly ParsedContentFile<T>[],
  records: InboxRecords,
  ledger: Ledger,
  getPlaceRef: GetPlaceRef<T>,
): MergedRecords<T> {
  const claimSlug = createSlugRegister(kind, files, records, ledger);
  const by_stem = new Map(files.map((file) => [file.stem, getId(kind, file)]));
  // Ids by slug.
  const published = new Map(
    ledger.slugs.filter((entry) => entry.kind === kind).map(({ slug, id }) => [slug, id]),
  );
  const released_ids = new Set(published.values());
  const { submitted, current } = listSubmittedRecords(kind, records, published, getPlaceRef);
  const protected_ids = listProtectedIds(kind, files, records, released_ids);
  const current_ids = current.map(({ id }) => id);
  const surviving_ids = new Map([
    ...[...by_stem.values(), ...submitted.keys()].map((id) => [id, id] as const),
    ...findEqualRecords(submitted, current_ids, released_ids, protected_ids),
  ]);
  const by_reference = new Map(
    current.map(({ reference, id }) => [reference, surviving_ids.get(id) ?? ''] as const),
  );

  const referenced_ids = new Set<unknown>([...by_reference.values(), ...protected_ids]);
  const findRedirectTarget = (id: string): string => {
    const survivor = surviving_ids.get(id) ?? id;
    if (referenced_ids.has(survivor)) return survivor;
    const sender_reference = submitted.get(survivor)?.reference ?? '';
    return by_reference.get(sender_reference) || survivor;
  };
  const redirects = Map.groupBy(
    [...submitted.keys()].filter((id) => released_ids.has(id)),
    findRedirectTarget,
  );
  const addFormerIds = (id: string, value: T): T => {
    const former_ids = (redirects.get(id) ?? []).filter((former_id) => former_id !== id);
    return { ...value, former_ids: [...value.former_ids, ...former_ids] };
  };

  const submitted_files = [...submitted].flatMap(([id, { value, reference }]) => {
    if (!referenced_ids.has(id) && !redirects.has(id)) return [];
    const slug = claimSlug(id, slugify(value.name), reference);
    const record = { ...addFormerIds(id, value), id, slug: byLang(() => slug) };
    return [inboxFile(`${reference}/${id}`, record)];
  });
  const content_files = files.map((file) => {
    const id = getId(kind, file);
    return redirects.has(id) ? { ...file, value: addFormerIds(id, file.value) } : file;
  });
  return { files: [...content_files, ...submitted_files], by_stem, by_reference };
}

/**
 * Lists the new venues or organizers of all publications by id, each as last submitted, and the ids
 * that the current publications refer to.
 */
function listSubmittedRecords<T extends VenueFile | OrganizerFile>(
  kind: 'venue' | 'organizer',
  { publications, inactive_submissions }: InboxRecords,
  published: ReadonlyMap<string, string>,
  getPlaceRef: GetPlaceRef<T>,
) {
  const first_names = new Map<string, string>();
  // `row`: the id of the version in the inbox, higher in later ones. The oldest is set last.
  const newest_first = [...inactive_submissions, ...publications].sort((a, b) => b.row - a.row);
  for (const { id, record } of newest_first) {
    const place = getPlaceRef(record);
    if (place && 'file' in place) first_names.set(id, nameKey(place.file));
  }
  const derivePlaceId = (reference: string, place: NamedPlaceRef<T>): string => {
    if ('id' in place) return place.id;
    const name = nameKey(place.file);
    const first_id = deriveId(kind, inboxStem(reference));
    // Releases up to November 2026 gave `first_id` to every new record of a submission, one after
    // another. A later name that was published under it keeps it: published ids do not change.
    const is_first = first_names.get(reference) === name || published.get(name) === first_id;
    return is_first ? first_id : deriveId(kind, inboxStem(`${reference}/${name}`));
  };
  const listRefs = (
    rows: readonly Pick<(typeof inactive_submissions)[number], 'id' | 'record'>[],
  ) =>
    rows.flatMap(({ id: reference, record }) => {
      const place = getPlaceRef(record);
      return place ? [{ id: derivePlaceId(reference, place), place, reference }] : [];
    });
  const current = listRefs(publications);
  const submitted: ReadonlyMap<string, SubmittedRecord<T>> = new Map(
    [...listRefs(inactive_submissions), ...current].flatMap(({ id, place, reference }) =>
      'file' in place ? [[id, { value: place.file, reference }] as const] : [],
    ),
  );
  return { submitted, current };
}

/** Returns the name as a slug or, if it has no Latin letters, folded. */
const nameKey = ({ name }: VenueFile | OrganizerFile): string => slugify(name) || foldText(name);

/**
 * Lists the ids that editors, content or pending submissions refer to. These records remain, and
 * are never merged into others. The records of `edits` are not validated yet: values of any type.
 */
const listProtectedIds = <T extends VenueFile | OrganizerFile>(
  kind: 'venue' | 'organizer',
  files: readonly ParsedContentFile<T>[],
  { edits, waiting_venues }: InboxRecords,
  released_ids: ReadonlySet<string>,
): ReadonlySet<unknown> =>
  new Set<unknown>([
    ...edits.flatMap(({ record }) => [record[kind], record[SAME_AS_FIELD]]),
    ...edits.map(({ thing: id }) => id).filter((id) => released_ids.has(id)),
    ...files.flatMap(({ value: { same_as, former_ids } }) => [same_as, ...former_ids]),
    ...waiting_venues,
  ]);

/** Maps the ids of equal submitted records to the survivor: a published, unprotected one if any. */
function findEqualRecords<T extends VenueFile | OrganizerFile>(
  submitted: ReadonlyMap<string, SubmittedRecord<T>>,
  current_ids: readonly string[],
  released_ids: ReadonlySet<string>,
  protected_ids: ReadonlySet<unknown>,
): readonly (readonly [id: string, survivor: string])[] {
  const used_ids = new Set<unknown>([...released_ids, ...protected_ids, ...current_ids]);
  // The survivor has the lowest rank. A protected record ranks after an unprotected released one, so
  // that its own release does not move the events of that one.
  const rank = (id: string): number => {
    const is_protected = protected_ids.has(id);
    if (released_ids.has(id)) return is_protected ? 1 : 0;
    return is_protected ? 2 : 3;
  };
  const used = [...submitted].filter(([id]) => used_ids.has(id));
  const groups = Map.groupBy(used, ([, { value }]) => equalityKey(value));
  return [...groups.values()].flatMap((group) => {
    const ids = group.map(([id]) => id).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    const [survivor] = ids;
    if (survivor === undefined) return [];
    return ids.filter((id) => !protected_ids.has(id)).map((id) => [id, survivor] as const);
  });
}

/** Returns a key of name, address and zone, which two files of the same record share. */
function equalityKey(file: VenueFile | OrganizerFile): string {
  const { name, address = '', zone = '' } = { address: '', zone: '', ...file };
  return foldText([name, address, zone].join('\n'));
}

/**
 * Longer names are truncated in a slug, to leave room for `-hc-7k3m9q` within its 80 characters.
 */
const MAX_NAME_LENGTH = 69;

/**
 * Creates a function that assigns a slug to a record: the preferred one, or with the reference
 * appended if another record has it. An empty name gives the reference alone.
 */
function createSlugRegister(
  kind: 'event' | 'venue' | 'organizer',
  files: readonly ParsedContentFile<EventFile | VenueFile | OrganizerFile>[],
  { edits }: InboxRecords,
  ledger: Ledger,
): (id: string, preferred: string, reference: string) => string {
  const owners = new Map(
    ledger.slugs.filter((entry) => entry.kind === kind).map(({ slug, id }) => [slug, id]),
  );
  for (const file of files) {
    const id = getId(kind, file);
    for (const slug of listSlugsAndId(id, file.value)) owners.set(slug, id);
  }
  // A record that an editor has overridden (`thing`: its id) keeps its slugs, even before its first
  // release, which enters them in the ledger.
  for (const edit of edits.filter((other) => other.kind === kind))
    for (const slug of listRecordAddresses(edit.thing, edit.record))
      if (!owners.has(slug)) owners.set(slug, edit.thing);
  return (id, preferred, reference) => {
    const suffix = reference.toLowerCase();
    const name = preferred.slice(0, MAX_NAME_LENGTH).replace(/-+$/, '');
    let slug = preferred;
    for (let attempt = 1; slug === '' || (owners.get(slug) ?? id) !== id; attempt += 1)
      slug = attempt > 1 ? `${suffix}-${attempt}` : `${name}-${suffix}`.replace(/^-/, '');
    owners.set(slug, id);
    return slug;
  };
}
