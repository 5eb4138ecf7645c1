// Content and what the desk let in beside it, as one content; an address for each thing that came
// through the inbox: the slug of its name, with its reference where that one belongs to another.
import { foldText, slugify } from '../../domain/text-folding.ts';
import { SAME_AS_FIELD } from '../../domain/override/record-override.ts';
import { byLang } from '../../domain/lang.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { EventFile, NoticeFile, OrganizerFile, VenueFile } from '../content-schema.ts';
import { getId, listSlugsAndId, deriveId } from '../identity.ts';
import type { Content, ParsedContentFile } from '../load-content.ts';
import { listRecordAddresses } from './editable-fields.ts';
import { type InboxRecords, type Publication, eventFileOf } from './load-inbox.ts';

/** What a file of the inbox is called: no file of content/ can be, so no id of theirs is ever the same. */
const toStem = (reference: string): string => `inbox/${reference}`;

/** The id that an approved submission's event has, before and after it is in a release. */
export const submittedEventId = (reference: string): string => deriveId('event', toStem(reference));

/** The id that a notice of the desk has there, without its day. */
export const deskNoticeId = (id: string): string => deriveId('notice', toStem(id));

const toFile = <T>(reference: string, value: T): ParsedContentFile<T> => ({
  file: toStem(reference),
  stem: toStem(reference),
  value,
  lineOf: () => null,
});

/** An event with other places in the place of those that it names. */
export function replaceRecordReferences(
  source: ParsedContentFile<EventFile>,
  find: (field: 'venue' | 'organizer', named: string) => string | undefined,
): ParsedContentFile<EventFile> {
  const { venue, organizer } = source.value;
  const at = venue && find('venue', venue);
  const by = organizer && find('organizer', organizer);
  if (!at && !by) return source;
  const value = {
    ...source.value,
    ...(at ? { venue: at } : {}),
    ...(by ? { organizer: by } : {}),
  };
  return { ...source, value };
}

/**
 * Content with publications and notices of the inbox, and with the places of every event by their ids. Where
 * names meet, content keeps its own.
 */
export function mergeInbox(content: Content, records: InboxRecords, ledger: Ledger): Content {
  const venues = mergePlaces('venue', content.venues, records, ledger, ({ venue }) => venue);
  const organizers = mergePlaces(
    'organizer',
    content.organizers,
    records,
    ledger,
    ({ organizer }) => organizer,
  );
  const takeSlug = createSlugRegister('event', content.events, records, ledger);
  const published = records.publications.map(({ id: reference, record }) => {
    const id = submittedEventId(reference);
    const { title } = record.event;
    const slug = byLang((lang) => takeSlug(id, slugify(title[lang]), reference));
    const venue = venues.by_reference.get(reference);
    const organizer = organizers.by_reference.get(reference);
    return toFile<EventFile>(reference, {
      ...eventFileOf(record),
      id,
      slug,
      ...(venue ? { venue } : {}),
      ...(organizer ? { organizer } : {}),
    });
  });
  const ids = { venue: venues.by_stem, organizer: organizers.by_stem };
  const own = content.events.map((file) =>
    replaceRecordReferences(file, (of, stem) => ids[of].get(stem)),
  );
  return {
    ...content,
    venues: venues.files,
    organizers: organizers.files,
    events: [...own, ...published],
    notices: [
      ...content.notices,
      ...records.notices.map(({ id, record }) => toFile<NoticeFile>(id, toConfirmed(record))),
    ],
  };
}

/** Who writes a notice at the desk confirms it for the day on which it begins. */
const toConfirmed = (notice: NoticeFile): NoticeFile => {
  const bulletin = notice.bulletin ?? notice.when[0]?.dates?.[0];
  return bulletin === undefined ? notice : { ...notice, bulletin };
};

interface MergedRecords<T> {
  readonly files: readonly ParsedContentFile<T>[];
  /** Ids of those in files, by the name of the file. */
  readonly by_stem: ReadonlyMap<string, string>;
  /** Ids by the publication that names them; empty of what is not there any more, which must not stop a release. */
  readonly by_reference: ReadonlyMap<string, string>;
}

type NamedPlaceRef<T> = { readonly id: string } | { readonly file: T };
type Find<T> = (said: Pick<Publication, 'venue' | 'organizer'>) => NamedPlaceRef<T> | null;

/** By what its address is made of; in other letters, by itself. */
const toNameKey = ({ name }: VenueFile | OrganizerFile): string => slugify(name) || foldText(name);

/** New places by id in the newest words of whoever brought them, and the id that each publication names now. */
function listBrought<T extends VenueFile | OrganizerFile>(
  kind: 'venue' | 'organizer',
  { publications, told }: InboxRecords,
  published: ReadonlyMap<string, string>,
  find: Find<T>,
) {
  const first = new Map<string, string>();
  for (const { id, record } of [...told, ...publications].sort((a, b) => b.row - a.row)) {
    const place = find(record);
    if (place && 'file' in place) first.set(id, toNameKey(place.file));
  }
  const toPlaceId = (reference: string, place: NamedPlaceRef<T>): string => {
    if ('id' in place) return place.id;
    const name = toNameKey(place.file);
    const own = deriveId(kind, toStem(reference));
    // Releases up to November 2026 took what the same sender brought next for the same place.
    const is_own = first.get(reference) === name || published.get(name) === own;
    return is_own ? own : deriveId(kind, toStem(`${reference}/${name}`));
  };
  const list = (all: readonly Pick<(typeof told)[number], 'id' | 'record'>[]) =>
    all.flatMap(({ id: reference, record }) => {
      const place = find(record);
      return place ? [{ id: toPlaceId(reference, place), place, reference }] : [];
    });
  const named = list(publications);
  const brought = new Map(
    [...list(told), ...named].flatMap(({ id, place, reference }) =>
      'file' in place ? [[id, { value: place.file, reference }] as const] : [],
    ),
  );
  return { brought, named };
}

