// The content folder: every file parsed, then checked against the others; all issues at once.
import { existsSync, readdirSync } from 'node:fs';
import type * as v from 'valibot';
import {
  CategoriesSchema,
  type EventFile,
  EventSchema,
  type NoticeFile,
  NoticeSchema,
  type OrganizerFile,
  OrganizerSchema,
  type TaxaFile,
  type VenueFile,
  VenueSchema,
  ZonesSchema,
} from './content-schema.ts';
import { type ContentFile, type ContentIssue, readContentFile } from './read-file.ts';

export interface Content {
  readonly categories: TaxaFile;
  readonly zones: TaxaFile;
  readonly venues: readonly ContentFile<VenueFile>[];
  readonly organizers: readonly ContentFile<OrganizerFile>[];
  readonly events: readonly ContentFile<EventFile>[];
  readonly notices: readonly ContentFile<NoticeFile>[];
}

const FOLDERS = ['venues', 'organizers', 'events', 'notices'] as const;

/** Reads `folder`. The issues of every file are pushed; the content then lacks those files. */
export function readContent(folder: string, issues: ContentIssue[]): Content {
  const read = <S extends v.GenericSchema>(
    kind: (typeof FOLDERS)[number],
    schema: S,
  ): ContentFile<v.InferOutput<S>>[] =>
    listFiles(folder, kind, issues).flatMap((file) => {
      const { parsed, issues: found } = readContentFile(folder, file, schema);
      issues.push(...found);
      return parsed ? [parsed] : [];
    });
  return {
    categories: readTaxa(folder, 'categories.yml', CategoriesSchema, issues),
    zones: readTaxa(folder, 'zones.yml', ZonesSchema, issues),
    venues: read('venues', VenueSchema),
    organizers: read('organizers', OrganizerSchema),
    events: read('events', EventSchema),
    notices: read('notices', NoticeSchema),
  };
}

function readTaxa(
  folder: string,
  file: string,
  schema: typeof CategoriesSchema | typeof ZonesSchema,
  issues: ContentIssue[],
): TaxaFile {
  if (!existsSync(`${folder}/${file}`)) {
    issues.push({ file, line: null, field: '', message: 'is missing' });
    return [];
  }
  const { parsed, issues: found } = readContentFile(folder, file, schema);
  issues.push(...found);
  return parsed?.value ?? [];
}

/**
 * The .yml files of a folder in the order of their names; anything else there is an issue, so that
 * no file is passed over unseen.
 */
function listFiles(folder: string, kind: string, issues: ContentIssue[]): string[] {
  if (!existsSync(`${folder}/${kind}`)) {
    issues.push({ file: `${kind}/`, line: null, field: '', message: 'is missing' });
    return [];
  }
  const names = readdirSync(`${folder}/${kind}`)
    .filter((name) => !name.startsWith('.'))
    .sort();
  return names.flatMap((name) => {
    if (/^[a-z0-9]+(-[a-z0-9]+)*\.yml$/.test(name)) return [`${kind}/${name}`];
    issues.push({
      file: `${kind}/${name}`,
      line: null,
      field: '',
      message:
        'is not read: a file here is named in lower-case words joined by hyphens and ends in .yml',
    });
    return [];
  });
}
