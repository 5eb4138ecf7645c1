// Content and what the desk let in beside it, as one content.
import type { Temporal } from 'temporal-polyfill';
import { fold, toSlug } from '../../domain/folding.ts';
import { byLang } from '../../domain/lang.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { EventFile, NoticeFile, OrganizerFile, VenueFile } from '../content-schema.ts';
import { type IdentityKind, idOf, toId } from '../identity.ts';
import type { Content } from '../read-content.ts';
import type { ContentFile } from '../read-file.ts';
import { createSlugRegister } from './free-slug.ts';
import { applyOverrides, type Override } from './override.ts';
import type { Publication } from './publication.ts';
import type { InboxRecords } from './read-inbox.ts';

/**
 * What a file of the inbox is called: no file of content/ can have that name, so no id of theirs is
 * ever the same.
 */
const toStem = (reference: string): string => `inbox/${reference}`;

/** The id that an approved submission's event has, before and after it is in a release. */
export const toSubmittedEventId = (reference: string): string => toId('event', toStem(reference));

const toFile = <T>(reference: string, value: T): ContentFile<T> => ({
  file: toStem(reference),
  stem: toStem(reference),
  value,
  lineOf: () => null,
});

/**
 * Content with publications, overrides and notices of the inbox. Where names meet, content keeps
 * its own.
 */
export function mergeInbox(
  content: Content,
  records: InboxRecords,
  ledger: Ledger,
  horizon: Temporal.PlainDate,
): Content {
  const venues = mergePlaces('venue', content.venues, records, ledger, ({ venue }) =>
    venue !== null && 'file' in venue ? venue.file : null,
  );
  const organizers = mergePlaces(
    'organizer',
    content.organizers,
    records,
    ledger,
    ({ organizer }) => (organizer !== null && 'file' in organizer ? organizer.file : null),
  );
  const free = createSlugRegister('event', content.events, (file) => file.title, ledger);
  const published = records.publications.map(({ reference, publication }) => {
    const id = toSubmittedEventId(reference);
    const { title } = publication.event;
    const slug = byLang((lang) => free(id, toSlug(title[lang]), reference));
    return toFile<EventFile>(reference, {
      ...publication.event,
      id,
      slug,
      ...toPlaces(reference, publication, venues, organizers),
    });
  });
  const overrides = Map.groupBy(records.overrides, (override) => override.event);
  return {
    ...content,
    venues: venues.files,
    organizers: organizers.files,
    events: [...content.events, ...published].map((file) =>
      applyOverrides(file, overrides.get(idOf('event', file)) ?? EMPTY, horizon),
    ),
    notices: [
      ...content.notices,
      ...records.notices.map(({ id, notice }) => toFile<NoticeFile>(id, notice)),
    ],
  };
}

const EMPTY: readonly { readonly date: string; readonly override: Override }[] = [];

interface Merged<T> {
  readonly files: readonly ContentFile<T>[];
  /** The stem that an event names, by id and by reference. */
  readonly stems: ReadonlyMap<string, string>;
}

/** New places once each: two submissions that name the same one share the first. */
function mergePlaces<T extends VenueFile | OrganizerFile>(
  kind: Exclude<IdentityKind, 'event' | 'notice'>,
  files: readonly ContentFile<T>[],
  { publications }: InboxRecords,
  ledger: Ledger,
  pick: (publication: Publication) => T | null,
): Merged<T> {
  const free = createSlugRegister(kind, files, (file) => byLang(() => file.name), ledger);
  const stems = new Map(files.map((file) => [idOf(kind, file), file.stem]));
  const by_name = new Map<string, string>();
  const added: ContentFile<T>[] = [];
  for (const { reference, publication } of publications) {
    const value = pick(publication);
    if (value === null) continue;
    const name = fold(
      [value.name, 'address' in value ? value.address : '', 'zone' in value ? value.zone : ''].join(
        '\n',
      ),
    );
    const stem = by_name.get(name) ?? toStem(reference);
    stems.set(reference, stem);
    if (by_name.has(name)) continue;
    by_name.set(name, stem);
    const id = toId(kind, stem);
    const slug = free(id, toSlug(value.name), reference);
    stems.set(id, stem);
    added.push(toFile(reference, { ...value, id, slug: byLang(() => slug) }));
  }
  return { files: [...files, ...added], stems };
}

/**
 * The stems for an event. A known place that content/ does not have any more is left out: it must
 * not stop a release.
 */
function toPlaces(
  reference: string,
  { venue, organizer }: Publication,
  venues: Merged<VenueFile>,
  organizers: Merged<OrganizerFile>,
): Pick<EventFile, 'venue' | 'organizer'> {
  const [at, by] = [
    venue && venues.stems.get('id' in venue ? venue.id : reference),
    organizer && organizers.stems.get('id' in organizer ? organizer.id : reference),
  ];
  return { ...(at ? { venue: at } : {}), ...(by ? { organizer: by } : {}) };
}
