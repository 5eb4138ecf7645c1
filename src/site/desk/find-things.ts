// Anything that the desk can edit, found by a word of its name, by its slug or id, or by the address
// of its page pasted in.
import type { HistoryKind } from '../../domain/history.ts';
import { HISTORY_KINDS } from '../../domain/history.ts';
import { toWords } from '../../domain/folding.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import type { SourceRecord } from '../../domain/edit/edit.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { openSources } from '../../desk/things.ts';
import type { FoundThing } from './edit-screens.ts';
import type { DeskRequest } from './screens.ts';

const MAX_FOUND = 60;

const isTexts = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Its name in a language, from a record of its source. */
export function toThingTitle(record: SourceRecord['record'], lang: Lang): string {
  const { name, title } = record;
  if (typeof name === 'string') return name;
  return isTexts(title) ? String(title[lang] ?? '') : '';
}

export const toEditPath = (id: string): string => `${DESK_PATHS.edit}/${id}`;

/** Everything that a search means, the very thing first where it is an address. */
export async function findThings(
  { state, visit }: DeskRequest,
  q: string,
): Promise<readonly FoundThing[]> {
  const exact = findAddressed(state.snapshot, q);
  const wanted = toWords(q);
  if (wanted.length === 0) return [];
  const found: { readonly source: SourceRecord; readonly is_exact: boolean }[] = [];
  const sources = openSources(visit.inbox, state.snapshot);
  for (const kind of HISTORY_KINDS)
    for (const source of await sources.list(kind)) {
      const is_exact = exact.get(kind) === source.id || source.id === q;
      const words = toWords(
        [...LANGS.map((lang) => toThingTitle(source.record, lang)), source.file].join(' '),
      );
      const is_meant = wanted.every((word) => words.some((one) => one.startsWith(word)));
      if (is_exact || is_meant) found.push({ source, is_exact });
    }
  return found
    .sort((a, b) => Number(b.is_exact) - Number(a.is_exact))
    .slice(0, MAX_FOUND)
    .map(({ source: { id, kind, record } }) => ({
      kind,
      title: toThingTitle(record, visit.lang),
      path: toEditPath(id),
    }));
}

/** The ids that the last part of an address, or a slug alone, has by kind. */
function findAddressed(
  snapshot: DeskRequest['state']['snapshot'],
  q: string,
): ReadonlyMap<HistoryKind, string> {
  const slug =
    q
      .replace(/[?#].*$/, '')
      .replace(/\.(md|ics)$/, '')
      .split('/')
      .filter(Boolean)
      .at(-1) ?? '';
  const found = new Map<HistoryKind, string>();
  for (const kind of ['event', 'venue', 'organizer'] as const) {
    const id = snapshot.findId(kind, slug);
    if (id !== null && id !== 'gone') found.set(kind, id);
  }
  return found;
}
