// Places and people that turned out to be one: the old one is gone, its events are the kept one's,
// and its addresses lead there (contract 14.32).
import type { Ledger } from '../../domain/ledger.ts';
import { followMerges, type Merge } from '../../domain/patch.ts';
import type { OrganizerFile, VenueFile } from '../content-schema.ts';
import { idOf } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';

/** What became of the files of one kind. */
interface Joined<T> {
  readonly files: readonly ContentFile<T>[];
  /** The stem of the kept one by that of each that is gone. */
  readonly moved: ReadonlyMap<string, string>;
  readonly merges: readonly Merge[];
}

/** What is left of the content, and of the merges: those into what is still there. */
interface MergedContent {
  readonly content: Content;
  readonly merges: readonly Merge[];
  readonly left_out: readonly string[];
}

/** The merges that files state themselves. */
export const listStatedMerges = ({ venues, organizers }: Content): readonly Merge[] => [
  ...venues.flatMap((file) => toStated('venue', file)),
  ...organizers.flatMap((file) => toStated('organizer', file)),
];

const toStated = (
  kind: Merge['kind'],
  file: ContentFile<VenueFile | OrganizerFile>,
): readonly Merge[] => file.value.former_ids.map((old) => ({ kind, old, kept: idOf(kind, file) }));

/** Content without what was merged into another. */
export function mergeThings(content: Content, merges: readonly Merge[]): MergedContent {
  if (merges.length === 0) return { content, merges, left_out: [] };
  const left_out: string[] = [];
  const venues = join<VenueFile>('venue', content.venues, merges, left_out);
  const organizers = join<OrganizerFile>('organizer', content.organizers, merges, left_out);
  const events = content.events.map((file) => {
    const { venue = '', organizer = '' } = file.value;
    const [at, by] = [venues.moved.get(venue), organizers.moved.get(organizer)];
    if (at === undefined && by === undefined) return file;
    const value = {
      ...file.value,
      ...(at === undefined ? {} : { venue: at }),
      ...(by === undefined ? {} : { organizer: by }),
    };
    return { ...file, value };
  });
  return {
    content: { ...content, venues: venues.files, organizers: organizers.files, events },
    merges: [...venues.merges, ...organizers.merges],
    left_out,
  };
}

function join<T extends { readonly id?: string | undefined }>(
  kind: Merge['kind'],
  files: readonly ContentFile<T>[],
  merges: readonly Merge[],
  left_out: string[],
): Joined<T> {
  const by_id = new Map(files.map((file) => [idOf(kind, file), file]));
  const moved = new Map<string, string>();
  const done: Merge[] = [];
  for (const [old, kept] of followMerges(merges.filter((merge) => merge.kind === kind))) {
    const [from, to] = [by_id.get(old), by_id.get(kept)];
    if (to === undefined || old === kept) {
      left_out.push(`${old} merge: ${kept} is not there any more`);
      continue;
    }
    done.push({ kind, old, kept });
    if (from !== undefined) moved.set(from.stem, to.stem);
  }
  return { files: files.filter((file) => !moved.has(file.stem)), moved, merges: done };
}

/** The ledger as such merges have it: an address of what is gone is one of what was kept. */
export function mergeSlugOwners(ledger: Ledger, merges: readonly Merge[]): Ledger {
  const kept = new Map(merges.map((merge) => [merge.old, merge.kept]));
  const slugs = ledger.slugs.map((slug) => ({ ...slug, id: kept.get(slug.id) ?? slug.id }));
  return { ...ledger, slugs };
}
