// What the desk says over content, written into its files, for whoever keeps them in git: edits of
// fields, decisions on events, and places and people that were made one (contract 14.31).
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { PICTURE_FIELD } from '../../domain/edit/picture-fields.ts';
import { byLang, LANGS } from '../../domain/lang.ts';
import { EMPTY_LEDGER } from '../../domain/ledger.ts';
import {
  followMerges,
  isSameValue,
  type Merge,
  type Patch,
  type SourceRecord,
  toPatchState,
} from '../../domain/patch.ts';
import { readUploadLink } from '../../domain/submission/picture.ts';
import { idOf, slugOf } from '../identity.ts';
import { type ContentIssue, toContentError } from '../issues.ts';
import { type Content, type ContentFile, readContent } from '../read-content.ts';
import { toDeskContent } from './desk-content.ts';
import type { InboxRecords } from './read-inbox.ts';
import { writeField } from './write-field.ts';

export interface ExportedField {
  readonly file: string;
  readonly field: string;
  /** What became of the file, or why it is left alone. */
  readonly outcome:
    | 'written'
    | 'deleted'
    | 'conflict'
    | 'not_in_content'
    | 'uploaded'
    | 'gone'
    | 'faulty';
}

/**
 * Writes what a release would read of the desk over the files of `folder`, until `horizon`; says of
 * each field what became of it. Throws where the content itself is not sound.
 */
export function exportDesk(
  folder: string,
  records: InboxRecords,
  horizon: Temporal.PlainDate,
): readonly ExportedField[] {
  const issues: ContentIssue[] = [];
  const files = readContent(folder, issues);
  if (issues.length > 0) throw toContentError(issues);
  const bare = { ...records, patches: [], merges: [] };
  const { sources } = toDeskContent(files, bare, EMPTY_LEDGER, horizon);
  const by_id = new Map(sources.map((source) => [source.id, source]));
  const [patches, left] = sort(records.patches, (patch) => whyNot(patch, by_id));
  const [merges, apart] = sort(records.merges, (merge) => whyApart(merge, records.merges, by_id));
  const said = toDeskContent(files, { ...records, patches, merges }, EMPTY_LEDGER, horizon);
  const applied = new Set([...said.applied.values()].flat());
  const toFile = (id: string): string => by_id.get(id)?.file ?? id;
  const toLine = (id: string, field: string, outcome: ExportedField['outcome']) =>
    ({ file: toFile(id), field, outcome }) as const;
  return [
    ...writeContent(folder, files, { ...said.content, ...nameJoined(files, said.content, merges) }),
    ...patches
      .filter((patch) => !applied.has(patch))
      .map(({ thing, field }) => toLine(thing, field, 'faulty')),
    ...[...left].map(([{ thing, field }, why]) => toLine(thing, field, why)),
    ...[...apart].map(([{ old }, why]) => toLine(old, 'former_ids', why)),
  ];
}

type Why = ExportedField['outcome'];

/** What can be written, and why not of each of the others. */
function sort<T>(
  all: readonly T[],
  why: (one: T) => Why | null,
): readonly [readonly T[], ReadonlyMap<T, Why>] {
  const left = new Map(
    all.flatMap((one) => {
      const reason = why(one);
      return reason === null ? [] : [[one, reason] as const];
    }),
  );
  return [all.filter((one) => !left.has(one)), left];
}

type Sources = ReadonlyMap<string, SourceRecord>;

function whyHidden(id: string, by_id: Sources): Why | null {
  const file = by_id.get(id)?.file;
  if (file === undefined) return 'gone';
  return file.endsWith('.yml') ? null : 'not_in_content';
}

function whyNot(patch: Patch, by_id: Sources): Why | null {
  const { thing, field, value } = patch;
  const hidden = whyHidden(thing, by_id);
  if (hidden !== null) return hidden;
  const now = by_id.get(thing)?.record[field];
  if (toPatchState(patch, now) === 'conflict') return 'conflict';
  const is_place = field === 'venue' || field === 'organizer';
  return is_place && typeof value === 'string' ? whyHidden(value, by_id) : null;
}

