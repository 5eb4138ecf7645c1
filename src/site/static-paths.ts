// Which pages a release has ready: what is ahead. The rest is rendered when it is asked for.
import type { Lang, LocalText } from '../domain/lang.ts';
import { listVariantPaths } from './day-alias.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-pages.ts';
import { listBuiltDays, VARIANT_DAYS } from './days.ts';
import { readState } from './state.ts';

interface SlugPath {
  readonly params: { readonly slug: string };
}

const toPaths = (things: readonly { readonly slug: LocalText }[], lang: Lang): SlugPath[] =>
  things.map((thing) => ({ params: { slug: thing.slug[lang] } }));

/** Events with something ahead of them. */
export function listEventPaths(lang: Lang): SlugPath[] {
  const { snapshot, now_ms } = readState();
  return toPaths(listUpcomingEvents(snapshot, now_ms), lang);
}

export const listVenuePaths = (lang: Lang): SlugPath[] =>
  toPaths(listVenues(readState().snapshot), lang);
export const listOrganizerPaths = (lang: Lang): SlugPath[] =>
  toPaths(listOrganizers(readState().snapshot), lang);
export const listCategoryPaths = (lang: Lang): SlugPath[] =>
  toPaths(readState().snapshot.taxonomy.categories, lang);
export const listZonePaths = (lang: Lang): SlugPath[] =>
  toPaths(readState().snapshot.taxonomy.zones, lang);

/** Yesterday and the three months ahead. */
export const listDayPaths = (): { readonly params: { readonly day: string } }[] =>
  listBuiltDays(readState().now_ms).map((day) => ({ params: { day } }));

/** Every variant of `/hoy`, `/manana`, … that the clock may ask for before the next release. */
export function listAliasPaths(): {
  readonly params: { readonly alias: string; readonly day: string };
}[] {
  return listVariantPaths(readState().now_ms, VARIANT_DAYS).map((path) => {
    const [, alias = '', day = ''] = path.split('/');
    return { params: { alias, day } };
  });
}
