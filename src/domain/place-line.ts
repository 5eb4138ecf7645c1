// Where something is, in one line that a map finds from anywhere: name, address, locality, town,
// state. Pure.
import { fold } from './folding.ts';
import type { TaxonRecord } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/** The state of every place that we know. */
export const STATE = 'Quintana Roo';

/** The zones that are towns of their own; every other one is a part of Cancún. */
const TOWNS: Readonly<Record<string, string>> = {
  'isla-mujeres': 'Isla Mujeres',
  'puerto-morelos': 'Puerto Morelos',
};
const CANCUN = 'Cancún';

/**
 * Address and locality for where the zone is said beside them: a locality that is the zone's name,
 * in either language, is not said twice.
 */
export function toStreetLine(
  { address, locality }: Pick<VenueRecord, 'address' | 'locality'>,
  zone: TaxonRecord | null,
): string {
  const is_zone = zone !== null && (locality === zone.name.es || locality === zone.name.en);
  return [address, is_zone ? null : locality].filter((part) => part !== null).join(', ');
}

/**
 * The parts that there are, without a full stop at their end, then the town of `zone` and the state
 * where none of them is just that, but for a postal code.
 */
export function toPlaceLine(parts: readonly (string | null)[], zone: string | null): string {
  const known = parts.filter((part) => part !== null).map((part) => part.trim().replace(/\.$/, ''));
  const ends = zone === null ? [STATE] : [TOWNS[zone] ?? CANCUN, STATE];
  const named = new Set(
    known
      .flatMap((part) => part.split(/[,/]/))
      .map((name) => fold(name.trim().replace(/^\d{5} /, ''))),
  );
  return [...known, ...ends.filter((end) => !named.has(fold(end)))].join(', ');
}
