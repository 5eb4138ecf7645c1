// The page of one organizer, by its slug; by an older slug or its id, the way to it.
import type { PageMeta } from '../components/layout/page-meta.ts';
import type { EventCard } from '../domain/agenda.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { toThingIcsPath, toThingPath, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toOrganizationJsonLd } from '../serializers/json-ld-place.ts';
import { findId } from '../snapshot/get-event.ts';
import { getOrganizer } from '../snapshot/get-organizer.ts';
import type { SiteState } from './state.ts';
import { type Failure, GONE, type Moved, NOT_FOUND, toMoved } from './outcome.ts';
import { findUpcoming } from './upcoming.ts';

/** What the page of an organizer is given. */
export interface OrganizerResult {
  readonly kind: 'organizer';
  readonly page: {
    readonly meta: PageMeta;
    readonly organizer: OrganizerRecord;
    readonly cards: readonly EventCard[];
    readonly now_ms: number;
  };
}

/** The organizer with what comes up, or the way to its address. */
export function resolveOrganizer(
  state: SiteState,
  { slug, lang }: { readonly slug: string; readonly lang: Lang },
): OrganizerResult | Moved | Failure {
  const { snapshot, site } = state;
  if (findId(snapshot, 'organizer', slug) === 'gone') return GONE;
  const organizer = getOrganizer(snapshot, slug);
  if (organizer === null) return NOT_FOUND;
  const paths: LocalText = {
    es: toThingPath('organizer', organizer.slug, 'es'),
    en: toThingPath('organizer', organizer.slug, 'en'),
  };
  if (organizer.slug[lang] !== slug) return toMoved(paths[lang]);
  const meta: PageMeta = {
    lang,
    paths,
    site,
    title: organizer.name,
    description: t(lang, 'places.description', { name: organizer.name }),
    markdown: toMarkdownPath(paths[lang]),
    calendar: toThingIcsPath('organizer', organizer.slug, lang),
    json_ld: toOrganizationJsonLd(organizer, lang, site),
    entry: null,
  };
  return {
    kind: 'organizer',
    page: {
      meta,
      organizer,
      cards: findUpcoming(state, { organizer: organizer.id }, lang),
      now_ms: state.now_ms,
    },
  };
}
