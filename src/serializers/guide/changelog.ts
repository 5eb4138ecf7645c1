// The page of what changed for whoever uses the interface, by version (contract 15.5).
import { Temporal } from 'temporal-polyfill';
import { API_CHANGES } from '../../domain/api-changes.ts';
import { type GuideSection, toSection } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toDayOfMonth } from '../../i18n/dates.ts';
import { toAbsolute, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';

/** Each version with its entries; the rule of what may change stands with the newest. */
export function toChangelogSections(site: Site, lang: Lang): readonly GuideSection[] {
  const changes = toAbsolute(site.url, toPagePath('changes', lang));
  return API_CHANGES.map(({ version, day, entries }) =>
    toSection(
      day === null ? 'since' : `v${version.replaceAll('.', '-')}`,
      day === null
        ? t(lang, 'changelog.since', { version })
        : t(lang, 'changelog.release', {
            version,
            day: toDayOfMonth(Temporal.PlainDate.from(day), lang),
          }),
      day === null ? [t(lang, 'changelog.rule', { changes })] : [],
      { points: entries.map((entry) => t(lang, `changelog.entry.${entry}`)) },
    ),
  );
}
