// The page of what changed for whoever uses the interface, by version (contract 15.5).
import { Temporal } from 'temporal-polyfill';
import { API_CHANGES } from '../../domain/api-changes.ts';
import type { DocsSection } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toDayOfMonth } from '../../i18n/dates.ts';
import { toAbsolute, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { list, paragraph } from '../markdown/nodes.ts';
import { readSentence } from './sections.ts';

/** Each version with its entries; the rule of what may change stands with the newest. */
export function toChangelogSections(site: Site, lang: Lang): readonly DocsSection[] {
  const changes = toAbsolute(site.url, toPagePath('changes', lang));
  return API_CHANGES.map(({ version, day, entries }) => {
    const points = list(entries.map((entry) => readSentence(t(lang, `changelog.entry.${entry}`))));
    return day === null
      ? {
          id: 'since',
          title: t(lang, 'changelog.since', { version }),
          body: [paragraph(...readSentence(t(lang, 'changelog.rule', { changes }))), points],
        }
      : {
          id: `v${version.replaceAll('.', '-')}`,
          title: t(lang, 'changelog.release', {
            version,
            day: toDayOfMonth(Temporal.PlainDate.from(day), lang),
          }),
          body: [points],
        };
  });
}
