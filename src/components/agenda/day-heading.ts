// Which sentences about a day stand above its list, where a telephone shows them first.
import type { DayLineKind } from '../../i18n/day-facts.ts';

export const IN_HEADING: ReadonlySet<DayLineKind> = new Set(['holiday']);
