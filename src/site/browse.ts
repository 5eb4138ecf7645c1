// Ways on that pages share: by category and by zone, and the lists of all things of a kind.
import type { Lang } from '../domain/lang.ts';
import {
  DIRECTORIES,
  type DirectoryName,
  toDirectoryPath,
  toPagePath,
  toThingPath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { listWithEvents } from '../snapshot/count-events.ts';
import type { SiteState } from './state.ts';

export interface NavLink {
  readonly label: string;
  readonly path: string | null;
  readonly is_here?: boolean;
  /** A name of the API. */
  readonly is_code?: true;
}

export interface LinkNav {
  readonly title: string;
  readonly links: readonly NavLink[];
  readonly map?: { readonly label: string; readonly path: string } | null;
}

/**
 * Categories and zones; `here` is the key of the one that the page is. How much each has stands in the lists of
 * all of them: here it would change every page with every event.
 */
export function listBrowse(state: SiteState, here: string | null, lang: Lang): readonly LinkNav[] {
  const { categories, zones } = state.snapshot.taxonomy;
  const with_events = listWithEvents(state);
  const ways = [
    { section: 'category', taxa: categories },
    { section: 'zone', taxa: zones },
  ] as const;
  return ways.map(({ section, taxa }) => ({
    title: t(lang, `browse.${section}`),
    links: taxa.map(({ key, slug, name }) => ({
      label: name[lang],
      path: with_events.get(section)?.includes(key) ? toThingPath(section, slug, lang) : null,
      is_here: key === here,
    })),
    map: section === 'zone' ? { label: t(lang, 'map.open'), path: toPagePath('map', lang) } : null,
  }));
}

export const listDirectories = (lang: Lang, here: DirectoryName | null = null): LinkNav => ({
  title: t(lang, 'directory.others'),
  links: DIRECTORIES.map((section) => ({
    label: t(lang, `directory.title.${section}`),
    path: toDirectoryPath(section, lang),
    is_here: section === here,
  })),
});
