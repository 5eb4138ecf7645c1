// The dataset with as much of what the desk changed as it can bear: what no schema sees (a rule that
// gives no day, an address that is another's) is found only among the rest (contract 14.29).
import type { Dataset } from '../../domain/dataset.ts';
import { type Patch, SAME_FIELD } from '../../domain/patch.ts';
import { type ContentIssue, formatIssue } from '../issues.ts';
import type { InboxRecords } from './read-inbox.ts';

/** A dataset that may be unsound, with the patches over each file. */
interface Attempt {
  readonly dataset: Dataset;
  readonly applied: ReadonlyMap<string, readonly Patch[]>;
  readonly issues: readonly ContentIssue[];
}

/** What an address is made of. */
const NAMING: readonly string[] = ['slug', 'former_slugs', 'title', 'name', SAME_FIELD];

/**
 * The first sound dataset: without the patches at fault, named among what is left out; at last
 * without any. What is then still wrong is the content's own.
 */
export function findSound(
  attempt: (records: InboxRecords) => Attempt,
  all: InboxRecords,
): Pick<Attempt, 'dataset' | 'issues'> {
  let records = all;
  for (;;) {
    const made = attempt(records);
    const { applied, issues } = made;
    if (issues.length === 0 || records.patches.length === 0) return made;
    const faulty = findFaulty(applied, issues);
    records = without(records, faulty.size > 0 ? faulty : toAll(records, issues));
  }
}

/** Why each patch at fault is at fault: those whose field is named, else all of that file. */
function findFaulty(
  applied: Attempt['applied'],
  issues: readonly ContentIssue[],
): ReadonlyMap<Patch, string> {
  const faulty = new Map<Patch, string>();
  const blame = (patches: readonly Patch[], { field, message }: ContentIssue): void => {
    for (const patch of patches) faulty.set(patch, `${field || patch.field}: ${message}`);
  };
  for (const issue of issues) {
    const field = /^\w*/.exec(issue.field)?.[0] ?? '';
    const own = applied.get(issue.file) ?? [];
    blame(
      own.filter((patch) => patch.field === field),
      issue,
    );
    // Of two with one address, the other is the one that was found first.
    const all = [...applied.values()].flat();
    if (field === 'slug')
      blame(
        all.filter((patch) => NAMING.includes(patch.field)),
        issue,
      );
  }
  if (faulty.size === 0) for (const issue of issues) blame(applied.get(issue.file) ?? [], issue);
  return faulty;
}

const toAll = (
  { patches }: InboxRecords,
  [first]: readonly ContentIssue[],
): ReadonlyMap<Patch, string> =>
  new Map(patches.map((patch) => [patch, `${patch.field}: ${first ? formatIssue(first) : ''}`]));

function without(records: InboxRecords, faulty: ReadonlyMap<Patch, string>): InboxRecords {
  const patches = records.patches.filter((patch) => !faulty.has(patch));
  const left = [...faulty].map(([{ thing }, why]) => `${thing} ${why}`);
  return { ...records, patches, left_out: [...records.left_out, ...left] };
}
