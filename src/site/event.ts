// The page of one event, by its slug; by an older slug or its id, the way to it.
import { renderEvent } from '../serializers/markdown/event.ts';
import { listUpcomingEvents } from '../snapshot/list-things.ts';
import { definePage, listThingPaths, type SlugRequest, toThingRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { EventDetail } from '../domain/agenda.ts';
import { toCancunDay } from '../domain/cancun-time.ts';
import { byLang } from '../domain/lang.ts';
import { toMarkdownPath, toPosterPath, toThingIcsPath, toThingPath } from '../i18n/paths.ts';
import { toEventJsonLd } from '../serializers/json-ld.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import { type EventDates, toEventDates } from './event-dates.ts';
import type { SiteState } from './state.ts';
import { type Failure, GONE, type Moved, NOT_FOUND, type PageMeta, toMoved } from './page.ts';
import { toEventPoster, toPosterLink } from './poster.ts';

/** What the page of an event is given. */
export interface EventView {
  readonly meta: PageMeta;
  readonly detail: EventDetail;
  readonly dates: EventDates;
  /** The year that it is. */
  readonly year: number;
}

/** The event, the way to its address, 410 where it was withdrawn (contract 5.5, 5.7). */
export function resolveEvent(
  state: SiteState,
  { slug, lang }: SlugRequest,
): Shown<EventView> | Moved | Failure {
  const { snapshot, now_ms, site } = state;
  const detail = getEvent(snapshot, slug, now_ms);
  if (detail === 'gone') return GONE;
  if (detail === null) return NOT_FOUND;
  const { event } = detail;
  const paths = byLang((each) => toThingPath('event', event.slug, each));
  if (event.slug[lang] !== slug) return toMoved(paths[lang]);
  const meta: PageMeta = {
    lang,
    paths,
    site,
    title: event.title[lang],
    description: event.summary[lang],
    markdown: toMarkdownPath(paths[lang]),
    calendar: toThingIcsPath('event', event.slug, lang),
    json_ld: toEventJsonLd(detail, lang, site, now_ms),
    entry: null,
    poster: toPosterLink(toEventPoster(detail, lang, site), toPosterPath(paths[lang])),
  };
  return show({
    meta,
    detail,
    dates: toEventDates(detail, state, lang),
    year: toCancunDay(now_ms).year,
  });
}

export const eventPage = definePage({
  name: 'event',
  routes: toThingRoutes('event'),
  load: resolveEvent,
  toMarkdown: (view: EventView, { now_ms }) => renderEvent(view, now_ms),
  listBuilt: ({ snapshot, now_ms }) =>
    listThingPaths('event', listUpcomingEvents(snapshot, now_ms)),
  toPoster: ({ snapshot, now_ms, site }, { slug, lang }) => {
    const detail = getEvent(snapshot, slug, now_ms);
    if (detail === 'gone') return GONE;
    if (detail === null) return NOT_FOUND;
    const { slug: known } = detail.event;
    return known[lang] === slug
      ? toEventPoster(detail, lang, site)
      : toMoved(toPosterPath(toThingPath('event', known, lang)));
  },
});
