// robots.txt (RFC 9309): all may be read; what it may be used for (contentsignals.org); where the
// sitemap is.
import { AGENDA_WORDS } from '../../domain/agenda-words.ts';
import { LANGS } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import {
  LLMS_PATH,
  PAGE_PATHS,
  SECTION_PATHS,
  SITEMAP_PATH,
  toAbsolute,
} from '../../i18n/paths.ts';

/**
 * Pages that take the filters: each lists what others list too, so a crawler that combines them
 * never comes to an end (contract 11.7). One filter may be followed.
 */
const NARROWED = LANGS.flatMap((lang) => [
  ...[...AGENDA_WORDS, 'search' as const].map((page) => `${PAGE_PATHS[page][lang]}?*&`),
  `${SECTION_PATHS.day[lang]}/*?*&`,
]);

/** The file; reading and citing are welcome, training is declined (contract 1.8). */
export const toRobots = ({ url }: Pick<Site, 'url'>): string =>
  [
    `# ${toAbsolute(url, LLMS_PATH)}`,
    'User-agent: *',
    'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    'Allow: /',
    ...NARROWED.map((pattern) => `Disallow: ${pattern}`),
    '',
    `Sitemap: ${toAbsolute(url, SITEMAP_PATH)}`,
    '',
  ].join('\n');
