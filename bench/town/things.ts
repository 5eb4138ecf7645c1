// The events, venues, organizers and notices of a made-up town: each is the same for the same number, seed
// and anchor, however large the town is.
import type { Temporal } from 'temporal-polyfill';
import type * as v from 'valibot';
import { NOTICE_TYPES, SEVERITIES } from '../../src/domain/notice.ts';
import { ORGANIZER_TYPES } from '../../src/domain/organizer.ts';
import { TOWN } from '../../src/town.ts';
import type {
  EventSchema,
  NoticeSchema,
  OrganizerSchema,
  VenueSchema,
} from '../../src/sources/content-schema.ts';
import { HOSTILE_DESCRIPTIONS, HOSTILE_TITLES } from './hostile.ts';
import { createRandom, type Random, toSeed, turn } from './random.ts';
import { type EventInput, FORMS } from './schedules.ts';
import {
  DESCRIPTION,
  GROUPS,
  listThings,
  MANNERS,
  PLACES,
  SUMMARY,
  TOWN_NAME,
  text,
} from './words.ts';

/** A file of content: its name without .yml, and what it says. */
export interface TownFile<T = unknown> {
  readonly stem: string;
  readonly value: T;
}

/** What all things of a town are drawn from. */
export interface Drawn {
  readonly seed: number;
  readonly anchor: Temporal.PlainDate;
  readonly venues: number;
  readonly organizers: number;
}

/** Makes the thing of a number. */
type Make<Schema extends v.GenericSchema> = (
  number: number,
  drawn: Drawn,
) => TownFile<v.InferInput<Schema>>;

/** When and from where every made-up thing is known. */
export const PROVENANCE = {
  sources: [{ name: TOWN_NAME, checked: '2026-11-20' }],
  confidence: 'high' as const,
};
const SOCIAL = ['https://example.com/red'];
const FOUNTAIN = text(
  'Junto a la fuente inventada; entrada norte',
  'By the made-up fountain; north entrance',
);

/** One event in seven; seven and the number of forms share no factor, so every pair meets. */
const HOSTILE_EVERY = 7;

