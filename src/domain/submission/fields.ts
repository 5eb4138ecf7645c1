// The fields of a submission, one table: how each is read, stored, asked for on the form and
// described (contract 14.1).
import * as v from 'valibot';
import { WEEKDAYS } from '../edit/form.ts';
import type { ParameterDescription } from '../query/parameters.ts';
import { LANGS } from '../lang.ts';
import { PictureIdSchema, SubmittedPictureSchema } from './picture.ts';
import {
  ADDRESS_KIND,
  AMOUNT_KIND,
  DATES_KIND,
  DayHoursSchema,
  DESCRIPTION_KIND,
  EMAIL_KIND,
  END_KIND,
  FLAG_KIND,
  HOUR_KIND,
  HOURS_KIND,
  LANG_KIND,
  LANGUAGES_KIND,
  SLUG_KIND,
  START_KIND,
  SUBMISSION_LIMITS as MAX,
  TITLE_KIND,
  toLineKind,
  toNameKind,
} from './rules.ts';

export const SECTION_NAMES = [
  // What every event needs; the others are opened where they are wanted.
  'first',
  'when',
  'where',
  'price',
  'more',
  'who',
  // What was typed comes before what weighs: where the rest is cut off, it is there.
  'picture',
] as const;
export type FormSection = (typeof SECTION_NAMES)[number];

/** A control of the form; its words are `submit.label.<name>`. */
export interface ControlForm {
  readonly section: FormSection;
  readonly kind:
    | 'text'
    | 'area'
    | 'date'
    | 'time'
    | 'url'
    | 'email'
    | 'amount'
    | 'select'
    | 'radio'
    | 'checks'
    | 'check'
    // A place by its name, with those that are known.
    | 'place'
    // Days alone, and days with hours of their own: a control each.
    | 'days'
    | 'dates'
    | 'picture'
    // Is on no page: other controls say it there.
    | 'hidden';
  readonly is_required?: true;
  /** Marked as required only where it is: an hour that is known, the last day of a repetition. */
  readonly is_needed?: true;
  /** Says how many characters are left. */
  readonly is_counted?: true;
  /** Stands among what there is instead of an hour. */
  readonly is_hourless?: true;
  /** Has a sentence of help: `submit.hint.<name>`. */
  readonly has_hint?: true;
  /** Stands beside its neighbours of the same kind. */
  readonly is_narrow?: true;
  /** Stands there only where it repeats, by the week, where it is not free, where an amount is given. */
  readonly goes_with?: 'repeat' | 'weekly' | 'cost' | 'amount';
  /** Stands after the others of its section. */
  readonly is_last?: true;
  /** Characters; where it says nothing, those of the field. */
  readonly max?: number;
  /** Fixed choices, whose words i18n has; others are given with the form. */
  readonly choices?: readonly string[];
  readonly autocomplete?: string;
}

/** An entry of the table of fields. */
export interface Field extends Omit<ParameterDescription, 'name' | 'description' | 'example'> {
  readonly example: string | number | boolean;
  /** In a sentence, where its name does not say it. */
  readonly description?: string;
  /** Reads the text as sent; what is empty is left out before. */
  readonly rule: v.GenericSchema;
  /** Only the form has it: no tool and no description of the fields. */
  readonly is_of_form?: true;
  /** How it is stored, under its name or under `stored_as`; fields without it are part of another. */
  readonly stored?: v.GenericSchema;
  readonly stored_as?: string;
  /** The control of the same name. */
  readonly control?: ControlForm;
  /** Controls of other names. */
  readonly controls?: Readonly<Record<string, ControlForm>>;
}

/** Null where nothing was given, and in what was stored before there was the field. */
const TEXT = v.optional(v.nullable(v.string()), null);

/** Languages with a box to tick; `yua` is Yucatec Maya, `mfs` Mexican Sign Language. */
export const OFFERED_LANGUAGES = ['es', 'en', 'fr', 'yua', 'mfs'] as const;
/**
 * How often. `monthly` is the same day of the month, left out in months that do not have it;
 * `monthly_weekday` the first Friday, if the first day is one; `monthly_last` the last.
 */
export const REPEATS = [
  'daily',
  'weekly',
  'biweekly',
  'monthly',
  'monthly_weekday',
  'monthly_last',
] as const;
export const PRICE_KINDS = ['free', 'fixed', 'unknown'] as const;

