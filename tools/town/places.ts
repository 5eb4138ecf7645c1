// The venues and organizers of a made-up town.
import type * as v from 'valibot';
import { ORGANIZER_TYPES } from '../../src/domain/organizer.ts';
import { ZONE_KEYS } from '../../src/domain/taxon.ts';
import type { OrganizerSchema, VenueSchema } from '../../src/sources/content-schema.ts';
import { createRandom, type Random, toSeed } from './random.ts';
import { GROUPS, PLACES, TOWN_NAME, written } from './words.ts';

/** A file of content: its name without .yml, and what it says. */
export interface TownFile<T> {
  readonly stem: string;
  readonly value: T;
}

/** When and from where every made-up thing is known. */
export const PROVENANCE = {
  sources: [{ name: TOWN_NAME, checked: '2026-11-20' }],
  confidence: 'high' as const,
};

const DESCRIPTION = written({
  es: 'Lugar inventado para pruebas; no existe.',
  en: 'A made-up place for tests; it does not exist.',
});

/** Around Cancún, so that `near` finds some and leaves out others. Five decimals are a metre. */
function toPoint(random: Random): { lat: number; lng: number; coordinates_source: string } {
  const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
  return {
    lat: round(20.84 + random.next() * 0.42),
    lng: round(-86.95 + random.next() * 0.24),
    coordinates_source: TOWN_NAME,
  };
}

/** The venue of a number; every fourth has no coordinates, every seventh no zone. */
export function toVenueFile(
  number: number,
  seed: number,
): TownFile<v.InferInput<typeof VenueSchema>> {
  const random = createRandom(toSeed(seed, 'venue', number));
  const stem = `lugar-de-prueba-${number}`;
  return {
    stem,
    value: {
      ...PROVENANCE,
      slug: written({ es: stem, en: `test-place-${number}` }),
      name: `${random.pick(PLACES)} ${number}`,
      description: DESCRIPTION,
      locality: TOWN_NAME,
      ...(random.chance(80)
        ? {
            address: `Calle Inventada ${random.int(1, 999)}, SM ${random.int(0, 500)}; esquina con Nada`,
          }
        : {}),
      ...(random.chance(60) ? { postal_code: '00000', capacity: random.int(20, 5000) } : {}),
      ...(number % 7 === 6 ? {} : { zone: ZONE_KEYS[number % ZONE_KEYS.length] ?? 'downtown' }),
      ...(number % 4 === 3 ? {} : toPoint(random)),
      ...(random.chance(50)
        ? {
            website: `https://example.com/lugar/${number}`,
            phone: '+52 998 000 0000',
            social: ['https://example.com/red'],
          }
        : {}),
      ...(random.chance(30)
        ? {
            accessibility: written({
              es: 'Rampa de prueba en la entrada.',
              en: 'Test ramp at the entrance.',
            }),
          }
        : {}),
    },
  };
}

/** The organizer of a number, every type in turn. */
export function toOrganizerFile(
  number: number,
  seed: number,
): TownFile<v.InferInput<typeof OrganizerSchema>> {
  const random = createRandom(toSeed(seed, 'organizer', number));
  const stem = `organizador-de-prueba-${number}`;
  return {
    stem,
    value: {
      ...PROVENANCE,
      slug: written({ es: stem, en: `test-organizer-${number}` }),
      name: `${random.pick(GROUPS)} ${number}`,
      type: ORGANIZER_TYPES[number % ORGANIZER_TYPES.length] ?? 'colectivo',
      verified: random.chance(50),
      description: written({
        es: 'Organizador inventado para pruebas.',
        en: 'A made-up organizer for tests.',
      }),
      ...(random.chance(50)
        ? {
            website: `https://example.com/organizador/${number}`,
            social: ['https://example.com/red'],
          }
        : {}),
    },
  };
}
