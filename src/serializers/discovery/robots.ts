// robots.txt (RFC 9309): all may be read; what it may be used for (contentsignals.org); where the
// sitemap is.
import type { Site } from '../../domain/site.ts';
import { LLMS_PATH, SITEMAP_PATH, toAbsolute } from '../../i18n/paths.ts';

/** The file; reading and citing are welcome, training is declined (contract 1.8). */
export const toRobots = ({ url }: Pick<Site, 'url'>): string =>
  [
    `# ${toAbsolute(url, LLMS_PATH)}`,
    'User-agent: *',
    'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    'Allow: /',
    '',
    `Sitemap: ${toAbsolute(url, SITEMAP_PATH)}`,
    '',
  ].join('\n');
