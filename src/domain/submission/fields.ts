// The fields of a submission in words, for whoever describes them: enviar_evento and the docs page.
import type { ParameterDescription } from '../filters/filter.ts';
import { LANGS } from '../lang.ts';
import { SUBMISSION_LIMITS as MAX, type SubmissionSchema } from './schema.ts';

type FieldName = keyof typeof SubmissionSchema.entries;

const line = (max: number) => ({ type: 'string', maxLength: max });
const ADDRESS = { type: 'string', format: 'uri', maxLength: MAX.url };
const AMOUNT = { type: 'number', minimum: 0, maximum: MAX.amount };
const MOMENT = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(-05:00)?)?$',
};
const FLAG = { type: 'boolean', default: false };

const DESCRIBED: Readonly<Record<FieldName, Omit<ParameterDescription, 'name'>>> = {
  title: {
    description: 'Name of the event, without date or place.',
    schema: { ...line(MAX.title), minLength: 3 },
    example: 'Noche de jazz en el parque',
  },
  description: {
    description: 'What happens there, for whom, what to bring. Plain text.',
    schema: { ...line(MAX.description), minLength: 20 },
    example: 'Concierto al aire libre con cuatro grupos locales. Lleva silla.',
  },
  category: {
    description: 'Category key or slug, in Spanish or English.',
    schema: line(MAX.slug),
    example: 'live-music',
  },
  start: {
    description:
      'First day and hour in Cancún time, YYYY-MM-DDTHH:MM; the day alone means all day.',
    schema: MOMENT,
    example: '2026-12-05T20:00',
  },
  end: {
    description:
      'End in Cancún time, in the same form as start; leave it out where it is not known.',
    schema: MOMENT,
    example: '2026-12-05T23:00',
  },
  all_day: { description: 'It lasts all day: hours are left out.', schema: FLAG, example: 'false' },
  dates: {
    description: `Further days with the same hours, YYYY-MM-DD with commas, at most ${MAX.dates}.`,
    schema: { type: 'string' },
    example: '2026-12-12,2026-12-19',
  },
  repeats: {
    description: 'How it repeats, in plain words.',
    schema: line(MAX.line),
    example: 'Todos los sábados de diciembre',
  },
  venue: {
    description:
      'Slug of a venue of this agenda, as in venue.url of an event. Else give venue_name.',
    schema: line(MAX.slug),
    example: 'parque-de-las-palapas',
  },
  venue_name: {
    description: 'Name of the place, where it is not in this agenda.',
    schema: line(MAX.name),
    example: 'Parque de las Palapas',
  },
  venue_address: {
    description: 'Address of the place.',
    schema: line(MAX.line),
    example: 'Calle Margaritas, Centro',
  },
  zone: {
    description: 'Zone key or slug, in Spanish or English.',
    schema: line(MAX.slug),
    example: 'downtown',
  },
  free: { description: 'Entry is free.', schema: FLAG, example: 'true' },
  price_min: { description: 'Lowest price in MXN.', schema: AMOUNT, example: 150 },
  price_max: { description: 'Highest price in MXN.', schema: AMOUNT, example: 350 },
  price_note: {
    description: 'What else there is to know of the price.',
    schema: line(MAX.name),
    example: 'Menores de 12 años entran gratis',
  },
  ticket_url: {
    description: 'Where tickets are sold.',
    schema: ADDRESS,
    example: 'https://boletos.example/jazz',
  },
  registration_url: {
    description: 'Where one registers.',
    schema: ADDRESS,
    example: 'https://registro.example/jazz',
  },
  image_url: {
    description: 'An image that may be published.',
    schema: ADDRESS,
    example: 'https://fotos.example/jazz.jpg',
  },
  image_alt: {
    description: 'What the image shows.',
    schema: line(MAX.line),
    example: 'Un grupo toca al atardecer',
  },
  age_restriction: {
    description: 'For whom it is not.',
    schema: line(MAX.name),
    example: 'Mayores de 18 años',
  },
  languages: {
    description: 'Languages spoken there, codes with commas.',
    schema: { type: 'string' },
    example: 'es,en',
  },
  organizer_name: {
    description: 'Who organizes it.',
    schema: line(MAX.name),
    example: 'Colectivo de Jazz',
  },
  organizer_url: {
    description: 'Their site or profile.',
    schema: ADDRESS,
    example: 'https://colectivo.example',
  },
  source_url: {
    description: 'Where this was published first: what a reviewer can check.',
    schema: ADDRESS,
    example: 'https://colectivo.example/jazz',
  },
  contact_email: {
    description: 'For questions of the reviewer. Private: never published.',
    schema: { type: 'string', format: 'email' },
    example: 'hola@colectivo.example',
  },
  lang: {
    description: 'Language of the text.',
    schema: { type: 'string', enum: LANGS, default: 'es' },
    example: 'es',
  },
};

/** What must be said. */
export const REQUIRED_SUBMISSION_FIELDS = [
  'title',
  'description',
  'category',
  'start',
] as const satisfies readonly FieldName[];

/**
 * The fields in the order of a form, each with its rule in a sentence, its schema and an example.
 */
export const SUBMISSION_FIELDS: readonly ParameterDescription[] = Object.entries(DESCRIBED).map(
  ([name, described]) => ({ name, ...described }),
);
