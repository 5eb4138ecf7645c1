// /sw.js: the service worker as text, with the addresses and sentences that it needs; its store is
// named after all of them, so that a worker that changed begins afresh.
import { createHash } from 'node:crypto';
import { ZONE } from '../domain/local-time.ts';
import { CORRECTABLE } from '../domain/correction.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import {
  API_BASE,
  DESK_PATH,
  MCP_PATH,
  toCorrectPath,
  toOfflinePath,
  toPagePath,
  toPrefix,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { readNow } from '../reader/clock.ts';
import { runWorker, type WorkerLang, type WorkerSettings } from '../reader/worker.ts';

const toLang = (lang: Lang): WorkerLang => ({
  prefix: toPrefix(lang),
  locale: t(lang, 'site.html_lang'),
  pages: (['today', 'tomorrow', 'weekend'] as const).map((page) => toPagePath(page, lang)),
  offline: toOfflinePath(lang),
  list: toPagePath('saved', lang),
  today: t(lang, 'kept.today'),
  before: t(lang, 'kept.before'),
  twelve_hours: lang === 'en',
});

const SETTINGS: WorkerSettings = {
  // The root's language is that of every path that is of no other.
  langs: LANGS.toReversed().map(toLang),
  never: [
    ...new Set([
      ...[API_BASE, MCP_PATH, DESK_PATH],
      ...LANGS.map((lang) => toPagePath('submit', lang)),
      // The forms of all kinds of things stand in one folder.
      ...CORRECTABLE.flatMap((kind) =>
        LANGS.map((lang) => toCorrectPath(kind, '', lang).replace(/\/[^/]+\/$/, '')),
      ),
    ]),
  ],
  zone: ZONE,
  wait_ms: 4_000,
  most: 20,
  fresh_ms: 3_600_000,
};

export function toWorkerScript(): string {
  const script = runWorker.toString().replace(/^\s*\/\/.*\n|^\s+/gm, '');
  const clock = readNow.toString();
  const settings = JSON.stringify(SETTINGS);
  const version = createHash('sha256')
    .update(script + settings + clock)
    .digest('base64url')
    .slice(0, 10);
  return `(${script})(self,${settings},${JSON.stringify(version)},${clock})\n`;
}
