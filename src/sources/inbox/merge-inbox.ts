// Content and what the desk let in beside it, as one content; an address for each thing that came
// through the inbox: the slug of its name, with its reference where that one belongs to another.
import { fold, toSlug } from '../../domain/folding.ts';
import { byLang } from '../../domain/lang.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { EventFile, NoticeFile, OrganizerFile, VenueFile } from '../content-schema.ts';
import { idOf, listAddresses, toId } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';
import { type InboxRecords, type Publication, toEventFile } from './read-inbox.ts';

/** What a file of the inbox is called: no file of content/ can be, so no id of theirs is ever the same. */
const toStem = (reference: string): string => `inbox/${reference}`;

/** The id that an approved submission's event has, before and after it is in a release. */
export const toSubmittedEventId = (reference: string): string => toId('event', toStem(reference));

/** The id that a notice of the desk has there, without its day. */
export const toDeskNoticeId = (id: string): string => toId('notice', toStem(id));

const toFile = <T>(reference: string, value: T): ContentFile<T> => ({
  file: toStem(reference),
  stem: toStem(reference),
  value,
  lineOf: () => null,
});

/** An event with other places in the place of those that it names. */
export function replacePlaces(
  source: ContentFile<EventFile>,
  find: (field: 'venue' | 'organizer', named: string) => string | undefined,
): ContentFile<EventFile> {
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
  const takeSlug = createSlugRegister('event', content.events, ledger);
  const published = records.publications.map(({ id: reference, record }) => {
    const id = toSubmittedEventId(reference);
    const { title } = record.event;
    const slug = byLang((lang) => takeSlug(id, toSlug(title[lang]), reference));
    const venue = venues.by_reference.get(reference);
    const organizer = organizers.by_reference.get(reference);
    return toFile<EventFile>(reference, {
      ...toEventFile(record),
      id,
      slug,
      ...(venue ? { venue } : {}),
      ...(organizer ? { organizer } : {}),
    });
  });
  const ids = { venue: venues.by_stem, organizer: organizers.by_stem };
  const own = content.events.map((file) => replacePlaces(file, (of, stem) => ids[of].get(stem)));
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

interface Merged<T> {
  readonly files: readonly ContentFile<T>[];
  /** Ids of those in files, by the name of the file. */
  readonly by_stem: ReadonlyMap<string, string>;
  /** Ids by the publication that names them. One that content does not have any more must not stop a release. */
  readonly by_reference: ReadonlyMap<string, string>;
}

type Pick<T> = (publication: Publication) => { readonly id: string } | { readonly file: T } | null;

/** New places by id in the newest words of whoever brought them, and the id that each publication names now. */
function listBrought<T extends VenueFile | OrganizerFile>(
  kind: 'venue' | 'organizer',
  { publications }: InboxRecords,
  pick: Pick<T>,
) {
  const brought = new Map<string, { readonly value: T; readonly reference: string }>();
  const named = new Map<string, string>();
  for (const { id: reference, record, earlier } of publications) {
    let first: string | undefined;
    for (const place of [...earlier, record].map(pick)) {
      if (place === null) named.delete(reference);
      else if ('id' in place) named.set(reference, place.id);
      else {
        const name = fold(place.file.name);
        first ??= name;
        const id = toId(kind, toStem(name === first ? reference : `${reference}/${name}`));
        brought.set(id, { value: place.file, reference });
        named.set(reference, id);
      }
    }
  }
  return { brought, named };
}

/**
 * New places once each: who say the same name, address and zone share the one that was published, or the first.
 * One stays as long as somebody names it, also by its id; then its address leads to where its event is now.
 */
function mergePlaces<T extends VenueFile | OrganizerFile>(
  kind: 'venue' | 'organizer',
  files: readonly ContentFile<T>[],
  records: InboxRecords,
  ledger: Ledger,
  pick: Pick<T>,
): Merged<T> {
  const takeSlug = createSlugRegister(kind, files, ledger);
  const by_stem = new Map(files.map((file) => [file.stem, idOf(kind, file)]));
  const { brought, named } = listBrought(kind, records, pick);
  const released = new Set(ledger.slugs.map(({ id }) => id));
  const kept = new Map<string, string>();
  for (const alike of Map.groupBy(brought, ([, { value }]) => toKey(value)).values()) {
    const [one] = alike.find(([id]) => released.has(id)) ?? alike[0] ?? [];
    for (const [id] of alike) kept.set(id, one ?? id);
  }
  for (const id of by_stem.values()) kept.set(id, id);
  const by_reference = new Map(
    [...named].flatMap(([reference, id]) => {
      const at = kept.get(id);
      return at === undefined ? [] : [[reference, at] as const];
    }),
  );
  const edited = records.edits.map(({ record }) => String(record[kind]));
  const there = new Set([...by_reference.values(), ...edited.map((id) => kept.get(id) ?? id)]);
  const left = Map.groupBy(
    [...brought].filter(([id]) => released.has(id) && !there.has(id)),
    ([, { reference }]) => by_reference.get(reference),
  );
  const added = [...brought].flatMap(([id, { value, reference }]) => {
    if (!there.has(id)) return [];
    const slug = takeSlug(id, toSlug(value.name), reference);
    const former_ids = left.get(id)?.map(([other]) => other) ?? [];
    return [toFile(reference, { ...value, id, slug: byLang(() => slug), former_ids })];
  });
  return { files: [...files, ...added], by_stem, by_reference };
}

/** The same of two places that are one. */
function toKey(place: VenueFile | OrganizerFile): string {
  const { name, address = '', zone = '' } = { address: '', zone: '', ...place };
  return fold([name, address, zone].join('\n'));
}

/** Room for `-hc-7k3m9q` within the 80 characters of a slug. */
const MAX_NAME = 69;

/** Gives a thing its slug and remembers it: `(id, wanted, reference)`. An empty name gives the reference alone. */
function createSlugRegister(
  kind: 'event' | 'venue' | 'organizer',
  files: readonly ContentFile<EventFile | VenueFile | OrganizerFile>[],
  ledger: Ledger,
): (id: string, wanted: string, reference: string) => string {
  const owners = new Map(
    ledger.slugs.filter((slug) => slug.kind === kind).map((slug) => [slug.slug, slug.id]),
  );
  for (const file of files) {
    const id = idOf(kind, file);
    for (const slug of listAddresses(id, file.value)) owners.set(slug, id);
  }
  return (id, wanted, reference) => {
    const is_free = wanted !== '' && (owners.get(wanted) ?? id) === id;
    const name = wanted.slice(0, MAX_NAME).replace(/-+$/, '');
    const slug = is_free ? wanted : `${name}-${reference.toLowerCase()}`.replace(/^-/, '');
    owners.set(slug, id);
    return slug;
  };
}
