// Content with faults as a release takes it: a faulty file goes on saying what it last said, a new one
// is left out, each fault is named, and all other files go on (contract 5.12).
import * as v from 'valibot';
import type { PublishedContentIssue } from '../domain/health.ts';
import { DOCS_FOLDER } from './docs-content.ts';
import { type ContentIssue, formatIssue, createContentError } from '../yaml.ts';
import {
  loadAllContent,
  type ParsedContentFile,
  type ContentReader,
  isValidated,
  type PreviousContent,
  listFiles,
  loadContentFile,
  type StoredContentFile,
  parsedContentFile,
} from './load-content.ts';
import { type DatasetOptions, buildDataset } from './build-dataset.ts';

/** What becomes of a file that cannot be taken as it stands. */
type FaultyFileAction = 'last_good' | 'left_out';

export type LenientContent = ReturnType<typeof loadContentLeniently>;

/** One way through the folder, with what is decided of its files so far. */
interface LenientPass {
  readonly folder: string;
  readonly kept: PreviousContent;
  readonly fates: Map<string, FaultyFileAction>;
  readonly good: Map<string, StoredContentFile>;
  readonly issues: ContentIssue[];
}

/** What everything depends on, the only file of its kind or a whole folder, is never left out. */
const isOnlyOne = (file: string): boolean =>
  !file.includes('/') || file.endsWith('/') || file.startsWith(DOCS_FOLDER);

/**
 * Reads the content of `folder` as far as it can be taken, and what the desk let in beside it. Throws
 * one Error with every issue where a file that everything depends on is faulty and never was good, or
 * where no event is left.
 */
export function loadContentLeniently(folder: string, order: DatasetOptions, kept: PreviousContent) {
  const fates = new Map<string, FaultyFileAction>();
  const named = new Map<string, ContentIssue>();
  for (;;) {
    const attempt: LenientPass = { folder, kept, fates, good: new Map(), issues: [] };
    const { issues } = attempt;
    const content = loadAllContent(createReader(attempt));
    const own = issues.length;
    const isLeftOut = (file: string): boolean => fates.get(file) === 'left_out';
    const can_go_on = ![...fates.keys()].some((file) => isOnlyOne(file) && isLeftOut(file));
    const dataset = can_go_on
      ? buildDataset(content, order, kept.findEvent, issues, isLeftOut)
      : null;
    for (const issue of issues) named.set(formatIssue(issue), issue);
    if (dataset !== null) {
      const is_sound = issues.length === own && (dataset.events.length > 0 || named.size === 0);
      const faults: readonly PublishedContentIssue[] = [...named.values()].map(
        ({ needs: _, ...fault }) => ({
          ...fault,
          is_left_out: isLeftOut(fault.file),
        }),
      );
      if (is_sound) return { dataset, faults, files: listTaken(attempt) };
      if (decideFates(attempt, issues.slice(own))) continue;
    }
    throw createContentError([...named.values()]);
  }
}

/** By path from the content folder: files as they stand, or as they last were good. */
function listTaken({ good, fates, kept }: LenientPass): ReadonlyMap<string, StoredContentFile> {
  const taken = new Map(good);
  for (const [file, fate] of fates) {
    const last = fate === 'last_good' ? kept.find(file) : null;
    if (last === null) taken.delete(file);
    else taken.set(file, last);
  }
  return taken;
}

/** Reads files as their fates are, and decides those of files that do not pass by themselves. */
const createReader = ({ folder, kept, fates, good, issues }: LenientPass): ContentReader => ({
  list: (kind) => {
    const found: ContentIssue[] = [];
    const there = listFiles(folder, kind, found);
    for (const issue of found) {
      if (!fates.has(issue.file)) issues.push(issue);
      fates.set(issue.file, 'left_out');
    }
    const revived = [...fates].flatMap(([file, fate]) =>
      file.startsWith(`${kind}/`) && fate === 'last_good' && !there.includes(file) ? [file] : [],
    );
    return [...there, ...revived].sort();
  },
  read: (file, schema) => {
    const fate = fates.get(file);
    if (fate === 'left_out') return null;
    if (fate === 'last_good') return readLast(kept, file, schema);
    const { parsed, issues: found, digest, text } = loadContentFile(folder, file, schema, kept);
    if (parsed !== null) {
      good.set(file, { digest, text, value: parsed.value });
      return parsed;
    }
    issues.push(...found);
    const last = readLast(kept, file, schema);
    fates.set(file, last === null ? 'left_out' : 'last_good');
    return last;
  },
});

/** What a file last said, where it passes the schema of this code too. */
function readLast<S extends v.GenericSchema>(
  kept: PreviousContent,
  file: string,
  schema: S,
): ParsedContentFile<v.InferOutput<S>> | null {
  const known = kept.find(file);
  if (known === null) return null;
  if (isValidated(schema, known)) return parsedContentFile(file, known.value);
  const result = v.safeParse(schema, known.value);
  return result.success ? parsedContentFile(file, result.output) : null;
}

/**
 * Decides what becomes of files that do not pass together; false where there are none. First what is gone and
 * still named stands as it last did; then the file itself; where that is as it was, the fault came with a file
 * that everything depends on, so those go back. What does not pass then either, or never was good, is left out.
 */
function decideFates({ kept, fates, good }: LenientPass, issues: readonly ContentIssue[]): boolean {
  const before = new Map(fates);
  const isChanged = (file: string): boolean => good.get(file)?.digest !== kept.find(file)?.digest;
  const goBack = (files: readonly string[]): boolean => {
    const back = files.filter((file) => !before.has(file) && kept.find(file) !== null);
    for (const file of back) fates.set(file, 'last_good');
    return back.length > 0;
  };
  for (const { file, needs } of issues) {
    if (needs !== undefined && goBack([needs])) continue;
    const suspects = isChanged(file)
      ? [file]
      : [...good.keys()].filter(isOnlyOne).filter(isChanged);
    if (!goBack(suspects)) fates.set(file, 'left_out');
  }
  return issues.length > 0;
}
