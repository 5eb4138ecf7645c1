// Content with what the desk says over its fields. A patch that does not pass is left out and named:
// it never stops a release (contract 14.29).
import * as v from 'valibot';
import type { HistoryKind } from '../../domain/history.ts';
import { type DeskBook, type Patch, type SourceRecord, toPatchState } from '../../domain/patch.ts';
import { idOf } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';
import { checkRecord, EDITABLE, type FieldIssue } from './editable.ts';

/** The names of places in files, by id, and the other way round. */
export interface PlaceNames {
  readonly idOf: (field: 'venue' | 'organizer', stem: string) => string;
  readonly stemOf: (field: 'venue' | 'organizer', id: string) => string | undefined;
}

export interface Patched extends Pick<DeskBook, 'sources' | 'left_out' | 'ended'> {
  readonly content: Content;
  /** The patches that were laid over each file. */
  readonly applied: ReadonlyMap<string, readonly Patch[]>;
}

interface Identified {
  readonly id?: string | undefined;
  readonly venue?: string | undefined;
  readonly organizer?: string | undefined;
}

const PLACES = ['venue', 'organizer'] as const;

/** Its record as the desk edits it: places by id. */
function toRecord(value: Identified, names: PlaceNames): Record<string, unknown> {
  const record: Record<string, unknown> = { ...value };
  for (const field of PLACES) {
    const stem = value[field];
    if (stem !== undefined) record[field] = names.idOf(field, stem);
  }
  return record;
}

/** Content with the patches over it. */
export function patchContent(
  content: Content,
  patches: readonly Patch[],
  names: PlaceNames,
): Patched {
  const by_thing = Map.groupBy(patches, ({ thing }) => thing);
  const sources: SourceRecord[] = [];
  const left_out: string[] = [];
  const ended: Patch[] = [];
  const applied = new Map<string, readonly Patch[]>();
  const patchAll = <T extends Identified>(
    kind: HistoryKind,
    files: readonly ContentFile<T>[],
    read: (record: object) => T | null,
  ): ContentFile<T>[] =>
    files.map((file) => {
      const id = idOf(kind, file);
      const record = toRecord(file.value, names);
      sources.push({ id, kind, file: file.file, record });
      const own = (by_thing.get(id) ?? []).filter((patch) => patch.kind === kind);
      if (own.length === 0) return file;
      ended.push(...own.filter((patch) => toPatchState(patch, record[patch.field]) === 'same'));
      const fitting = findFitting(kind, record, own, names, left_out);
      const value = read(layOver(record, fitting));
      if (fitting.length === 0 || value === null) return file;
      applied.set(file.file, fitting);
      return { ...file, value: withStems(value, names) };
    });
  const patched = {
    ...content,
    venues: patchAll('venue', content.venues, (record) => read(EDITABLE.venue, record)),
    organizers: patchAll('organizer', content.organizers, (r) => read(EDITABLE.organizer, r)),
    events: patchAll('event', content.events, (record) => read(EDITABLE.event, record)),
    notices: patchAll('notice', content.notices, (record) => read(EDITABLE.notice, record)),
  };
  return { content: patched, sources, left_out, ended, applied };
}

function read<S extends v.GenericSchema>(schema: S, record: object): v.InferOutput<S> | null {
  const result = v.safeParse(schema, record);
  return result.success ? result.output : null;
}

/** A record with patches over it. */
export const layOver = (
  record: Readonly<Record<string, unknown>>,
  patches: readonly Patch[],
): Record<string, unknown> => ({
  ...record,
  ...Object.fromEntries(patches.map(({ field, value }) => [field, value])),
});

function withStems<T extends Identified>(value: T, names: PlaceNames): T {
  const stems = PLACES.flatMap((field) => {
    const id = value[field];
    return id === undefined ? [] : [[field, names.stemOf(field, id) ?? id] as const];
  });
  return { ...value, ...Object.fromEntries(stems) };
}

/** The patches that pass together; each of the others is named with what is wrong with it. */
function findFitting(
  kind: HistoryKind,
  record: Readonly<Record<string, unknown>>,
  patches: readonly Patch[],
  names: PlaceNames,
  left_out: string[],
): readonly Patch[] {
  let kept = patches;
  while (kept.length > 0) {
    const issues = [
      ...checkRecord(kind, layOver(record, kept)).issues,
      ...kept.flatMap((patch) => checkPlace(patch, names)),
    ];
    if (issues.length === 0) return kept;
    const faulty = kept.filter(({ field }) => issues.some((issue) => isOf(issue, field)));
    // A fault of the whole is everybody's.
    const out = faulty.length > 0 ? faulty : kept;
    left_out.push(...out.map((patch) => toLine(patch, issues)));
    kept = kept.filter((patch) => !out.includes(patch));
  }
  return kept;
}

const isOf = ({ path }: FieldIssue, field: string): boolean =>
  path === field || path.startsWith(`${field}.`);

function checkPlace({ field, value }: Patch, names: PlaceNames): FieldIssue[] {
  const place = PLACES.find((one) => one === field);
  if (place === undefined || typeof value !== 'string') return [];
  return names.stemOf(place, value) === undefined
    ? [{ path: field, rule: 'invalid', message: 'is not in the agenda any more' }]
    : [];
}

const toLine = ({ thing, field }: Patch, issues: readonly FieldIssue[]): string => {
  const issue = issues.find((one) => isOf(one, field)) ?? issues[0];
  return `${thing} ${issue?.path || field}: ${issue?.message ?? 'does not pass'}`;
};