/**
 * New places once each: who say the same name, address and zone share one. One that was published stays while anybody
 * names it, and where its event is at none.
 */
function mergePlaces<T extends VenueFile | OrganizerFile>(
  kind: 'venue' | 'organizer',
  files: readonly ParsedContentFile<T>[],
  records: InboxRecords,
  ledger: Ledger,
  find: Find<T>,
): MergedRecords<T> {
  const takeSlug = createSlugRegister(kind, files, records, ledger);
  const by_stem = new Map(files.map((file) => [file.stem, getId(kind, file)]));
  const published = new Map(
    ledger.slugs.filter((one) => one.kind === kind).map(({ slug, id }) => [slug, id]),
  );
  const { brought, named } = listBrought(kind, records, published, find);
  const released = new Set(published.values());
  // Those that editors, content or texts which wait mean by their ids: each stays a place of its own.
  const apart = new Set<unknown>([
    ...records.edits.flatMap(({ record }) => [record[kind], record[SAME_AS_FIELD]]),
    ...records.edits.map(({ thing }) => thing).filter((thing) => released.has(thing)),
    ...files.flatMap(({ value: { same_as, former_ids } }) => [same_as, ...former_ids]),
    ...records.waiting_venues,
  ]);
  // For each place the one that stands for it: itself, or of those alike the one that was published.
  const held = new Set<unknown>([...released, ...apart, ...named.map(({ id }) => id)]);
  const kept = new Map([...by_stem.values(), ...brought.keys()].map((id) => [id, id]));
  const toRank = (id: string): number =>
    released.has(id) ? Number(apart.has(id)) : 3 - Number(apart.has(id));
  const all = [...brought].filter(([id]) => held.has(id));
  for (const alike of Map.groupBy(all, ([, { value }]) => toKey(value)).values()) {
    // One apart takes nothing from one that was published by being published, too.
    const [one] = alike.sort(([a], [b]) => toRank(a) - toRank(b) || (a < b ? -1 : 1));
    for (const [id] of alike) if (one && !apart.has(id)) kept.set(id, one[0]);
  }
  const by_reference = new Map(
    named.map(({ reference, id }) => [reference, kept.get(id) ?? ''] as const),
  );
  // A place that was published and is nowhere any more leads to where the event of whoever brought it is.
  const there = new Set<unknown>([...by_reference.values(), ...apart]);
  const findNow = (id: string): string => {
    const one = kept.get(id) ?? id;
    return there.has(one) ? one : by_reference.get(brought.get(one)?.reference ?? '') || one;
  };
  const former = Map.groupBy(
    [...brought.keys()].filter((id) => released.has(id)),
    findNow,
  );
  const withFormer = (id: string, value: T): T => {
    const others = (former.get(id) ?? []).filter((other) => other !== id);
    return { ...value, former_ids: [...value.former_ids, ...others] };
  };
  const added = [...brought].flatMap(([id, { value, reference }]) => {
    if (!there.has(id) && !former.has(id)) return [];
    const slug = takeSlug(id, slugify(value.name), reference);
    return [
      toFile(`${reference}/${id}`, { ...withFormer(id, value), id, slug: byLang(() => slug) }),
    ];
  });
  const own = files.map((file) => {
    const id = getId(kind, file);
    return former.has(id) ? { ...file, value: withFormer(id, file.value) } : file;
  });
  return { files: [...own, ...added], by_stem, by_reference };
}

/** The same of two places that are one. */
function toKey(place: VenueFile | OrganizerFile): string {
  const { name, address = '', zone = '' } = { address: '', zone: '', ...place };
  return foldText([name, address, zone].join('\n'));
}

/** Room for `-hc-7k3m9q` within the 80 characters of a slug. */
const MAX_NAME = 69;

/** Gives a thing its slug and remembers it: `(id, wanted, reference)`. An empty name gives the reference alone. */
function createSlugRegister(
  kind: 'event' | 'venue' | 'organizer',
  files: readonly ParsedContentFile<EventFile | VenueFile | OrganizerFile>[],
  { edits }: InboxRecords,
  ledger: Ledger,
): (id: string, wanted: string, reference: string) => string {
  const owners = new Map(
    ledger.slugs.filter((slug) => slug.kind === kind).map((slug) => [slug.slug, slug.id]),
  );
  for (const file of files) {
    const id = getId(kind, file);
    for (const slug of listSlugsAndId(id, file.value)) owners.set(slug, id);
  }
  // What an editor has looked at keeps its address, in a release or not yet.
  for (const edit of edits.filter((one) => one.kind === kind))
    for (const slug of listRecordAddresses(edit.thing, edit.record))
      if (!owners.has(slug)) owners.set(slug, edit.thing);
  return (id, wanted, reference) => {
    const end = reference.toLowerCase();
    const name = wanted.slice(0, MAX_NAME).replace(/-+$/, '');
    let slug = wanted;
    for (let at = 1; slug === '' || (owners.get(slug) ?? id) !== id; at += 1)
      slug = at > 1 ? `${end}-${at}` : `${name}-${end}`.replace(/^-/, '');
    owners.set(slug, id);
    return slug;
  };
}
