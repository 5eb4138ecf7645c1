// What time it is in Cancún, in words: what every text for a reader without a clock of ours begins with.
import { toCancun } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toHour, toHourKey, toLongDay } from './dates.ts';
import { t } from './translate.ts';

type HourKey = Parameters<typeof toHourKey>[1];

function toLine(now_ms: number, one: HourKey, other: HourKey, lang: Lang): string {
  const now = toCancun(now_ms);
  const hour = now.toPlainTime();
  return t(lang, toHourKey(hour, one, other), {
    hour: toHour(hour, lang),
    day: toLongDay(now.toPlainDate(), lang),
  });
}

/** `Son las 19:30 del sábado 21 de noviembre de 2026 en Cancún.`: for an answer that nobody keeps. */
export const toClockLine = (now_ms: number, lang: Lang): string =>
  toLine(now_ms, 'clock.one', 'clock.other', lang);

/** `Escrito a las 19:30 del sábado 21 …, hora de Cancún (UTC−5).`: true of a document that is kept, too. */
export const toWrittenLine = (now_ms: number, lang: Lang): string =>
  toLine(now_ms, 'clock.written_one', 'clock.written_other', lang);
