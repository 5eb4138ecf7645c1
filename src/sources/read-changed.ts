// Some events of content read anew, as if there were no others: for a snapshot that has those already.
import type { Dataset } from '../domain/dataset.ts';
import type { ContentDigests } from './content-digest.ts';
import { idOf } from './identity.ts';
import type { ContentIssue } from './issues.ts';
import type { KeptSources } from './kept-sources.ts';
import { collectContent, listFiles, readContentFile } from './read-content.ts';
import { type DatasetOrder, makeDataset } from './read-dataset.ts';
import type { GoodFile } from './read-leniently.ts';

export interface ChangedEvents {
  /** Of all the rest of content and of the desk, and of these events alone. */
  readonly dataset: Dataset;
  /** The events of the files, by id. */
  readonly ids: ReadonlySet<string>;
  /** Those of them that are withdrawn: the dataset has them not. */
  readonly withdrawn: ReadonlySet<string>;
  /** The files, to be kept once they serve. */
  readonly good: ReadonlyMap<string, GoodFile>;
}

/**
 * Reads the events in `files` of a folder, and all of it that is no event. Null where that is not enough to know
 * what they say: one is faulty, or is not as it was digested any more, or the desk says something of it.
 */
export function readChangedEvents(
  folder: string,
  files: ReadonlySet<string>,
  order: DatasetOrder & { readonly digests: ContentDigests },
  kept: KeptSources,
): ChangedEvents | null {
  const issues: ContentIssue[] = [];
  let is_as_digested = true;
  const good = new Map<string, GoodFile>();
  const content = collectContent({
    list: (kind) =>
      listFiles(folder, kind, issues).filter((file) => kind !== 'events' || files.has(file)),
    read: (file, schema) => {
      const { parsed, issues: found, digest } = readContentFile(folder, file, schema, kept);
      issues.push(...found);
      is_as_digested &&= digest === order.digests.get(file);
      if (parsed !== null && files.has(file))
        good.set(file, { digest, text: JSON.stringify(parsed.value) });
      return parsed;
    },
  });
  if (issues.length > 0 || !is_as_digested) return null;
  const names = content.events.flatMap((file) => [idOf('event', file), file.stem]);
  const said = JSON.stringify(order.records);
  if (names.some((name) => said.includes(name))) return null;
  const dataset = makeDataset(content, order, issues);
  const ids = new Set(content.events.map((file) => idOf('event', file)));
  const gone = content.events.filter(({ value }) => value.withdrawn !== undefined);
  const withdrawn = new Set(gone.map((file) => idOf('event', file)));
  return issues.length > 0 ? null : { dataset, ids, withdrawn, good };
}
