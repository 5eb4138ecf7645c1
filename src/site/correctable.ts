// The thing that a correction is about, as a release has it: its name, its page, and as what the
// desk has it.
import { toCancunDay } from '../domain/cancun-time.ts';
import type { Correctable, CorrectedThing } from '../domain/correction.ts';
import type { Lang } from '../domain/lang.ts';
import { toDayPath, toPagePath, toThingPath } from '../i18n/paths.ts';
import { getEvent, getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import { type Failure, GONE, NOT_FOUND } from './page.ts';
import type { SiteState } from './state.ts';

/** It, with the page where a reader sees it. */
export interface CorrectableThing extends CorrectedThing {
  readonly path: string;
}

/** The thing with this id or slug; why there is none. */
export function findCorrectable(
  { snapshot, now_ms }: SiteState,
  kind: Correctable,
  id_or_slug: string,
  lang: Lang,
): CorrectableThing | Failure {
  if (kind === 'notice') {
    const notice = snapshot.notices.get(id_or_slug) ?? null;
    if (notice === null) return NOT_FOUND;
    // In force it stands on the page of notices, before that on its first day's.
    const is_ahead = notice.start_ms > now_ms;
    const day = toCancunDay(notice.start_ms).toString();
    const path = is_ahead ? toDayPath(day, lang) : toPagePath('notices', lang);
    return { kind, id: notice.id, title: notice.title[lang], path };
  }
  if (snapshot.findId(kind, id_or_slug) === 'gone') return GONE;
  if (kind === 'event') {
    const detail = getEvent(snapshot, id_or_slug, now_ms);
    if (detail === null || detail === 'gone') return NOT_FOUND;
    const { id, title, slug } = detail.event;
    return { kind, id, title: title[lang], path: toThingPath(kind, slug, lang) };
  }
  const thing =
    kind === 'venue' ? getVenue(snapshot, id_or_slug) : getOrganizer(snapshot, id_or_slug);
  if (thing === null) return NOT_FOUND;
  return { kind, id: thing.id, title: thing.name, path: toThingPath(kind, thing.slug, lang) };
}

/** The id under which the desk can change it: a notice is edited by its file, which gives one for each of its days. */
export const toThingId = ({ kind, id }: CorrectedThing): string =>
  kind === 'notice' ? (id.split('-')[0] ?? id) : id;
