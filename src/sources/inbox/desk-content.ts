// Content as the desk leaves it: with what it let in, what it merged, what it changed in fields and
// what it decided over events.
import type { Temporal } from 'temporal-polyfill';
import type { Ledger } from '../../domain/ledger.ts';
import { type DeskBook, type Patch, SAME_FIELD } from '../../domain/patch.ts';
import type { EventFile } from '../content-schema.ts';
import { idOf } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';
import { toRestingTown } from '../to-calendar.ts';
import { mergeInbox } from './merge-inbox.ts';
import {
  leaveMerged,
  listMerges,
  listStatedMerges,
  type Merge,
  mergeSlugOwners,
  moveEvents,
} from './merge-places.ts';
import { applyOverrides, keepChanges } from './override.ts';
import { patchContent, type PlaceNames } from './patch-content.ts';
import type { InboxRecords } from './read-inbox.ts';

export interface DeskContent extends Omit<DeskBook, 'at'> {
  readonly content: Content;
  /** With the addresses of what was merged. */
  readonly ledger: Ledger;
  /** The patches over each file. */
  readonly applied: ReadonlyMap<string, readonly Patch[]>;
}

/** `horizon` is the last day of which anything is said. */
export function toDeskContent(
  files: Content,
  records: InboxRecords,
  ledger: Ledger,
  horizon: Temporal.PlainDate,
): DeskContent {
  const { patches } = records;
  const all = mergeInbox(files, records, ledger);
  const merged = moveEvents(all, listMerges(all, patches));
  const names = toPlaceNames(merged.content, merged.merges);
  const { content, applied, ...patched } = patchContent(merged.content, patches, names);
  const shown = leaveMerged(content, merged.merges);
  const stated = listStatedMerges(files);
  const isStated = ({ thing, field, value }: Patch): boolean =>
    field === SAME_FIELD && stated.some(({ old, kept }) => old === thing && kept === value);
  return {
    ...overrideContent({ content: shown, applied }, records.overrides, horizon),
    ledger: mergeSlugOwners(ledger, merged.merges),
    sources: patched.sources,
    ended: [...patched.ended, ...patches.filter(isStated)],
    left_out: [...records.left_out, ...merged.left_out, ...patched.left_out],
    applied,
  };
}

function toPlaceNames({ venues, organizers }: Content, merges: readonly Merge[]): PlaceNames {
  const ids = {
    venue: new Map(venues.map((file) => [file.stem, idOf('venue', file)])),
    organizer: new Map(organizers.map((file) => [file.stem, idOf('organizer', file)])),
  };
  const flip = (map: ReadonlyMap<string, string>) =>
    new Map([...map].map(([stem, id]) => [id, stem]));
  const stems = { venue: flip(ids.venue), organizer: flip(ids.organizer) };
  const kept = new Map(merges.map((merge) => [merge.old, merge.kept]));
  return {
    idOf: (field, stem) => ids[field].get(stem) ?? stem,
    stemOf: (field, id) => stems[field].get(kept.get(id) ?? id),
  };
}

const NO_DAYS: ReadonlySet<string> = new Set();

/** Content with the overrides; of days that a patch has taken away, nothing more is said. */
function overrideContent(
  { content, applied }: Pick<DeskContent, 'content' | 'applied'>,
  records: InboxRecords['overrides'],
  horizon: Temporal.PlainDate,
): Pick<DeskContent, 'content'> {
  const overrides = Map.groupBy(records, (override) => override.event);
  const town = toRestingTown(content.calendar);
  const hours = new Map(content.venues.map(({ stem, value }) => [stem, value.hours ?? null]));
  const override = (file: ContentFile<EventFile>): ContentFile<EventFile> => {
    const own = overrides.get(idOf('event', file));
    const at = hours.get(file.value.venue ?? '') ?? null;
    const patched = applied.has(file.file) ? keepChanges(file, NO_DAYS, at, town, horizon) : file;
    return own === undefined ? patched : applyOverrides(patched, own, at, town, horizon);
  };
  return { content: { ...content, events: content.events.map(override) } };
}
