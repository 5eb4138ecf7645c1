// Anything that the desk can edit, found by a word of its name, by its slug or id, or by the address
// of its page pasted in; and the published events, by a word of theirs.
import { openSources } from '../../desk/things.ts';
import { floorToMinute } from '../../domain/cancun-time.ts';
import { toCleanLine } from '../../domain/clean-text.ts';
import type { StoredCorrection } from '../../domain/correction.ts';
import type { SourceRecord } from '../../domain/edit/edit.ts';
import { toOpenFilter } from '../../domain/query/event-query.ts';
import { toWords } from '../../domain/folding.ts';
import { HISTORY_KINDS, type HistoryKind } from '../../domain/history.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import type { Snapshot } from '../../snapshot/open.ts';
import { findCorrectable, toThingId } from '../forms/correct.ts';
import { type DeskRequest, type Room, toScreen } from './room.ts';

const MAX_FOUND = 60;
const MAX_EVENTS = 100;

const isTexts = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Its name in a language, from a record of its source. */
export function toThingTitle({ name, title }: SourceRecord['record'], lang: Lang): string {
  if (typeof name === 'string') return name;
  return isTexts(title) ? String(title[lang] ?? '') : '';
}

export const toEditPath = (id: string): string => `${DESK_PATHS.edit}/${id}`;

export type Reported = ReturnType<typeof toReported>;

/** What a reader reported, with the places of what it is about where a release has that. */
export function toReported({ state, visit }: DeskRequest, stored: StoredCorrection) {
  const { about } = stored;
  const thing = findCorrectable(state, about.kind, about.id, visit.lang);
  return thing.kind === 'failure'
    ? { stored, page_path: null, thing_path: null }
    : { stored, page_path: thing.path, thing_path: toEditPath(toThingId(about)) };
}

export const eventsRoom: Room = {
  show: async (request, _, told) => toScreen('events', await readView(request), told),
};

export type EventsView = Awaited<ReturnType<typeof readView>>;

async function readView(request: DeskRequest) {
  const { state, visit } = request;
  const q = toCleanLine(visit.query.q ?? '').slice(0, 100);
  const words = toWords(q);
  const filter = {
    ...toOpenFilter(floorToMinute(state.now_ms), MAX_EVENTS),
    words: words.length > 0 ? words : null,
  };
  const { cards, next } = findEvents(state.snapshot, filter, visit.lang);
  return {
    q,
    events: cards.map(({ event }) => event),
    is_cut: next !== null,
    things: words.length > 0 ? await findThings(request, q) : [],
  };
}

/** Places, organizers, notices and events of any day that a search means; first the very thing of an address. */
async function findThings({ state, visit }: DeskRequest, q: string) {
  const exact = findAddressed(state.snapshot, q);
  const wanted = toWords(q);
  const sources = openSources(visit.inbox, state.snapshot);
  const found: { readonly source: SourceRecord; readonly is_exact: boolean }[] = [];
  for (const kind of HISTORY_KINDS)
    for (const source of await sources.list(kind)) {
      const is_exact = exact.get(kind) === source.id || source.id === q;
      const titles = LANGS.map((lang) => toThingTitle(source.record, lang));
      const words = toWords([...titles, source.file].join(' '));
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
function findAddressed(snapshot: Snapshot, q: string): ReadonlyMap<HistoryKind, string> {
  const path = q.replace(/[?#].*$/, '').replace(/\.(md|ics)$/, '');
  const slug = path.split('/').filter(Boolean).at(-1) ?? '';
  const found = new Map<HistoryKind, string>();
  for (const kind of ['event', 'venue', 'organizer'] as const) {
    const id = snapshot.findId(kind, slug);
    if (id !== null && id !== 'gone') found.set(kind, id);
  }
  return found;
}