const whyApart = ({ old }: Merge, merges: readonly Merge[], by_id: Sources): Why | null =>
  whyHidden(followMerges(merges).get(old) ?? old, by_id);

type PlaceKind = 'venues' | 'organizers';
const KIND_OF = { venues: 'venue', organizers: 'organizer' } as const;

/** Places and people with the addresses of those that are one with them now. */
function nameJoined(
  before: Content,
  after: Content,
  merges: readonly Merge[],
): Pick<Content, PlaceKind> {
  const joined = followMerges(merges);
  const nameAll = <T extends Content[PlaceKind][number]['value']>(
    folder: PlaceKind,
    files: readonly ContentFile<T>[],
  ): ContentFile<T>[] => {
    const kind = KIND_OF[folder];
    const all: readonly ContentFile<Content[PlaceKind][number]['value']>[] = before[folder];
    return files.map((file) => {
      const id = idOf(kind, file);
      const old = [...joined].flatMap(([from, to]) => (to === id ? [from] : []));
      if (old.length === 0) return file;
      const gone = all.filter((one) => old.includes(idOf(kind, one)));
      const own = toSlugs(file);
      const slugs = [...file.value.former_slugs, ...gone.flatMap(toSlugs)];
      const ids = [
        ...file.value.former_ids,
        ...old,
        ...gone.flatMap(({ value }) => value.former_ids),
      ];
      const former_slugs = [...new Set(slugs)].filter((slug) => !own.slice(0, 2).includes(slug));
      return { ...file, value: { ...file.value, former_slugs, former_ids: [...new Set(ids)] } };
    });
  };
  return {
    venues: nameAll('venues', after.venues),
    organizers: nameAll('organizers', after.organizers),
  };
}

/** Every slug of a place, the ones of now first. */
function toSlugs(file: ContentFile<Content[PlaceKind][number]['value']>): readonly string[] {
  const slug = slugOf(
    file,
    byLang(() => file.value.name),
    [],
  );
  return [...LANGS.map((lang) => slug[lang]), ...file.value.former_slugs];
}

const FOLDERS = ['venues', 'organizers', 'events', 'notices'] as const;

/** Each file of content whose fields say something else now; what is in none any more is deleted. */
const writeContent = (folder: string, before: Content, after: Content): ExportedField[] =>
  FOLDERS.flatMap((kind) => {
    const now = new Map<string, object>(after[kind].map(({ file, value }) => [file, value]));
    return before[kind].flatMap(({ file, value }) => {
      const said = now.get(file);
      if (said !== undefined) return writeFile(folder, file, value, said);
      rmSync(`${folder}/${file}`);
      return [{ file, field: '', outcome: 'deleted' } as const];
    });
  });

const Pictured = v.object({ url: v.string() });

/** Why no file can say a value: it is in the inbox alone. */
function whyUnwritable(field: string, value: unknown): Why | null {
  if (field === PICTURE_FIELD)
    return v.is(Pictured, value) && readUploadLink(value.url) !== null ? 'uploaded' : null;
  const is_place = field === 'venue' || field === 'organizer';
  return is_place && String(value).startsWith('inbox/') ? 'not_in_content' : null;
}

function writeFile(folder: string, file: string, before: object, after: object): ExportedField[] {
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  const fields = [...new Set([...was.keys(), ...is.keys()])].filter(
    (field) => !isSameValue(was.get(field), is.get(field)),
  );
  if (fields.length === 0) return [];
  const path = `${folder}/${file}`;
  let text = readFileSync(path, 'utf8');
  const lines: ExportedField[] = [];
  for (const field of fields) {
    const value = is.get(field);
    const hidden = whyUnwritable(field, value);
    // What stands where nothing is said.
    const said = field === 'status' && value === 'published' ? undefined : value;
    if (hidden === null) text = writeField(text, field, said);
    lines.push({ file, field, outcome: hidden ?? 'written' });
  }
  writeFileSync(path, text);
  return lines;
}
