// Which pages of a release name an event: what is not true any more once that is cancelled.
import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

/** Pages by number, so that ten thousand events take a megabyte and not ten. */
const MentionsSchema = v.object({
  pages: v.array(v.string()),
  /** By event the numbers of its pages. */
  events: v.record(v.string(), v.array(v.number())),
  /** What may say something of any event: data files, the sitemap, llms.txt. */
  all: v.array(v.string()),
});

/** Writes what each page and document names; null for one that may name any event. */
export function writeMentions(
  path: string,
  made: readonly { readonly path: string; readonly events: readonly string[] | null }[],
): void {
  const [pages, all]: [string[], string[]] = [[], []];
  const events: Record<string, number[]> = {};
  for (const page of made) {
    if (page.events === null) all.push(page.path);
    else
      for (const id of page.events) {
        events[id] ??= [];
        events[id].push(pages.length);
      }
    if (page.events !== null) pages.push(page.path);
  }
  writeFileSync(path, JSON.stringify({ pages, events, all }));
}

/** The addresses that name one of these events, or may. Throws where the list cannot be read. */
export function readMentioning(path: string, ids: readonly string[]): ReadonlySet<string> {
  const { pages, events, all } = v.parse(MentionsSchema, JSON.parse(readFileSync(path, 'utf8')));
  const named = ids.flatMap((id) => events[id] ?? []).map((page) => pages[page] ?? '');
  return new Set([...all, ...named]);
}

/** What each page names, as it was written. Throws where the list cannot be read. */
export function readMentions(path: string): ReadonlyMap<string, readonly string[] | null> {
  const { pages, events, all } = v.parse(MentionsSchema, JSON.parse(readFileSync(path, 'utf8')));
  const named = pages.map((): string[] => []);
  for (const [id, numbers] of Object.entries(events))
    for (const page of numbers) named[page]?.push(id);
  return new Map<string, readonly string[] | null>([
    ...pages.map((page, at) => [page, named[at] ?? []] as const),
    ...all.map((page) => [page, null] as const),
  ]);
}
