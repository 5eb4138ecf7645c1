// Service worker script: builds /sw.js, which shows the agenda pages and visited pages while
// offline. src/browser/service-worker.ts is its code; this adds the paths and messages it needs.
// The name of its cache is a digest of the script and its settings, so that a changed worker starts
// with an empty cache.
import { createHash } from 'node:crypto';
import { TIME_ZONE } from '../domain/local-time.ts';
import { CORRECTABLE_KINDS } from '../domain/correction.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import {
  API_BASE,
  DESK_PATH,
  MCP_PATH,
  correctionFormPath,
  offlinePath,
  pagePath,
  langPrefix,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { browserNowMs } from '../browser/browser-clock.ts';
import {
  startServiceWorker,
  type WorkerMessages,
  type WorkerSettings,
} from '../browser/service-worker.ts';

/** Builds the paths and messages of a language. `list` is the page of saved events. */
const buildMessages = (lang: Lang): WorkerMessages => ({
  prefix: langPrefix(lang),
  locale: t(lang, 'site.html_lang'),
  pages: (['today', 'tomorrow', 'weekend'] as const).map((page) => pagePath(page, lang)),
  offline: offlinePath(lang),
  list: pagePath('saved', lang),
  cached_today: t(lang, 'kept.today'),
  cached_earlier: t(lang, 'kept.before'),
  twelve_hours: lang === 'en',
});

const SETTINGS: WorkerSettings = {
  // The language at the root comes last: its prefix matches every path.
  langs: LANGS.toReversed().map(buildMessages),
  excluded: [
    ...new Set([
      ...[API_BASE, MCP_PATH, DESK_PATH],
      ...LANGS.map((lang) => pagePath('submit', lang)),
      // The correction forms of all records, by their common folder.
      ...CORRECTABLE_KINDS.flatMap((kind) =>
        LANGS.map((lang) => correctionFormPath(kind, '', lang).replace(/\/[^/]+\/$/, '')),
      ),
    ]),
  ],
  time_zone: TIME_ZONE,
  wait_ms: 4_000,
  max_visited: 20,
  fresh_ms: 3_600_000,
};

/** Builds the script: the worker's function, without comments, called with its settings. */
export function buildServiceWorker(): string {
  // Removes line comments and indentation.
  // Removed types leave spaces, which cost bytes; no string of the script has any of these.
  const script = startServiceWorker
    .toString()
    .replace(/^\s*\/\/.*\n|^\s+/gm, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ ([,)=])/g, '$1');
  const clock = browserNowMs.toString();
  const settings = JSON.stringify(SETTINGS);
  const version = createHash('sha256')
    .update(script + settings + clock)
    .digest('base64url')
    .slice(0, 10);
  return `(${script})(self,${settings},${JSON.stringify(version)},${clock})\n`;
}
