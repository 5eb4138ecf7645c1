// Content as the desk leaves it: with what it let in, what it merged, its own versions of things and
// what it decided over events.
import type { Temporal } from 'temporal-polyfill';
import type { Ledger } from '../../domain/ledger.ts';
import type { Edit } from '../../domain/edit/edit.ts';
import type { EventFile } from '../content-schema.ts';
import { idOf } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';
import { toRestingTown } from '../to-calendar.ts';
import { mergeInbox } from './merge-inbox.ts';
import {
  leaveMerged,
  listMerges,
  type Merge,
  mergeSlugOwners,
  moveEvents,
} from './merge-places.ts';
import { applyOverrides, keepChanges } from './override.ts';
import { layEdits, type PlaceNames } from './lay-edits.ts';
import type { InboxRecords } from './read-inbox.ts';

export interface DeskContent {
  readonly content: Content;
  /** With the addresses of what was merged. */
  readonly ledger: Ledger;
  /** The edits that were taken, by file. */
  readonly applied: ReadonlyMap<string, Edit>;
  /** What of the inbox could not be taken, and why. */
  readonly left_out: readonly string[];
}

/** Content with what came through the inbox, and each event where it is now. */
export function placeInbox(files: Content, records: InboxRecords, ledger: Ledger) {
  const all = mergeInbox(files, records, ledger);
  const moved = moveEvents(all, listMerges(all, records.edits));
  return { ...moved, names: toPlaceNames(moved.content, moved.merges) };
}

/** `horizon` is the last day of which anything is said. */
export function toDeskContent(
  files: Content,
  records: InboxRecords,
  ledger: Ledger,
  horizon: Temporal.PlainDate,
): DeskContent {
  const placed = placeInbox(files, records, ledger);
  const edited = layEdits(placed.content, records.edits, placed.names);
  const content = leaveMerged(edited.content, placed.merges);
  return {
    content: overrideContent(content, edited.applied, records.overrides, horizon),
    ledger: mergeSlugOwners(ledger, placed.merges),
    applied: edited.applied,
    left_out: [...records.left_out, ...placed.left_out, ...edited.left_out],
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

/** Content with the overrides; of days that an edit has taken away, nothing more is said. */
function overrideContent(
  content: Content,
  applied: DeskContent['applied'],
  records: InboxRecords['overrides'],
  horizon: Temporal.PlainDate,
): Content {
  const overrides = Map.groupBy(records, (override) => override.event);
  const town = toRestingTown(content.calendar);
  const hours = new Map(content.venues.map(({ stem, value }) => [stem, value.hours ?? null]));
  const override = (file: ContentFile<EventFile>): ContentFile<EventFile> => {
    const own = overrides.get(idOf('event', file));
    const at = hours.get(file.value.venue ?? '') ?? null;
    const edited = applied.has(file.file) ? keepChanges(file, NO_DAYS, at, town, horizon) : file;
    return own === undefined ? edited : applyOverrides(edited, own, at, town, horizon);
  };
  return { ...content, events: content.events.map(override) };
}
