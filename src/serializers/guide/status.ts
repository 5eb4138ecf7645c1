// The page of the service's status: the release, its age, the next one, and whether anything is wrong;
// the same as /healthz tells programs.
import type { PhrasingContent } from 'mdast';
import type { DocsSection } from '../../domain/api-guide.ts';
import { toCancun } from '../../domain/cancun-time.ts';
import type { Health } from '../../domain/health.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toHour, toLongDay } from '../../i18n/dates.ts';
import {
  HEALTH_PATH,
  READINESS_PATH,
  STATUS_PATH,
  toAbsolute,
  toPagePath,
} from '../../i18n/paths.ts';
import { type Key, t, tCount } from '../../i18n/translate.ts';
import { inlineCode, paragraph, plain } from '../markdown/nodes.ts';
import { readSentence, toRows } from './sections.ts';

const MINUTE_MS = 60_000;

/** `sábado 21 de noviembre de 2026, 19:30`, in Cancún. */
function toMoment(epoch_ms: number, lang: Lang): string {
  const moment = toCancun(epoch_ms);
  return t(lang, 'status.moment', {
    day: toLongDay(moment.toPlainDate(), lang),
    hour: toHour(moment.toPlainTime(), lang),
  });
}

function toAge(minutes: number, lang: Lang): string {
  return minutes < 60
    ? tCount(lang, 'status.age.minutes', minutes)
    : t(lang, 'status.age.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

function toState({ failure, refusal, is_stale }: Health): Key {
  if (is_stale) return 'status.state.late';
  return failure === null && refusal === null ? 'status.state.ok' : 'status.state.failed';
}

const countFiles = (faults: Health['faults']): number =>
  new Set(faults.map(({ file }) => file)).size;

function listRows(health: Health, now_ms: number, lang: Lang) {
  const { release, generated_ms, next_ms, failure, faults } = health;
  const minutes = Math.max(0, Math.floor((now_ms - generated_ms) / MINUTE_MS));
  const row = (label: Key, words: string | PhrasingContent) =>
    [t(lang, label), [typeof words === 'string' ? plain(words) : words]] as const;
  return [
    row('status.label.state', t(lang, toState(health))),
    row('status.label.release', inlineCode(release)),
    row('status.label.made', toMoment(generated_ms, lang)),
    row('status.label.age', toAge(minutes, lang)),
    row('status.label.next', next_ms === null ? t(lang, 'status.never') : toMoment(next_ms, lang)),
    ...(failure === null
      ? []
      : [row('status.label.failed', toMoment(Date.parse(failure.at), lang))]),
    ...(faults.length === 0
      ? []
      : [row('status.label.faults', tCount(lang, 'status.faults', countFiles(faults)))]),
  ];
}

/** `health` is null where no server knows: in a build, in the development server. */
export function toStatusSections(
  health: Health | null,
  now_ms: number,
  site: Site,
  lang: Lang,
): readonly DocsSection[] {
  const at = (path: string): string => toAbsolute(site.url, path);
  const parts = {
    healthz: at(HEALTH_PATH),
    readyz: at(READINESS_PATH),
    statusz: at(STATUS_PATH),
    changes: at(toPagePath('changes', lang)),
    changelog: at(toPagePath('docs_changelog', lang)),
  };
  const say = (key: Key) => paragraph(...readSentence(t(lang, key, parts)));
  return [
    {
      id: 'now',
      title: t(lang, 'status.now'),
      body: [health === null ? say('status.unknown') : toRows(listRows(health, now_ms, lang))],
    },
    {
      id: 'programs',
      title: t(lang, 'status.programs'),
      body: [say('status.programs.healthz'), say('status.programs.changes')],
    },
  ];
}