function toEventWords(number: number, random: Random) {
  const category = turn(TOWN.category_keys, number);
  const [thing, manner] = [random.pick(listThings(category)), random.pick(MANNERS)];
  const is_hostile = number % HOSTILE_EVERY === 3;
  const at = Math.floor(number / HOSTILE_EVERY);
  const title = is_hostile
    ? turn(HOSTILE_TITLES, at)
    : text(`${thing.es} ${manner.es}, n.º ${number}`, `${thing.en} ${manner.en}, no. ${number}`);
  return {
    title,
    summary: is_hostile && random.chance(50) ? title : SUMMARY,
    description: is_hostile ? turn(HOSTILE_DESCRIPTIONS, at) : DESCRIPTION,
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
  if (chance === 8) return { min, max: min + 500 };
  return { max: 99.5, currency: 'USD', note: text('Cooperación; desde $0', 'Donation, from $0') };
}

/** A venue; or only a zone and words; or nothing at all. */
function toPlace(number: number, venues: number, random: Random): Partial<EventInput> {
  if (number % 10 === 9)
    return random.some(50, () => ({ zone: random.pick(TOWN.zone_keys), location_note: FOUNTAIN }));
  const venue = `lugar-de-prueba-${random.int(0, venues - 1)}`;
  return { venue, ...random.some(10, () => ({ location_note: FOUNTAIN })) };
}

function toExtras(number: number, organizers: number, random: Random): Partial<EventInput> {
  const url = `https://example.com/evento/${number}?a=1&b=2`;
  const image = {
    url: 'https://example.com/imagen.jpg',
    alt: text('Imagen "de prueba"', 'A "test" image'),
  };
  const confirm = text(
    'Confirma el horario con el organizador.',
    'Confirm the time with the organizer.',
  );
  return {
    ...random.some(80, () => ({
      organizer: `organizador-de-prueba-${random.int(0, organizers - 1)}`,
    })),
    ...random.some(30, () => ({ ticket_url: url })),
    ...random.some(10, () => ({ registration_url: url })),
    ...random.some(15, () => ({ age_restriction: text('Mayores de 18 años', '18 and over') })),
    ...random.some(20, () => ({ languages: ['es', 'en'] })),
    ...random.some(10, () => ({ image })),
    ...random.some(15, () => ({ confirm })),
    ...random.some(20, () => ({
      source: random.pick(['organizer', 'agent'] as const),
      source_url: url,
      verified: true,
    })),
  };
}

export const toEventFile: Make<typeof EventSchema> = (number, drawn) => {
  const { seed, anchor, venues, organizers } = drawn;
  const random = createRandom(toSeed(seed, 'event', number));
  const stem = `evento-de-prueba-${number}`;
  const value = {
    ...PROVENANCE,
    slug: text(stem, `test-event-${number}`),
    former_slugs: number % 10 === 5 ? [`evento-de-antes-${number}`] : [],
    ...toEventWords(number, random),
    ...turn(FORMS, number)(random, anchor),
    price: toPrice(random),
    ...toPlace(number, venues, random),
    ...toExtras(number, organizers, random),
  };
  return { stem, value };
};

/** Around Cancún, so that `near` finds some and leaves out others. Five decimals are a metre. */
function toPoint(random: Random) {
  const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
  const lat = round(20.84 + random.next() * 0.42);
  return { lat, lng: round(-86.95 + random.next() * 0.24), coordinates_source: TOWN_NAME };
}

/** Every fourth has no coordinates, every seventh no zone. */
export const toVenueFile: Make<typeof VenueSchema> = (number, { seed }) => {
  const random = createRandom(toSeed(seed, 'venue', number));
  const stem = `lugar-de-prueba-${number}`;
  const value = {
    ...PROVENANCE,
    slug: text(stem, `test-place-${number}`),
    name: `${random.pick(PLACES)} ${number}`,
    description: text(
      'Lugar inventado para pruebas; no existe.',
      'A made-up place for tests; it does not exist.',
    ),
    locality: TOWN_NAME,
    ...random.some(80, () => ({
      address: `Calle Inventada ${random.int(1, 999)}, SM ${random.int(0, 500)}; esquina con Nada`,
    })),
    ...random.some(60, () => ({ postal_code: '00000', capacity: random.int(20, 5000) })),
    ...(number % 7 === 6 ? {} : { zone: turn(TOWN.zone_keys, number) }),
    ...(number % 4 === 3 ? {} : toPoint(random)),
    ...random.some(50, () => ({
      website: `https://example.com/lugar/${number}`,
      phone: '+52 998 000 0000',
      social: SOCIAL,
    })),
    ...random.some(30, () => ({
      accessibility: text('Rampa de prueba en la entrada.', 'Test ramp at the entrance.'),
    })),
  };
  return { stem, value };
};

export const toOrganizerFile: Make<typeof OrganizerSchema> = (number, { seed }) => {
  const random = createRandom(toSeed(seed, 'organizer', number));
  const stem = `organizador-de-prueba-${number}`;
  const website = `https://example.com/organizador/${number}`;
  const value = {
    ...PROVENANCE,
    slug: text(stem, `test-organizer-${number}`),
    name: `${random.pick(GROUPS)} ${number}`,
    type: turn(ORGANIZER_TYPES, number),
    verified: random.chance(50),
    description: text('Organizador inventado para pruebas.', 'A made-up organizer for tests.'),
    ...random.some(50, () => ({ website, social: SOCIAL })),
  };
  return { stem, value };
};

const TITLE = text('Aviso de prueba: nada está cerrado', 'Test notice: nothing is closed');
const BODY = text(
  'Aviso inventado para pruebas; no hay nada que hacer.',
  'A made-up notice for tests; there is nothing to do.',
);

/** Every type and severity, past, present, ahead, and without an end. */
export const toNoticeFile: Make<typeof NoticeSchema> = (number, { seed, anchor }) => {
  const random = createRandom(toSeed(seed, 'notice', number));
  const dates = [anchor.add({ days: random.int(-10, 40) }).toString()];
  const is_hostile = number % 5 === 4;
  const value = {
    ...PROVENANCE,
    type: turn(NOTICE_TYPES, number),
    severity: turn(SEVERITIES, Math.floor(number / NOTICE_TYPES.length)),
    title: is_hostile ? turn(HOSTILE_TITLES, number) : TITLE,
    body: is_hostile ? turn(HOSTILE_DESCRIPTIONS, number) : BODY,
    when: [
      number % 3 === 0
        ? { dates, start: '14:00', end: '20:00' }
        : { dates, days: random.int(1, 4) },
    ],
    bulletin: anchor.toString(),
    open: number % 11 === 10,
    ...random.some(40, () => ({ zone: random.pick(TOWN.zone_keys) })),
    ...random.some(70, () => ({
      source: 'Oficina de Prueba',
      source_url: 'https://example.com/avisos',
    })),
  };
  return { stem: `aviso-de-prueba-${number}`, value };
};
