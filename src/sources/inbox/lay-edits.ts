// Content with the editors' versions in place of its own. One that does not pass any more is left out and
// named: it never stops a release (contract 14.29).
import * as v from 'valibot';
import type { Edit, ThingRecord } from '../../domain/edit/edit.ts';
import type { HistoryKind } from '../../domain/history.ts';
import { idOf } from '../identity.ts';
import type { Content, ContentFile } from '../read-content.ts';
import { checkRecord, EDITABLE, type FieldIssue, layEdit } from './editable.ts';

/** The names of places in files, by id, and the other way round. */
export interface PlaceNames {
  readonly idOf: (field: 'venue' | 'organizer', stem: string) => string;
  readonly stemOf: (field: 'venue' | 'organizer', id: string) => string | undefined;
}

interface EditedContent {
  readonly content: Content;
  /** The edits that were taken, by file. */
  readonly applied: ReadonlyMap<string, Edit>;
  readonly left_out: readonly string[];
}

interface Identified {
  readonly id?: string | undefined;
  readonly venue?: string | undefined;
  readonly organizer?: string | undefined;
}

const PLACES = ['venue', 'organizer'] as const;

/** Its record as the desk edits it: places by id. */
export function toRecord(value: Identified, names: PlaceNames): Record<string, unknown> {
  const record: Record<string, unknown> = { ...value };
  for (const field of PLACES) {
    const stem = value[field];
    if (stem !== undefined) record[field] = names.idOf(field, stem);
  }
  return record;
}

export function layEdits(
  content: Content,
  edits: readonly Edit[],
  names: PlaceNames,
): EditedContent {
  const left_out: string[] = [];
  const applied = new Map<string, Edit>();
  const layAll = <T extends Identified>(
    kind: HistoryKind,
    files: readonly ContentFile<T>[],
    read: (record: ThingRecord) => T | null,
  ): readonly ContentFile<T>[] => {
    const own = new Map(edits.filter((one) => one.kind === kind).map((one) => [one.thing, one]));
    if (own.size === 0) return files;
    return files.map((file) => {
      const edit = own.get(idOf(kind, file));
      if (edit === undefined) return file;
      const record = layEdit(kind, toRecord(file.value, names), edit.record);
      const value = read(record);
      const [issue] = [...checkRecord(kind, record).issues, ...checkPlaces(edit, names)];
      if (issue !== undefined || value === null) {
        left_out.push(`${edit.thing} ${issue?.path ?? ''}: ${issue?.message ?? 'does not pass'}`);
        return file;
      }
      applied.set(file.file, edit);
      return { ...file, value: withStems(value, names) };
    });
  };
  const edited = {
    ...content,
    venues: layAll('venue', content.venues, (record) => parse(EDITABLE.venue, record)),
    organizers: layAll('organizer', content.organizers, (one) => parse(EDITABLE.organizer, one)),
    events: layAll('event', content.events, (record) => parse(EDITABLE.event, record)),
    notices: layAll('notice', content.notices, (record) => parse(EDITABLE.notice, record)),
  };
  return { content: edited, left_out, applied };
}

function parse<S extends v.GenericSchema>(schema: S, record: ThingRecord): v.InferOutput<S> | null {
  const result = v.safeParse(schema, record);
  return result.success ? result.output : null;
}

function withStems<T extends Identified>(value: T, names: PlaceNames): T {
  const stems = PLACES.flatMap((field) => {
    const id = value[field];
    return id === undefined ? [] : [[field, names.stemOf(field, id) ?? id] as const];
  });
  return { ...value, ...Object.fromEntries(stems) };
}

const checkPlaces = ({ record }: Edit, names: PlaceNames): readonly FieldIssue[] =>
  PLACES.flatMap((field) => {
    const id = record[field];
    return typeof id !== 'string' || names.stemOf(field, id) !== undefined
      ? []
      : [{ path: field, rule: 'invalid', message: 'is not in the agenda any more' }];
  });
