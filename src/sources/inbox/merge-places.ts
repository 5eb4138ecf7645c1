// Places and people that turned out to be one: the old one is gone, its events are the kept one's,
// and its addresses lead there (contract 14.32).
import type { Ledger } from '../../domain/ledger.ts';
import { type Edit, SAME_FIELD } from '../../domain/edit/edit.ts';
import type { OrganizerFile, VenueFile } from '../content-schema.ts';
import { idOf } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';

type PlaceKind = 'venue' | 'organizer';

export interface Merge {
  readonly kind: PlaceKind;
  /** The id that leads on to the other. */
  readonly old: string;
  readonly kept: string;
}

/** Those that the files of what was kept state, which the old one need not have a file for. */
const listStatedMerges = ({ venues, organizers }: Content): readonly Merge[] => [
  ...venues.flatMap((file) => toStated('venue', file)),
  ...organizers.flatMap((file) => toStated('organizer', file)),
];

const toStated = (kind: PlaceKind, file: ContentFile<VenueFile | OrganizerFile>): Merge[] =>
  file.value.former_ids.map((old) => ({ kind, old, kept: idOf(kind, file) }));

/** Every one: what the old one says itself, or its edit, and what is stated of it. */
export function listMerges(content: Content, edits: readonly Edit[]): readonly Merge[] {
  const said = new Map(edits.map(({ thing, record }) => [thing, record[SAME_FIELD]]));
  const toOwn = (kind: PlaceKind, file: ContentFile<VenueFile | OrganizerFile>): Merge[] => {
    const old = idOf(kind, file);
    const kept = said.has(old) ? said.get(old) : file.value.same_as;
    return typeof kept === 'string' ? [{ kind, old, kept }] : [];
  };
  return [
    ...content.venues.flatMap((file) => toOwn('venue', file)),
    ...content.organizers.flatMap((file) => toOwn('organizer', file)),
    ...listStatedMerges(content),
  ];
}

interface MergedContent {
  /** With each event where it is now; what is gone is still there. */
  readonly content: Content;
  /** Those into what is there, each led to its end. */
  readonly merges: readonly Merge[];
  readonly left_out: readonly string[];
}

/** Content with the events of what was merged at what was kept. */
export function moveEvents(content: Content, all: readonly Merge[]): MergedContent {
  const venues = new Map(content.venues.map((file) => [idOf('venue', file), file.stem]));
  const organizers = new Map(content.organizers.map((f) => [idOf('organizer', f), f.stem]));
  const stems = { venue: venues, organizer: organizers };
  const moved = { venue: new Map<string, string>(), organizer: new Map<string, string>() };
  const left_out: string[] = [];
  const merges = followMerges(all).filter(({ kind, old, kept }) => {
    const [from, to] = [stems[kind].get(old), stems[kind].get(kept)];
    if (to === undefined || old === kept) {
      left_out.push(`${old} ${SAME_FIELD}: ${kept} is not there any more`);
      return false;
    }
    if (from !== undefined) moved[kind].set(from, to);
    return true;
  });
  const events = content.events.map((file) => {
    const { venue = '', organizer = '' } = file.value;
    const [at, by] = [moved.venue.get(venue), moved.organizer.get(organizer)];
    if (at === undefined && by === undefined) return file;
    const value = {
      ...file.value,
      ...(at === undefined ? {} : { venue: at }),
      ...(by === undefined ? {} : { organizer: by }),
    };
    return { ...file, value };
  });
  return { content: { ...content, events }, merges, left_out };
}

/** Content without what was merged into another. */
export function leaveMerged(content: Content, merges: readonly Merge[]): Content {
  const gone = new Set(merges.map(({ old }) => old));
  return {
    ...content,
    venues: content.venues.filter((file) => !gone.has(idOf('venue', file))),
    organizers: content.organizers.filter((file) => !gone.has(idOf('organizer', file))),
  };
}

/** Where each that was merged leads in the end; back to itself where they go round. */
function followMerges(merges: readonly Merge[]): readonly Merge[] {
  const by_old = new Map(merges.map((merge) => [merge.old, merge]));
  return [...by_old.values()].map((merge) => {
    let { kept } = merge;
    const seen = new Set([merge.old]);
    while (!seen.has(kept)) {
      seen.add(kept);
      kept = by_old.get(kept)?.kept ?? kept;
    }
    return { ...merge, kept };
  });
}

/** The ledger as such merges have it: an address of what is gone is one of what was kept. */
export function mergeSlugOwners(ledger: Ledger, merges: readonly Merge[]): Ledger {
  const kept = new Map(merges.map((merge) => [merge.old, merge.kept]));
  const slugs = ledger.slugs.map((slug) => ({ ...slug, id: kept.get(slug.id) ?? slug.id }));
  return { ...ledger, slugs };
}
