// What of the content is due to be looked at again, with the sources to look at (contract 6.5).
import type { Temporal } from 'temporal-polyfill';
import type { Certainty, ShelfLife } from '../domain/knowledge/certainty.ts';
import { toDue, toRuleKnowledge } from './certainty.ts';
import { type ContentIssue, toContentError } from './issues.ts';
import { readContent } from './read-content.ts';

/** A file whose facts are due. */
export interface DueFile {
  /** Path from the content folder. */
  readonly file: string;
  /** The last day on which its facts count in full, YYYY-MM-DD. */
  readonly day: string;
  readonly shelf: ShelfLife;
  /** What its newest rule is worth today. */
  readonly certainty: Certainty;
  /** Addresses, or names where a source has none. */
  readonly sources: readonly string[];
}

/**
 * The events with something ahead that are due by `days` days after `today`, the longest overdue
 * first. Throws one Error with every issue of the content.
 */
export function listDue(folder: string, today: Temporal.PlainDate, days: number): DueFile[] {
  const issues: ContentIssue[] = [];
  const { events } = readContent(folder, issues);
  if (issues.length > 0) throw toContentError(issues);
  const last = today.add({ days }).toString();
  return events
    .flatMap(({ file, value }) => {
      const due = toDue(value, today);
      const when = value.when.at(-1);
      if (due === null || when === undefined || due.due.toString() > last) return [];
      const { certainty } = toRuleKnowledge(value, when, today);
      const sources = due.sources.map(({ url, name }) => url ?? name ?? 'a source without a name');
      return [{ file, day: due.due.toString(), shelf: due.shelf, certainty, sources }];
    })
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.file < b.file ? -1 : 1));
}
