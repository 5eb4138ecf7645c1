// The chapters of the description: terms, time, categories and zones, limits, keys, versions (interface 1, 5, 8, 9).
import type { GuideSection } from '../../domain/api-guide.ts';
import { LIMITS, MAX_Q_LENGTH, RADIUS_KM } from '../../domain/event-query.ts';
import type { Lang } from '../../domain/lang.ts';
import { FROM_ALONE_DAYS, MAX_RANGE_DAYS } from '../../domain/range.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toAbsolute, toPagePath, toTwinPath } from '../../i18n/paths.ts';
import { MCP_PATH } from '../../i18n/service-paths.ts';
import { type Key, t } from '../../i18n/translate.ts';

type SectionName = 'terms' | 'time' | 'categories' | 'zones' | 'limits' | 'keys' | 'parameters' | 'http' | 'mcp' | 'versions';

/** All of them in the order of reading. */
export function toSections(taxonomy: Taxonomy, site: Site, lang: Lang): readonly GuideSection[] {
  const numbers = {
    site: site.name, max_days: MAX_RANGE_DAYS, from_days: FROM_ALONE_DAYS, list: LIMITS.list.max, feed: LIMITS.feed.max, q: MAX_Q_LENGTH, radius: RADIUS_KM.max,
  };
  const say = (key: Key): string => t(lang, key, numbers);
  const section = (id: SectionName, paragraphs: readonly string[], more: Partial<GuideSection> = {}): GuideSection =>
    ({ id, title: say(`guide.${id}`), paragraphs, items: [], taxa: null, ...more });
  const ask = site.contact_email === null ? say('guide.keys.closed') : t(lang, 'guide.keys.ask', { email: site.contact_email });
  const twin = toAbsolute(site.url, toTwinPath(toPagePath('today', lang)));
  return [
    section('parameters', [say('guide.parameters.empty'), say('guide.parameters.faults')]),
    section('categories', [say('guide.taxa')], { taxa: taxonomy.categories }),
    section('zones', [say('guide.taxa')], { taxa: taxonomy.zones }),
    section('time', [say('guide.time.zone'), say('guide.time.day')]),
    section('limits', (['rate', 'range', 'size', 'text'] as const).map((limit) => say(`guide.limits.${limit}`))),
    section('keys', [say('guide.keys.what'), ask]),
    section('terms', [], { items: (['attribution', 'cache', 'zone', 'training'] as const).map((term) => say(`guide.terms.${term}`)) }),
    section('http', [say('guide.http.etag'), say('guide.http.cors')]),
    section('mcp', [t(lang, 'guide.mcp.server', { url: toAbsolute(site.url, MCP_PATH) }), t(lang, 'guide.mcp.markdown', { url: twin })]),
    section('versions', [say('guide.versions.path'), say('guide.versions.retire')]),
  ];
}

/** The columns of a table of categories or zones. */
export const toTaxonHeads = (lang: Lang): readonly string[] =>
  (['guide.table.key', 'guide.table.slug.es', 'guide.table.slug.en', 'guide.table.name.es', 'guide.table.name.en'] as const).map((key) => t(lang, key));
