// The poster at an address: that of a page, or the site's own.
import { type Lang, LANGS } from '../domain/lang.ts';
import type { Poster } from '../domain/pictures.ts';
import type { Site } from '../domain/site.ts';
import { toPosterPath, toSharePath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import type { Failure, Moved } from './page.ts';
import { findPage } from './registry.ts';
import type { SiteState } from './state.ts';

/** The poster of every page that has none of its own. */
const toSitePoster = (lang: Lang, site: Site): Poster => ({
  name: site.name,
  date: null,
  mark: null,
  title: t(lang, 'poster.site'),
  lines: [new URL(site.url).host],
});

/**
 * The poster at a decoded path, the way to where it is now, or 404, 410; null where the path is none
 * of a poster.
 */
export function resolvePoster(state: SiteState, path: string): Poster | Moved | Failure | null {
  const shared = LANGS.find((lang) => toSharePath(lang) === path);
  if (shared) return toSitePoster(shared, state.site);
  const ending = toPosterPath('');
  if (!path.endsWith(ending)) return null;
  return findPage(path.slice(0, -ending.length))?.toPoster?.(state) ?? null;
}
