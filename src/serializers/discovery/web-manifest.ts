// The manifest of the site as it is installed on a telephone (W3C Web Application Manifest).
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toHomePath, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';

const SIZES = [192, 512] as const;

/** What a telephone is told; installed, it opens on today. */
export const toWebManifest = (site: Site, lang: Lang) => ({
  id: toHomePath(lang),
  name: site.name,
  short_name: site.name,
  description: t(lang, 'footer.about'),
  lang: t(lang, 'site.html_lang'),
  start_url: toPagePath('today', lang),
  scope: '/',
  display: 'standalone',
  theme_color: '#dff3f3',
  background_color: '#fffdf9',
  icons: SIZES.flatMap((size) => [
    { src: `/icons/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' },
    {
      src: `/icons/maskable-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'maskable',
    },
  ]),
  shortcuts: (['tomorrow', 'weekend', 'map'] as const).map((page) => ({
    name: t(lang, page === 'map' ? 'footer.map' : `nav.${page}`),
    url: toPagePath(page, lang),
  })),
});
