// Content and what the desk let in beside it, as one content; an address for each thing that came
// through the inbox: the slug of its name, with its reference where that one belongs to another.
import { fold, toSlug } from '../../domain/folding.ts';
import { byLang, LANGS, type LocalText } from '../../domain/lang.ts';
import type { Ledger, PublishedSlug } from '../../domain/ledger.ts';
import type { EventFile, NoticeFile, OrganizerFile, VenueFile } from '../content-schema.ts';
import { type IdentityKind, idOf, toId } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';
import { type Publication, toEventFile } from './publication.ts';
import type { InboxRecords } from './read-inbox.ts';

/**
 * What a file of the inbox is called: no file of content/ can have that name, so no id of theirs is
 * ever the same.
 */
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

/** Content with publications and notices of the inbox. Where names meet, content keeps its own. */
export function mergeInbox(content: Content, records: InboxRecords, ledger: Ledger): Content {
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
      ...toEventFile(publication),
      id,
      slug,
      ...toPlaces(reference, publication, venues, organizers),
    });
  });
  return {
    ...content,
    venues: venues.files,
    organizers: organizers.files,
    events: [...content.events, ...published],
    notices: [
      ...content.notices,
      ...records.notices.map(({ id, notice }) => toFile<NoticeFile>(id, toConfirmed(notice))),
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
  /** The stem that an event names, by id and by reference. */
  readonly stems: ReadonlyMap<string, string>;
}

/** New places once each: two submissions that name the same one share the one that was published, or the first. */
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
  const released = new Set(ledger.slugs.map(({ id }) => id));
  const isReleased = ({ reference }: { readonly reference: string }): boolean =>
    released.has(toId(kind, toStem(reference)));
  const [before, since] = [true, false].map((is) =>
    publications.filter((one) => isReleased(one) === is),
  );
  for (const { reference, publication } of [...(before ?? []), ...(since ?? [])]) {
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

/** Room for `-hc-7k3m9q` within the 80 characters of a slug. */
const MAX_NAME = 69;

interface Named {
  readonly id?: string | undefined;
  readonly slug?: LocalText | undefined;
  readonly former_slugs: readonly string[];
}

/**
 * Gives a thing its slug and remembers it: `(id, wanted, reference)`. An empty name gives the
 * reference alone.
 */
function createSlugRegister<T extends Named>(
  kind: PublishedSlug['kind'],
  files: readonly ContentFile<T>[],
  toName: (value: T) => LocalText,
  ledger: Ledger,
): (id: string, wanted: string, reference: string) => string {
  const owners = new Map(
    ledger.slugs.filter((slug) => slug.kind === kind).map((slug) => [slug.slug, slug.id]),
  );
  for (const file of files) {
    const id = idOf(kind, file);
    const { slug } = file.value;
    const name = toName(file.value);
    const own = LANGS.map((lang) => (slug ? slug[lang] : toSlug(name[lang])));
    for (const slug of [id, ...own, ...file.value.former_slugs]) owners.set(slug, id);
  }
  return (id, wanted, reference) => {
    const tail = reference.toLowerCase();
    const is_free = wanted !== '' && (owners.get(wanted) ?? id) === id;
    const slug = is_free
      ? wanted
      : [wanted.slice(0, MAX_NAME).replace(/-+$/, ''), tail]
          .filter((part) => part !== '')
          .join('-');
    owners.set(slug, id);
    return slug;
  };
}
