// What /llms-full.txt and its like say: the same results as the pages and their Markdown versions, in one.
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/query/event-query.ts';
import { LANGS, type Lang } from '../domain/lang.ts';
import { DIRECTORIES, PAGE_PATHS, toLlmsFullPath, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { renderLlmsFull } from '../serializers/llms.ts';
import { renderDocs } from '../serializers/markdown/docs.ts';
import { renderSubmit } from '../serializers/markdown/pages.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { MAX_AGENDA_EVENTS, readNoticeBoard } from '../snapshot/agenda.ts';
import { loadDirectory } from './directory.ts';
import { loadReference } from './docs.ts';
import type { SiteState } from './state.ts';

/** Days that are told event by event. */
const DAYS = 7;

/** The language whose document a path is; null for any other path. */
export const findLlmsFullLang = (path: string): Lang | null =>
  LANGS.find((lang) => toLlmsFullPath(lang) === path) ?? null;

/** The document of a language. */
export function resolveLlmsFull(state: SiteState, lang: Lang): string {
  const { snapshot, now_ms, site } = state;
  const { taxonomy } = snapshot;
  const today = toCancunDay(now_ms);
  const open = toOpenFilter(floorToMinute(now_ms), MAX_AGENDA_EVENTS);
  const board = readNoticeBoard(snapshot, today);
  const toDocument = (page: 'submit' | 'docs', text: string) => ({
    title: t(lang, `llms.page.${page}`),
    path: toMarkdownPath(PAGE_PATHS[page][lang]),
    text,
  });
  return renderLlmsFull(
    {
      taxonomy,
      days: Array.from({ length: DAYS }, (_, at) => {
        const day = today.add({ days: at });
        return {
          day,
          cards: findEvents(snapshot, { ...open, range: { from: day, to: day } }, lang).cards,
        };
      }),
      events: findEvents(snapshot, open, lang).cards,
      places: DIRECTORIES.map((section) => {
        const { page } = loadDirectory(state, { lang, section }, '');
        return { section, title: page.meta.title, things: page.things, total: page.total };
      }),
      notices: [...board.today, ...board.tomorrow, ...board.in_season, ...board.soon],
      documents: [
        toDocument('submit', renderSubmit(taxonomy, lang, site)),
        toDocument('docs', renderDocs(loadReference(state, lang))),
      ],
    },
    lang,
    site,
  );
}
