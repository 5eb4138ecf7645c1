// Content with faults as a release takes it: a faulty file goes on saying what it last said, a new one
// is left out, each fault is named, and all other files go on (contract 5.12).
import * as v from 'valibot';
import type { ContentFault } from '../domain/health.ts';
import type { Dataset } from '../domain/dataset.ts';
import { DOCS_FOLDER } from './docs.ts';
import { type ContentIssue, toContentError } from './issues.ts';
import type { KeptSources, SourceFile } from './kept-sources.ts';
import {
  collectContent,
  type ContentFile,
  type ContentReader,
  isValidated,
  listFiles,
  readContentFile,
  toContentFile,
} from './read-content.ts';
import { type DatasetOrder, makeDataset } from './read-dataset.ts';

/** What becomes of a file that cannot be taken as it stands. */
type Fate = 'last_good' | 'left_out';

export interface LenientRead {
  readonly dataset: Dataset;
  readonly faults: readonly ContentFault[];
  /** By path from the content folder: as they stand, or as they last were good. */
  readonly files: ReadonlyMap<string, SourceFile>;
}

/** One way through the folder, with what is decided of its files so far. */
interface Attempt {
  readonly folder: string;
  readonly kept: KeptSources;
  readonly fates: Map<string, Fate>;
  readonly good: Map<string, SourceFile>;
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
export function readLeniently(folder: string, order: DatasetOrder, kept: KeptSources): LenientRead {
  const fates = new Map<string, Fate>();
  const named = new Map<string, ContentIssue>();
  for (;;) {
    const attempt: Attempt = { folder, kept, fates, good: new Map(), issues: [] };
    const content = collectContent(toReader(attempt));
    const own = attempt.issues.length;
    const isLeftOut = (file: string): boolean => fates.get(file) === 'left_out';
    if (![...fates.keys()].some((file) => isOnlyOne(file) && isLeftOut(file))) {
      const dataset = makeDataset(content, order, kept.findEvent, attempt.issues, isLeftOut);
      nameAll(named, attempt.issues);
      const faults = [...named.values()].map(({ file, line, field, message }) => ({
        ...{ file, line, field, message },
        is_left_out: isLeftOut(file),
      }));
      if (attempt.issues.length === own && (dataset.events.length > 0 || faults.length === 0))
        return { dataset, faults, files: listTaken(attempt) };
      if (decideAll(attempt, attempt.issues.slice(own))) continue;
    }
    nameAll(named, attempt.issues);
    throw toContentError([...named.values()]);
  }
}

function listTaken({ good, fates, kept }: Attempt): ReadonlyMap<string, SourceFile> {
  const taken = new Map(good);
  for (const [file, fate] of fates) {
    const last = fate === 'last_good' ? kept.find(file) : null;
    if (last === null) taken.delete(file);
    else taken.set(file, last);
  }
  return taken;
}

function nameAll(named: Map<string, ContentIssue>, issues: readonly ContentIssue[]): void {
  for (const issue of issues)
    named.set([issue.file, issue.line, issue.field, issue.message].join('\n'), issue);
}

/** Reads files as their fates are, and decides those of files that do not pass by themselves. */
function toReader(attempt: Attempt): ContentReader {
  const { folder, kept, fates, good, issues } = attempt;
  return {
    list: (kind) => {
      const found: ContentIssue[] = [];
      const there = listFiles(folder, kind, found);
      for (const issue of found) {
        if (!fates.has(issue.file)) issues.push(issue);
        fates.set(issue.file, 'left_out');
      }
      const revived = [...fates.keys()].filter(
        (file) =>
          file.startsWith(`${kind}/`) && fates.get(file) === 'last_good' && !there.includes(file),
      );
      return [...there, ...revived].sort();
    },
    read: (file, schema) => {
      const fate = fates.get(file);
      if (fate === 'left_out') return null;
      if (fate === 'last_good') return readLast(kept, file, schema);
      const { parsed, issues: found, digest, text } = readContentFile(folder, file, schema, kept);
      if (parsed !== null) {
        good.set(file, { digest, text, value: parsed.value });
        return parsed;
      }
      issues.push(...found);
      const last = readLast(kept, file, schema);
      fates.set(file, last === null ? 'left_out' : 'last_good');
      return last;
    },
  };
}

/** What a file last said, where it passes the schema of this code too. */
function readLast<S extends v.GenericSchema>(
  kept: KeptSources,
  file: string,
  schema: S,
): ContentFile<v.InferOutput<S>> | null {
  const known = kept.find(file);
  if (known === null) return null;
  const nowhere = (): null => null;
  if (isValidated(schema, known)) return toContentFile(file, known.value, nowhere);
  const result = v.safeParse(schema, known.value);
  return result.success ? toContentFile(file, result.output, nowhere) : null;
}

/** Decides what becomes of files that do not pass together. False where one must not be left out. */
function decideAll(attempt: Attempt, issues: readonly ContentIssue[]): boolean {
  const before = new Map(attempt.fates);
  for (const issue of issues) decide(attempt, before, issue);
  return issues.length > 0;
}

/**
 * First what is gone and still named stands as it last did; then the file itself; where that is as it
 * was, the fault came with a file that everything depends on, so those go back. What does not pass
 * then either, or never was good, is left out. `before`: what was decided before this attempt.
 */
function decide(
  { kept, fates, good }: Attempt,
  before: ReadonlyMap<string, Fate>,
  { file, needs }: ContentIssue,
): void {
  const isChanged = (one: string): boolean => good.get(one)?.digest !== kept.find(one)?.digest;
  const goBack = (files: readonly string[]): boolean => {
    const back = files.filter((one) => !before.has(one) && kept.find(one) !== null);
    for (const one of back) fates.set(one, 'last_good');
    return back.length > 0;
  };
  if (needs !== undefined && goBack([needs])) return;
  if (
    isChanged(file) ? goBack([file]) : goBack([...good.keys()].filter(isOnlyOne).filter(isChanged))
  )
    return;
  fates.set(file, 'left_out');
}
