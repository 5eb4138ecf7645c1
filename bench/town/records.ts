// Records of a generated town: builds events, venues, organizers and notices. A record depends only on its number, seed
// and anchor, not on the size of the town.
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
import { createRandom, type Random, deriveSeed, itemAt } from './random.ts';
import { type EventInput, SCHEDULE_FORMS } from './schedules.ts';
import {
  DESCRIPTION,
  GROUPS,
  listSubjects,
  MANNERS,
  PLACES,
  SUMMARY,
  TOWN_NAME,
  text,
} from './words.ts';

/** Content file: its name without .yml, and its value. */
export interface TownFile<T = unknown> {
  readonly stem: string;
  readonly value: T;
}

/** Inputs of all records. `venues` and `organizers` are counts. */
export interface GeneratorInputs {
  readonly seed: number;
  readonly anchor: Temporal.PlainDate;
  readonly venues: number;
  readonly organizers: number;
}

/** Builds the record with a number. */
type BuildFile<Schema extends v.GenericSchema> = (
  number: number,
  inputs: GeneratorInputs,
) => TownFile<v.InferInput<Schema>>;

/** Source and confidence of all generated records. */
export const PROVENANCE = {
  sources: [{ name: TOWN_NAME, checked: '2026-11-20' }],
  confidence: 'high' as const,
};
const SOCIAL = ['https://example.com/red'];
const FOUNTAIN = text(
  'Junto a la fuente inventada; entrada norte',
  'By the made-up fountain; north entrance',
);

/** One event in seven is hostile. Seven and the number of schedule forms are coprime, so every pair occurs. */
const HOSTILE_EVERY = 7;

function buildEventTexts(number: number, random: Random) {
  const category = itemAt(TOWN.category_keys, number);
  const [subject, manner] = [random.pick(listSubjects(category)), random.pick(MANNERS)];
  const is_hostile = number % HOSTILE_EVERY === 3;
  const hostile_index = Math.floor(number / HOSTILE_EVERY);
  const title = is_hostile
    ? itemAt(HOSTILE_TITLES, hostile_index)
    : text(
        `${subject.es} ${manner.es}, n.º ${number}`,
        `${subject.en} ${manner.en}, no. ${number}`,
      );
  return {
    title,
    summary: is_hostile && random.chance(50) ? title : SUMMARY,
    description: is_hostile ? itemAt(HOSTILE_DESCRIPTIONS, hostile_index) : DESCRIPTION,
    category,
    tags: random.chance(15) ? ['familia', 'prueba'] : ['prueba'],
  };
}

function buildPrice(random: Random): EventInput['price'] {
  const min = random.int(1, 40) * 25;
  const chance = random.int(0, 9);
  if (chance < 4) return 'free';
  if (chance < 6) return 'unknown';
  if (chance < 8) return { min };
  if (chance === 8) return { min, max: min + 500 };
  return { max: 99.5, currency: 'USD', note: text('Cooperación; desde $0', 'Donation, from $0') };
}

/** Builds a venue reference; in one event of ten only zone and note, or none. */
function buildLocation(number: number, venues: number, random: Random): Partial<EventInput> {
  if (number % 10 === 9)
    return random.maybe(50, () => ({ zone: random.pick(TOWN.zone_keys), location_note: FOUNTAIN }));
  const venue = `lugar-de-prueba-${random.int(0, venues - 1)}`;
  return { venue, ...random.maybe(10, () => ({ location_note: FOUNTAIN })) };
}

function buildOptionalFields(
  number: number,
  organizers: number,
  random: Random,
): Partial<EventInput> {
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
    ...random.maybe(80, () => ({
      organizer: `organizador-de-prueba-${random.int(0, organizers - 1)}`,
    })),
    ...random.maybe(30, () => ({ ticket_url: url })),
    ...random.maybe(10, () => ({ registration_url: url })),
    ...random.maybe(15, () => ({ age_restriction: text('Mayores de 18 años', '18 and over') })),
    ...random.maybe(20, () => ({ languages: ['es', 'en'] })),
    ...random.maybe(10, () => ({ image })),
    ...random.maybe(15, () => ({ confirm })),
    ...random.maybe(20, () => ({
      source: random.pick(['organizer', 'agent'] as const),
      source_url: url,
      verified: true,
    })),
  };
}

