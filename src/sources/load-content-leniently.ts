// Lenient content loading: builds a dataset from content with invalid files. An invalid file keeps
// its last valid version, a new one is left out, and each issue is reported (contract 5.12).
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

/** Action for an invalid file: use its last valid version (`last_good`) or none (`left_out`). */
type FaultyFileAction = 'last_good' | 'left_out';

export type LenientContent = ReturnType<typeof loadContentLeniently>;

/** One pass over the folder, with the actions decided for its files so far. */
interface LenientPass {
  readonly folder: string;
  readonly previous: PreviousContent;
  readonly actions: Map<string, FaultyFileAction>;
  /** Current files that are valid by themselves, by path from the content folder. */
  readonly valid_files: Map<string, StoredContentFile>;
  readonly issues: ContentIssue[];
}

/** Returns true for files that cannot be left out: top-level ones, folders, docs pages. */
const isRequired = (file: string): boolean =>
  !file.includes('/') || file.endsWith('/') || file.startsWith(DOCS_FOLDER);

/**
 * Loads the valid content of `folder` and builds its dataset. Repeats with the actions decided for
 * invalid files until the rest is valid.
 * @throws ContentError with every issue if a required file is invalid and never was valid, or if no
 * event is left.
 */
export function loadContentLeniently(
  folder: string,
  options: DatasetOptions,
  previous: PreviousContent,
) {
  const actions = new Map<string, FaultyFileAction>();
  const all_issues = new Map<string, ContentIssue>();
  for (;;) {
    const pass: LenientPass = { folder, previous, actions, valid_files: new Map(), issues: [] };
    const { issues } = pass;
    // Reading a file adds its own issues; building the dataset adds those between files.
    const content = loadAllContent(createReader(pass));
    const file_issue_count = issues.length;
    const isOmitted = (file: string): boolean => actions.get(file) === 'left_out';
    const can_build = ![...actions.keys()].some((file) => isRequired(file) && isOmitted(file));
    const dataset = can_build
      ? buildDataset(content, options, previous.findEvent, issues, isOmitted)
      : null;
    for (const issue of issues) all_issues.set(formatIssue(issue), issue);
    if (dataset !== null) {
      const has_dataset_issues = issues.length > file_issue_count;
      // A dataset without events is accepted only if no file is invalid.
      const has_events_or_no_issues = dataset.events.length > 0 || all_issues.size === 0;
      const faults: readonly PublishedContentIssue[] = [...all_issues.values()].map(
        ({ needs: _, ...issue }) => ({ ...issue, is_left_out: isOmitted(issue.file) }),
      );
      if (!has_dataset_issues && has_events_or_no_issues)
        return { dataset, faults, files: listUsedFiles(pass) };
      if (decideActions(pass, issues.slice(file_issue_count))) continue;
    }
    throw createContentError([...all_issues.values()]);
  }
}

/** Lists the files of the dataset by path: current ones or their last valid versions. */
function listUsedFiles({
  valid_files,
  actions,
  previous,
}: LenientPass): ReadonlyMap<string, StoredContentFile> {
  const used = new Map(valid_files);
  for (const [file, action] of actions) {
    const last_valid = action === 'last_good' ? previous.find(file) : null;
    if (last_valid === null) used.delete(file);
    else used.set(file, last_valid);
  }
  return used;
}

/** Creates a reader that follows the decided actions, and decides them for invalid files. */
const createReader = ({
  folder,
  previous,
  actions,
  valid_files,
  issues,
}: LenientPass): ContentReader => ({
  list: (kind) => {
    const name_issues: ContentIssue[] = [];
    const existing = listFiles(folder, kind, name_issues);
    for (const issue of name_issues) {
      if (!actions.has(issue.file)) issues.push(issue);
      actions.set(issue.file, 'left_out');
    }
    const restored = [...actions].flatMap(([file, action]) =>
      file.startsWith(`${kind}/`) && action === 'last_good' && !existing.includes(file)
        ? [file]
        : [],
    );
    return [...existing, ...restored].sort();
  },
  read: (file, schema) => {
    const action = actions.get(file);
    if (action === 'left_out') return null;
    if (action === 'last_good') return findLastValid(previous, file, schema);
    const result = loadContentFile(folder, file, schema, previous);
    const { parsed, digest, text } = result;
    if (parsed !== null) {
      valid_files.set(file, { digest, text, value: parsed.value });
      return parsed;
    }
    issues.push(...result.issues);
    const last_valid = findLastValid(previous, file, schema);
    actions.set(file, last_valid === null ? 'left_out' : 'last_good');
    return last_valid;
  },
});

/** Finds the last valid version of a file. @returns null if the current schema rejects it. */
function findLastValid<S extends v.GenericSchema>(
  previous: PreviousContent,
  file: string,
  schema: S,
): ParsedContentFile<v.InferOutput<S>> | null {
  const cached = previous.find(file);
  if (cached === null) return null;
  if (isValidated(schema, cached)) return parsedContentFile(file, cached.value);
  const result = v.safeParse(schema, cached.value);
  return result.success ? parsedContentFile(file, result.output) : null;
}

/**
 * Decides the actions for files that are invalid together: the first of these steps that applies to
 * an issue.
 * 1. A deleted file that is still referenced is restored.
 * 2. A changed file goes back to its last valid version.
 * 3. If the file is unchanged, the changed required files go back, as one of them must be the
 * cause.
 * 4. The file is left out, if there is no last valid version or it has the issue too.
 * @returns false if there are no issues.
 */
function decideActions(
  { previous, actions, valid_files }: LenientPass,
  issues: readonly ContentIssue[],
): boolean {
  const actions_before = new Map(actions);
  const isChanged = (file: string): boolean =>
    valid_files.get(file)?.digest !== previous.find(file)?.digest;
  const restoreLastValid = (files: readonly string[]): boolean => {
    const restorable = files.filter(
      (file) => !actions_before.has(file) && previous.find(file) !== null,
    );
    for (const file of restorable) actions.set(file, 'last_good');
    return restorable.length > 0;
  };
  // `needs`: the missing file to which the file with the issue refers.
  for (const { file, needs } of issues) {
    if (needs !== undefined && restoreLastValid([needs])) continue;
    const suspects = isChanged(file)
      ? [file]
      : [...valid_files.keys()].filter(isRequired).filter(isChanged);
    if (!restoreLastValid(suspects)) actions.set(file, 'left_out');
  }
  return issues.length > 0;
}
