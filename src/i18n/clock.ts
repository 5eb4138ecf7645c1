// What time it is in Cancún, in words: what every text for a reader without a clock of ours begins with.
import { toCancun } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toHour, toHourKey, toLongDay } from './dates.ts';
import { t } from './translate.ts';

function toParts(now_ms: number, lang: Lang) {
  const now = toCancun(now_ms);
  const time = now.toPlainTime();
  return { time, hour: toHour(time, lang), day: toLongDay(now.toPlainDate(), lang) };
}

/** `Son las 19:30 del sábado 21 de noviembre de 2026 en Cancún.`: for an answer that nobody keeps. */
export function toClockLine(now_ms: number, lang: Lang): string {
  const { time, ...parts } = toParts(now_ms, lang);
  return t(lang, toHourKey(time, 'clock.one', 'clock.other'), parts);
}

/**
 * `Escrito a las 19:30 del sábado 21 …, hora de Cancún (UTC−5). Datos al 2026-11-21T18:00:00-05:00.`: true of
 * a document that is kept, too. `updated` is the snapshot's time, a timestamp with offset.
 */
export function toWrittenLine(now_ms: number, updated: string, lang: Lang): string {
  const { time, ...parts } = toParts(now_ms, lang);
  const key = toHourKey(time, 'clock.written_one', 'clock.written_other');
  return t(lang, key, { ...parts, updated });
}