export const buildEventFile: BuildFile<typeof EventSchema> = (number, inputs) => {
  const { seed, anchor, venues, organizers } = inputs;
  const random = createRandom(deriveSeed(seed, 'event', number));
  const stem = `evento-de-prueba-${number}`;
  const value = {
    ...PROVENANCE,
    slug: text(stem, `test-event-${number}`),
    former_slugs: number % 10 === 5 ? [`evento-de-antes-${number}`] : [],
    ...buildEventTexts(number, random),
    ...itemAt(SCHEDULE_FORMS, number)(random, anchor),
    price: buildPrice(random),
    ...buildLocation(number, venues, random),
    ...buildOptionalFields(number, organizers, random),
  };
  return { stem, value };
};

/** Returns a point around Cancún, so that `near` matches some venues and not others. Five decimals are a meter. */
function randomPoint(random: Random) {
  const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
  const lat = round(20.84 + random.next() * 0.42);
  return { lat, lng: round(-86.95 + random.next() * 0.24), coordinates_source: TOWN_NAME };
}

/** Builds a venue; every fourth has no coordinates, every seventh no zone. */
export const buildVenueFile: BuildFile<typeof VenueSchema> = (number, { seed }) => {
  const random = createRandom(deriveSeed(seed, 'venue', number));
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
    ...random.maybe(80, () => ({
      address: `Calle Inventada ${random.int(1, 999)}, SM ${random.int(0, 500)}; esquina con Nada`,
    })),
    ...random.maybe(60, () => ({ postal_code: '00000', capacity: random.int(20, 5000) })),
    ...(number % 7 === 6 ? {} : { zone: itemAt(TOWN.zone_keys, number) }),
    ...(number % 4 === 3 ? {} : randomPoint(random)),
    ...random.maybe(50, () => ({
      website: `https://example.com/lugar/${number}`,
      phone: '+52 998 000 0000',
      social: SOCIAL,
    })),
    ...random.maybe(30, () => ({
      accessibility: text('Rampa de prueba en la entrada.', 'Test ramp at the entrance.'),
    })),
  };
  return { stem, value };
};

export const buildOrganizerFile: BuildFile<typeof OrganizerSchema> = (number, { seed }) => {
  const random = createRandom(deriveSeed(seed, 'organizer', number));
  const stem = `organizador-de-prueba-${number}`;
  const website = `https://example.com/organizador/${number}`;
  const value = {
    ...PROVENANCE,
    slug: text(stem, `test-organizer-${number}`),
    name: `${random.pick(GROUPS)} ${number}`,
    type: itemAt(ORGANIZER_TYPES, number),
    verified: random.chance(50),
    description: text('Organizador inventado para pruebas.', 'A made-up organizer for tests.'),
    ...random.maybe(50, () => ({ website, social: SOCIAL })),
  };
  return { stem, value };
};

const TITLE = text('Aviso de prueba: nada está cerrado', 'Test notice: nothing is closed');
const BODY = text(
  'Aviso inventado para pruebas; no hay nada que hacer.',
  'A made-up notice for tests; there is nothing to do.',
);

/** Builds a notice; together they cover all types, severities and periods, also open-ended ones. */
export const buildNoticeFile: BuildFile<typeof NoticeSchema> = (number, { seed, anchor }) => {
  const random = createRandom(deriveSeed(seed, 'notice', number));
  const dates = [anchor.add({ days: random.int(-10, 40) }).toString()];
  const is_hostile = number % 5 === 4;
  const value = {
    ...PROVENANCE,
    type: itemAt(NOTICE_TYPES, number),
    severity: itemAt(SEVERITIES, Math.floor(number / NOTICE_TYPES.length)),
    title: is_hostile ? itemAt(HOSTILE_TITLES, number) : TITLE,
    body: is_hostile ? itemAt(HOSTILE_DESCRIPTIONS, number) : BODY,
    when: [
      number % 3 === 0
        ? { dates, start: '14:00', end: '20:00' }
        : { dates, days: random.int(1, 4) },
    ],
    bulletin: anchor.toString(),
    open: number % 11 === 10,
    ...random.maybe(40, () => ({ zone: random.pick(TOWN.zone_keys) })),
    ...random.maybe(70, () => ({
      source: 'Oficina de Prueba',
      source_url: 'https://example.com/avisos',
    })),
  };
  return { stem: `aviso-de-prueba-${number}`, value };
};
