// Which days of the strip have a name of their own on a page: today and tomorrow, where the page
// knows which days these are.
import type { AgendaWord } from '../../domain/agenda-words.ts';
import type { PageName } from '../../i18n/paths.ts';
import type { StripDay } from '../../site/days-around.ts';

/** The strip in two parts: its days by name, and the others. */
export interface SplitStrip {
  readonly named: ReadonlyMap<AgendaWord, StripDay>;
  readonly others: readonly StripDay[];
}

/** The strips of these pages begin today; any other page does not know which day that is. */
const FROM_TODAY: ReadonlySet<PageName | null> = new Set(['today', 'tomorrow', 'week']);

/** Splits the strip of the page that is this entry of the menu. */
export function splitStrip(strip: readonly StripDay[], entry: PageName | null): SplitStrip {
  const [today, tomorrow, ...others] = strip;
  if (!FROM_TODAY.has(entry) || !today || !tomorrow) return { named: new Map(), others: strip };
  return {
    named: new Map([
      ['today', today],
      ['tomorrow', tomorrow],
    ]),
    others,
  };
}
