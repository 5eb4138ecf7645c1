// The dataset with as many edits as it can bear: what no schema sees (a rule that gives no day, an address
// that is another's) is found only among the rest (contract 14.29).
import type { Dataset } from '../../domain/dataset.ts';
import { type Edit, listChanged, SAME_FIELD } from '../../domain/edit/edit.ts';
import { type ContentIssue, formatIssue } from '../issues.ts';
import type { InboxRecords } from './read-inbox.ts';

/** A dataset that may be unsound, with the edits that it has, by file. */
interface Attempt {
  readonly dataset: Dataset;
  readonly applied: ReadonlyMap<string, Edit>;
  readonly issues: readonly ContentIssue[];
}

/** What an address is made of. */
const NAMING: readonly string[] = ['slug', 'former_slugs', 'title', 'name', SAME_FIELD];

/**
 * The first sound dataset: without the edits at fault, named among what is left out; at last without
 * any. What is then still wrong is the content's own.
 */
export function findSound(
  attempt: (records: InboxRecords) => Attempt,
  all: InboxRecords,
): Pick<Attempt, 'dataset' | 'issues'> {
  let records = all;
  for (;;) {
    const made = attempt(records);
    const { applied, issues } = made;
    if (issues.length === 0 || records.edits.length === 0) return made;
    const faulty = issues.flatMap((issue) => findFaulty(applied, issue));
    const [first] = issues;
    const out = new Map(
      faulty.length > 0 || first === undefined
        ? faulty
        : records.edits.map((edit) => [edit, formatIssue(first)]),
    );
    records = {
      ...records,
      edits: records.edits.filter((edit) => !out.has(edit)),
      left_out: [...records.left_out, ...[...out].map(([{ thing }, why]) => `${thing} ${why}`)],
    };
  }
}

/** The edits that an issue may come of: that of its file; of two with one address, each that is named anew. */
function findFaulty(
  applied: Attempt['applied'],
  { file, field, message }: ContentIssue,
): (readonly [edit: Edit, why: string])[] {
  const isNamedAnew = ({ source, record }: Edit): boolean =>
    listChanged(source, record).some((one) => NAMING.includes(one));
  return [...applied]
    .filter(([of, edit]) => of === file || (field === 'slug' && isNamedAnew(edit)))
    .map(([, edit]) => [edit, `${field}: ${message}`] as const);
}
