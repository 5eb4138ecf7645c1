// The events of a made-up town: forms of when, hostile words, prices, places, all in turn.
import type { Temporal } from 'temporal-polyfill';
import { CATEGORY_KEYS, ZONE_KEYS } from '../../src/domain/taxon.ts';
import { HOSTILE_DESCRIPTIONS, HOSTILE_TITLES } from './hostile.ts';
import { PROVENANCE, type TownFile } from './places.ts';
import { createRandom, type Random, toSeed } from './random.ts';
import { type EventInput, FORMS } from './schedules.ts';
import { DESCRIPTION, MANNERS, SUMMARY, THINGS, written } from './words.ts';

/**
 * One event in seven has a hostile title; seven and the number of forms share no factor, so every
 * pair meets.
 */
const HOSTILE_EVERY = 7;

/** How many venues and organizers there are to choose from. */
export interface TownSize {
  readonly venues: number;
  readonly organizers: number;
}

type Words = Pick<EventInput, 'title' | 'summary' | 'description' | 'category' | 'tags'>;

function toWords(number: number, random: Random): Words {
  const category = CATEGORY_KEYS[number % CATEGORY_KEYS.length] ?? 'community';
  const [thing, manner] = [random.pick(THINGS[category]), random.pick(MANNERS)];
  const turn = Math.floor(number / HOSTILE_EVERY);
  const hostile = number % HOSTILE_EVERY === 3;
  const title = hostile ? HOSTILE_TITLES[turn % HOSTILE_TITLES.length] : undefined;
  const description = hostile
    ? HOSTILE_DESCRIPTIONS[turn % HOSTILE_DESCRIPTIONS.length]
    : undefined;
  return {
    title:
      title ??
      written({
        es: `${thing.es} ${manner.es}, n.º ${number}`,
        en: `${thing.en} ${manner.en}, no. ${number}`,
      }),
    summary: title && random.chance(50) ? title : SUMMARY,
    description: description ?? DESCRIPTION,
    category,
    tags: random.chance(15) ? ['familia', 'prueba'] : ['prueba'],
  };
}

function toPrice(random: Random): EventInput['price'] {
  const min = random.int(1, 40) * 25;
  const chance = random.int(0, 9);
  if (chance < 4) return 'free';
  if (chance < 6) return 'unknown';
  if (chance < 8) return { min };
  return chance === 8
    ? { min, max: min + 500 }
    : {
        max: 99.5,
        currency: 'USD',
        note: written({ es: 'Cooperación; desde $0', en: 'Donation, from $0' }),
      };
}

/** A venue; or only a zone and words; or nothing at all. */
function toPlace(
  number: number,
  size: TownSize,
  random: Random,
): Pick<EventInput, 'venue' | 'zone' | 'location_note'> {
  const location_note = written({
    es: 'Junto a la fuente inventada; entrada norte',
    en: 'By the made-up fountain; north entrance',
  });
  if (number % 10 === 9)
    return random.chance(50) ? { zone: random.pick(ZONE_KEYS), location_note } : {};
  const venue = `lugar-de-prueba-${random.int(0, size.venues - 1)}`;
  return random.chance(10) ? { venue, location_note } : { venue };
}

function toExtras(number: number, size: TownSize, random: Random): Partial<EventInput> {
  const url = `https://example.com/evento/${number}?a=1&b=2`;
  return {
    ...(random.chance(80)
      ? { organizer: `organizador-de-prueba-${random.int(0, size.organizers - 1)}` }
      : {}),
    ...(random.chance(30) ? { ticket_url: url } : {}),
    ...(random.chance(10) ? { registration_url: url } : {}),
    ...(random.chance(15)
      ? { age_restriction: written({ es: 'Mayores de 18 años', en: '18 and over' }) }
      : {}),
    ...(random.chance(20) ? { languages: ['es', 'en'] } : {}),
    ...(random.chance(10)
      ? {
          image: {
            url: 'https://example.com/imagen.jpg',
            alt: written({ es: 'Imagen "de prueba"', en: 'A "test" image' }),
          },
        }
      : {}),
    ...(random.chance(15)
      ? {
          confirm: written({
            es: 'Confirma el horario con el organizador.',
            en: 'Confirm the time with the organizer.',
          }),
        }
      : {}),
    ...(random.chance(20)
      ? { source: random.pick(['organizer', 'agent'] as const), source_url: url, verified: true }
      : {}),
  };
}

/** The event of a number: the same for the same seed and anchor, however large the town is. */
export function toEventFile(
  number: number,
  seed: number,
  anchor: Temporal.PlainDate,
  size: TownSize,
): TownFile<EventInput> {
  const random = createRandom(toSeed(seed, 'event', number));
  const form = FORMS[number % FORMS.length];
  if (!form) throw new Error('FORMS: is empty');
  const stem = `evento-de-prueba-${number}`;
  return {
    stem,
    value: {
      ...PROVENANCE,
      slug: written({ es: stem, en: `test-event-${number}` }),
      former_slugs: number % 10 === 5 ? [`evento-de-antes-${number}`] : [],
      ...toWords(number, random),
      ...form(random, anchor),
      price: toPrice(random),
      ...toPlace(number, size, random),
      ...toExtras(number, size, random),
    },
  };
}