const LINE = { ...toLineKind(MAX.line), stored: TEXT } as const;
const WORD = { ...toLineKind(MAX.slug), stored: TEXT } as const;
const NAME = { ...toNameKind(MAX.name), stored: TEXT } as const;
const LINK = { ...ADDRESS_KIND, stored: TEXT } as const;

const DAY = { kind: 'date', is_narrow: true } as const;
const HOUR = { kind: 'time', is_narrow: true } as const;
const HOURLESS = { section: 'first', kind: 'check', is_hourless: true } as const;

const AMOUNT = { section: 'first', kind: 'amount', is_narrow: true, goes_with: 'cost' } as const;

/**
 * In the order in which they are read. A simple one, as `venue_address`, needs its entry here and
 * its words, nothing else.
 */
export const FIELDS = {
  lang: {
    ...LANG_KIND,
    stored: v.picklist(LANGS),
    control: { section: 'more', kind: 'select', is_narrow: true, is_last: true, choices: LANGS },
    description: 'Language of the text.',
    example: 'es',
  },
  title: {
    ...TITLE_KIND,
    stored: v.string(),
    control: {
      section: 'first',
      kind: 'text',
      is_required: true,
      is_counted: true,
      has_hint: true,
    },
    description: 'Without date or place.',
    example: 'Noche de jazz en el parque',
  },
  description: {
    ...DESCRIPTION_KIND,
    stored: v.string(),
    control: {
      section: 'first',
      kind: 'area',
      is_required: true,
      is_counted: true,
      has_hint: true,
    },
    description: 'What happens, for whom. Plain text.',
    example: 'Concierto al aire libre con cuatro grupos locales. Lleva silla.',
  },
  category: {
    ...SLUG_KIND,
    stored: v.string(),
    control: { section: 'first', kind: 'select', is_required: true },
    description: 'As in buscar_eventos.',
    example: 'live-music',
  },
  start: {
    ...START_KIND,
    stored: v.string(),
    controls: {
      start_date: { ...DAY, section: 'first', is_required: true },
      start_time: { ...HOUR, section: 'first', is_needed: true },
    },
    description: 'Cancún time, YYYY-MM-DDTHH:MM; the day alone is all day, unless hour is unknown.',
    example: '2026-12-05T20:00',
  },
  end: {
    ...END_KIND,
    stored: TEXT,
    controls: {
      end_time: { ...HOUR, section: 'when', has_hint: true },
      end_date: { ...DAY, section: 'when', has_hint: true },
    },
    description: 'As start; left out where it is not known.',
    example: '2026-12-05T23:00',
  },
  all_day: {
    ...FLAG_KIND,
    stored: v.boolean(),
    control: HOURLESS,
    example: false,
  },
  hour: {
    ...HOUR_KIND,
    // Left out where it is known, so that what was stored before there was the field is as it was.
    stored: v.exactOptional(v.literal('unknown')),
    controls: { hour_unknown: HOURLESS },
    description: 'unknown where nobody knows it yet: start and end are days alone.',
    example: 'unknown',
  },
  dates: {
    ...DATES_KIND,
    stored: v.array(v.string()),
    controls: {
      repeat: { section: 'when', kind: 'select', choices: ['', ...REPEATS] },
      weekdays: {
        section: 'when',
        kind: 'checks',
        has_hint: true,
        goes_with: 'weekly',
        choices: WEEKDAYS,
      },
      repeat_until: { ...DAY, section: 'when', is_needed: true, goes_with: 'repeat' },
      open_end: { section: 'when', kind: 'check', has_hint: true, goes_with: 'repeat' },
      exceptions: { section: 'when', kind: 'days', has_hint: true, goes_with: 'repeat' },
      dates: { section: 'when', kind: 'dates', has_hint: true },
    },
    description: `Further days, same hours, with commas; at most ${MAX.dates}.`,
    example: '2026-12-12,2026-12-19',
  },
  hours: {
    ...HOURS_KIND,
    is_of_form: true,
    // As that of an hour nobody knows.
    stored: v.exactOptional(v.array(DayHoursSchema)),
    description: 'Hours of single days, as 2026-12-12T18:00/20:00, with commas.',
    example: '',
  },
  open_end: {
    rule: FLAG_KIND.rule,
    schema: { type: 'boolean' },
    stored: v.exactOptional(v.literal(true)),
    description: 'Nobody knows the last day yet.',
    example: true,
  },
  repeats: {
    ...LINE,
    description: 'How it repeats, in plain words.',
    example: 'Todos los sábados de diciembre',
  },
  venue: {
    ...WORD,
    control: { section: 'first', kind: 'hidden' },
    description: 'One of lugares: name or slug; else give venue_name.',
    example: 'parque-de-las-palapas',
  },
  venue_name: {
    ...NAME,
    control: { section: 'first', kind: 'place', is_required: true, has_hint: true },
    description: 'Where lugares has none; Online, with a link.',
    example: 'Parque de las Palapas',
  },
  venue_address: {
    ...LINE,
    control: { section: 'where', kind: 'text' },
    example: 'Calle Margaritas, Centro',
  },
  zone: {
    ...WORD,
    control: { section: 'where', kind: 'select' },
    description: 'As in buscar_eventos.',
    example: 'downtown',
  },
  free: {
    ...FLAG_KIND,
    stored_as: 'price',
    stored: v.object({
      is_free: v.boolean(),
      min: v.nullable(v.number()),
      max: v.nullable(v.number()),
      note: TEXT,
    }),
    controls: {
      price_kind: { section: 'first', kind: 'radio', is_required: true, choices: PRICE_KINDS },
    },
    example: true,
  },
  price_min: {
    ...AMOUNT_KIND,
    control: { ...AMOUNT, is_needed: true },
    description: 'MXN.',
    example: 150,
  },
  price_max: {
    ...AMOUNT_KIND,
    control: AMOUNT,
    example: 350,
  },
  price_note: {
    ...toLineKind(MAX.name),
    control: { section: 'price', kind: 'text', has_hint: true },
    example: 'Menores de 12 años entran gratis',
  },
  ticket_url: {
    ...LINK,
    control: { section: 'first', kind: 'url', goes_with: 'amount' },
    example: 'https://boletos.example/jazz',
  },
  registration_url: {
    ...LINK,
    control: { section: 'price', kind: 'url' },
    example: 'https://registro.example/jazz',
  },
  image_url: {
    ...ADDRESS_KIND,
    stored_as: 'image',
    stored: v.nullable(SubmittedPictureSchema),
    control: { section: 'picture', kind: 'url', has_hint: true, is_last: true },
    description: 'One that may be published.',
    example: 'https://fotos.example/jazz.jpg',
  },
  image_alt: {
    ...toLineKind(MAX.line),
    control: { section: 'picture', kind: 'text', has_hint: true, is_last: true },
    example: 'Un grupo toca al atardecer',
  },
  picture_id: {
    rule: v.optional(PictureIdSchema),
    schema: { type: 'string' },
    is_of_form: true,
    control: { section: 'picture', kind: 'picture', has_hint: true },
    description: 'An uploaded image, which wins over a link.',
    example: '',
  },
  family: {
    rule: FLAG_KIND.rule,
    schema: { type: 'boolean' },
    stored: v.exactOptional(v.literal(true)),
    control: { section: 'more', kind: 'check', has_hint: true },
    description: 'For children too.',
    example: true,
  },
  age_restriction: {
    ...toLineKind(MAX.name),
    stored: TEXT,
    control: { section: 'more', kind: 'text', has_hint: true },
    example: 'Mayores de 18 años',
  },
  languages: {
    ...LANGUAGES_KIND,
    stored: v.array(v.string()),
    control: { section: 'more', kind: 'checks', choices: OFFERED_LANGUAGES },
    description: 'Spoken there: codes with commas.',
    example: 'es,en',
  },
  organizer_name: {
    ...toNameKind(MAX.name),
    stored_as: 'organizer',
    stored: v.object({ name: TEXT, url: TEXT }),
    control: { section: 'who', kind: 'text', autocomplete: 'organization' },
    example: 'Colectivo de Jazz',
  },
  organizer_url: {
    ...ADDRESS_KIND,
    control: { section: 'who', kind: 'url', has_hint: true },
    example: 'https://colectivo.example',
  },
  source_url: {
    ...LINK,
    control: { section: 'who', kind: 'url', has_hint: true },
    description: 'Where it was published first.',
    example: 'https://colectivo.example/jazz',
  },
  contact_email: {
    ...EMAIL_KIND,
    stored: TEXT,
    control: { section: 'who', kind: 'email', has_hint: true, autocomplete: 'email' },
    description: 'Never published.',
    example: 'hola@colectivo.example',
  },
} as const satisfies Readonly<Record<string, Field>>;

export type Fields = typeof FIELDS;
export type FieldName = keyof Fields;
