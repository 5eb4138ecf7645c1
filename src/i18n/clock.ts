// What time it is in Cancún, in words: what every text for a reader without a clock of ours begins with.
import { toCancun } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toHour, toHourKey, toLongDay } from './dates.ts';
import { t } from './translate.ts';

/** `Son las 19:30 del sábado 21 de noviembre de 2026 en Cancún.` */
export function toClockLine(now_ms: number, lang: Lang): string {
  const now = toCancun(now_ms);
  const hour = now.toPlainTime();
  return t(lang, toHourKey(hour, 'clock.one', 'clock.other'), {
    hour: toHour(hour, lang),
    day: toLongDay(now.toPlainDate(), lang),
  });
}
