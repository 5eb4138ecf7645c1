// All kinds of page, and which of them an address names.
import { byLang } from '../domain/lang.ts';
import { toHomePath, toOfflinePath, toPagePath } from '../i18n/paths.ts';
import { agendaPage } from './agenda.ts';
import { calendarPage } from './calendar.ts';
import { changesPage } from './changes.ts';
import { dataPage } from './data.ts';
import { directoryPage } from './directory.ts';
import { docsPage } from './docs.ts';
import { embedPage } from './embed.ts';
import { datesPage, eventPage } from './event.ts';
import { batchPage, bringPage } from './forms/calendar.ts';
import { correctPage } from './forms/correct.ts';
import { statusPage } from './forms/status.ts';
import { submitPage } from './forms/submit.ts';
import { jumpPage } from './jump.ts';
import { mapPage } from './map.ts';
import { noticesPage } from './notices.ts';
import {
  type DefinedKind,
  definePage,
  type FoundPage,
  type PageRequest,
  toRoutes,
} from './page-kind.ts';
import { organizerPage, taxonPage, venuePage } from './places.ts';
import { searchPage } from './search.ts';
import { lead } from './visit.ts';

/** It is today's. */
const homePage = definePage<PageRequest, never>({
  name: 'home',
  routes: toRoutes(byLang(toHomePath), (lang) => ({ lang })),
  load: (_, { lang }) => lead(toPagePath('today', lang)),
});

/** Fetched while there is a network, to be shown when there is none. */
const offlinePage = definePage<PageRequest, never>({
  name: 'offline',
  routes: toRoutes(byLang(toOfflinePath), (lang) => ({ lang })),
  load: () => ({ kind: 'failure', failure: 'offline' }),
});

export const KINDS: readonly DefinedKind[] = [
  ...[homePage, agendaPage, searchPage, mapPage, noticesPage, changesPage],
  ...[eventPage, datesPage, venuePage, organizerPage, taxonPage, directoryPage],
  ...[docsPage, dataPage, calendarPage, embedPage, jumpPage, offlinePage],
  ...[submitPage, statusPage, bringPage, batchPage, correctPage],
];

const ROUTES = new Map(
  KINDS.flatMap(({ routes }) =>
    routes.map(({ pattern, find }) => [pattern.replace(/\[.*\]/, '[]'), find]),
  ),
);

/** The page that a path names, decoded, without `.md`; null where there is none. */
export function findPage(path: string): FoundPage | null {
  const whole = ROUTES.get(path);
  if (whole) return whole('');
  // `/eventos/[slug]`, or `/eventos/[slug]/fechas`.
  const [, before = '', part = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  const last = ROUTES.get(`${before}/[]`);
  if (last) return last(part);
  const [, folder = '', middle = ''] = /^(.*)\/([^/]+)$/.exec(before) ?? [];
  return ROUTES.get(`${folder}/[]/${part}`)?.(middle) ?? null;
}
