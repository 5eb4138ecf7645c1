// The fields of a submission, one table: how each is read, asked for on the form and described (contract 14.1).
// What is stored of them is in submission.ts.
import * as v from 'valibot';
import { OFFSET_PATTERN } from '../local-time.ts';
import { TOWN } from '../../town.ts';
import { DEFAULT_LANG, LANGS } from '../lang.ts';
import { WEEKDAYS } from '../opening-hours.ts';
import type { ParameterDescription } from '../query/parameters.ts';
import { PictureIdSchema } from './submitted-picture.ts';
import {
  URL_FIELD_TYPE,
  AMOUNT_FIELD_TYPE,
  dateListSchema,
  EMAIL_FIELD_TYPE,
  FLAG_FIELD_TYPE,
  dayHoursListSchema,
  languageListSchema,
  localDateTimeSchema,
  SUBMISSION_LIMITS as MAX,
  lineSchema,
  lineFieldType,
  nameSchema,
  nameFieldType,
  textFieldType,
} from './field-rules.ts';
import { REPEAT_OPTIONS } from './form-dates.ts';

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

/** A control of a form: its label is `submit.label.<name>`, its help `submit.hint.<name>` where it has any. */
export interface ControlDefinition {
  readonly section?: FormSection;
  readonly kind:
    | 'text'
    | 'area'
    | 'date'
    | 'time'
    | 'url'
    | 'email'
    | 'amount'
    | 'number'
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
    // Several texts, a line each.
    | 'lines'
    // The same controls again and again, as `parts` say.
    | 'rows'
    // Is on no page: other controls say it there.
    | 'hidden';
  readonly is_required?: true;
  /** Marked as required only where it is: an hour that is known, the last day of a repetition. */
  readonly is_needed?: true;
  /** Says how many characters are left. */
  readonly is_counted?: true;
  /** Stands among what there is instead of an hour. */
  readonly is_hourless?: true;
  /** Stands beside its neighbours of the same kind. */
  readonly is_narrow?: true;
  /** Stands there only where it repeats, by the week, where it is not free, where an amount is given. */
  readonly goes_with?: 'repeat' | 'weekly' | 'cost' | 'amount';
  /** Stands after the others of its section. */
  readonly is_last?: true;
  /** Only a sender is asked: of what is published an editor says it in another way. */
  readonly is_of_sender?: true;
  /** Characters; where it says nothing, those of the field. */
  readonly max?: number;
  /** Fixed choices, whose words i18n has; others are given with the form. */
  readonly choices?: readonly string[];
  readonly autocomplete?: string;
}

/** An entry of the table of fields. */
interface Field extends Omit<ParameterDescription, 'name' | 'description'> {
  /** In a sentence, where its name does not say it. */
  readonly description?: string;
  /** Reads the text as sent; what is empty is left out before. */
  readonly rule: v.GenericSchema;
  /** Only the form has it: no tool and no description of the fields. */
  readonly is_of_form?: true;
  /** By name, which is mostly its own. */
  readonly controls?: Readonly<Record<string, ControlDefinition>>;
}

/** Languages with a box to tick. */
export const SPOKEN_LANGUAGES = TOWN.spoken;
export const PRICE_KINDS = ['free', 'fixed', 'unknown'] as const;

const TEXT_SCHEMA = { type: 'string' };
const MOMENT_SCHEMA = {
  type: 'string',
  pattern: `^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(${OFFSET_PATTERN})?)?$`,
};
const DAY = { kind: 'date', is_narrow: true } as const;
const HOUR = { kind: 'time', is_narrow: true } as const;
const HOURLESS = { section: 'first', kind: 'check', is_hourless: true } as const;
const AMOUNT = { section: 'first', kind: 'amount', is_narrow: true, goes_with: 'cost' } as const;
const OF_SENDER = { is_of_sender: true } as const;
const LANGUAGE = { section: 'more', kind: 'select', is_narrow: true, is_last: true } as const;

/**
 * In the order in which they are read. A simple one, as `venue_address`, needs its entry here, its words, and
 * where it is stored.
 */
export const SUBMISSION_FIELD_TABLE = {
  lang: {
    rule: v.optional(v.picklist(LANGS, 'not_lang'), DEFAULT_LANG),
    schema: { type: 'string', enum: LANGS, default: DEFAULT_LANG },
    controls: { lang: { ...LANGUAGE, ...OF_SENDER, choices: LANGS } },
    description: 'Language of the text.',
  },
  title: {
    rule: v.pipe(nameSchema(MAX.title), v.minLength(3, 'too_short')),
    schema: { type: 'string', maxLength: MAX.title, minLength: 3 },
    controls: { title: { section: 'first', kind: 'text', is_required: true, is_counted: true } },
    description: 'Without date or place.',
    example: 'Noche de jazz en el parque',
  },
  description: {
    ...textFieldType(20, MAX.description),
    controls: {
      description: { section: 'first', kind: 'area', is_required: true, is_counted: true },
    },
    description: 'What happens, for whom. Plain text.',
    example: 'Concierto al aire libre con cuatro grupos locales. Lleva silla.',
  },
  category: {
    rule: lineSchema(MAX.slug),
    schema: { type: 'string', maxLength: MAX.slug },
    controls: { category: { section: 'first', kind: 'select', is_required: true } },
    description: 'As in buscar_eventos.',
    example: TOWN.category_keys[0],
  },
  start: {
    rule: localDateTimeSchema,
    schema: MOMENT_SCHEMA,
    controls: {
      start_date: { ...DAY, section: 'first', is_required: true },
      start_time: { ...HOUR, section: 'first', is_needed: true },
    },
    description: `${TOWN.name.en} time, YYYY-MM-DDTHH:MM; the day alone is all day, unless hour is unknown.`,
    example: '2026-12-05T20:00',
  },
  end: {
    rule: v.optional(localDateTimeSchema),
    schema: MOMENT_SCHEMA,
    controls: { end_time: { ...HOUR, section: 'when' }, end_date: { ...DAY, section: 'when' } },
    description: 'As start; left out where it is not known.',
  },
  all_day: { ...FLAG_FIELD_TYPE, controls: { all_day: HOURLESS } },
  hour: {
    rule: v.optional(v.literal('unknown', 'not_hour')),
    schema: { type: 'string', enum: ['unknown'] },
    controls: { hour_unknown: HOURLESS },
    description: 'unknown where nobody knows it yet: start and end are days alone.',
  },
  dates: {
    rule: v.optional(dateListSchema),
    schema: TEXT_SCHEMA,
    controls: {
      repeat: { section: 'when', kind: 'select', choices: ['', ...REPEAT_OPTIONS] },
      weekdays: { section: 'when', kind: 'checks', goes_with: 'weekly', choices: WEEKDAYS },
      repeat_until: { ...DAY, section: 'when', is_needed: true, goes_with: 'repeat' },
      open_end: { section: 'when', kind: 'check', goes_with: 'repeat' },
      exceptions: { section: 'when', kind: 'days', goes_with: 'repeat' },
      dates: { section: 'when', kind: 'dates' },
    },
    description: `Further days, same hours, with commas; at most ${MAX.dates}.`,
  },
  hours: {
    rule: v.optional(dayHoursListSchema),
    schema: TEXT_SCHEMA,
    is_of_form: true,
    description: 'Hours of single days, as 2026-12-12T18:00/20:00, with commas.',
  },
  open_end: {
    rule: FLAG_FIELD_TYPE.rule,
    schema: { type: 'boolean' },
    description: 'Nobody knows the last day yet.',
  },
  repeats: { ...lineFieldType(MAX.line), description: 'How it repeats, in plain words.' },
  venue: {
    ...lineFieldType(MAX.slug),
    controls: { venue: { section: 'first', kind: 'hidden' } },
    description: 'One of lugares: name or slug; else give venue_name.',
    example: TOWN.examples.venue,
  },
  venue_name: {
    ...nameFieldType(MAX.name),
    controls: { venue_name: { section: 'first', kind: 'place', is_required: true, ...OF_SENDER } },
    description: 'Where lugares has none; Online, with a link.',
  },
  venue_address: {
    ...lineFieldType(MAX.line),
    controls: { venue_address: { section: 'where', kind: 'text', ...OF_SENDER } },
  },
  zone: {
    ...lineFieldType(MAX.slug),
    controls: { zone: { section: 'where', kind: 'select' } },
    description: 'As in buscar_eventos.',
  },
  free: {
    ...FLAG_FIELD_TYPE,
    controls: {
      price_kind: { section: 'first', kind: 'radio', is_required: true, choices: PRICE_KINDS },
    },
    example: true,
  },
  price_min: {
    ...AMOUNT_FIELD_TYPE,
    controls: { price_min: { ...AMOUNT, is_needed: true } },
    description: `${TOWN.currency.code}.`,
  },
  price_max: { ...AMOUNT_FIELD_TYPE, controls: { price_max: AMOUNT } },
  price_note: {
    ...lineFieldType(MAX.name),
    controls: { price_note: { section: 'price', kind: 'text' } },
  },
  ticket_url: {
    ...URL_FIELD_TYPE,
    controls: { ticket_url: { section: 'first', kind: 'url', goes_with: 'amount' } },
  },
  registration_url: {
    ...URL_FIELD_TYPE,
    controls: { registration_url: { section: 'price', kind: 'url' } },
  },
  image_url: {
    ...URL_FIELD_TYPE,
    controls: { image_url: { section: 'picture', kind: 'url', is_last: true } },
    description: 'One that may be published.',
  },
  image_alt: {
    ...lineFieldType(MAX.line),
    controls: { image_alt: { section: 'picture', kind: 'text', is_last: true } },
  },
  picture_id: {
    rule: v.optional(PictureIdSchema),
    schema: { type: 'string' },
    is_of_form: true,
    controls: { picture_id: { section: 'picture', kind: 'picture' } },
    description: 'An uploaded image, which wins over a link.',
  },
  family: {
    rule: FLAG_FIELD_TYPE.rule,
    schema: { type: 'boolean' },
    controls: { family: { section: 'more', kind: 'check', ...OF_SENDER } },
    description: 'For children too.',
  },
  age_restriction: {
    ...lineFieldType(MAX.name),
    controls: { age_restriction: { section: 'more', kind: 'text' } },
  },
  languages: {
    rule: v.optional(languageListSchema),
    schema: TEXT_SCHEMA,
    controls: { languages: { section: 'more', kind: 'checks', choices: SPOKEN_LANGUAGES } },
    description: 'Spoken there: codes with commas.',
  },
  organizer_name: {
    ...nameFieldType(MAX.name),
    controls: {
      organizer_name: { section: 'who', kind: 'text', autocomplete: 'organization', ...OF_SENDER },
    },
  },
  organizer_url: {
    ...URL_FIELD_TYPE,
    controls: { organizer_url: { section: 'who', kind: 'url', ...OF_SENDER } },
  },
  source_url: {
    ...URL_FIELD_TYPE,
    controls: { source_url: { section: 'who', kind: 'url' } },
    description: 'Where it was published first.',
  },
  contact_email: {
    ...EMAIL_FIELD_TYPE,
    controls: {
      contact_email: { section: 'who', kind: 'email', autocomplete: 'email', ...OF_SENDER },
    },
    description: 'Never published.',
  },
} as const satisfies Readonly<Record<string, Field>>;
type Fields = typeof SUBMISSION_FIELD_TABLE;

function listRules(): { readonly [N in keyof Fields]: Fields[N]['rule'] };
function listRules(): object {
  return Object.fromEntries(
    Object.entries(SUBMISSION_FIELD_TABLE).map(([name, { rule }]) => [name, rule]),
  );
}

/**
 * One strict schema for the form and for enviar_evento. Every value is text, as a form sends it;
 * what is empty is left out before.
 */
export const SubmissionSchema = v.strictObject(listRules(), (issue) =>
  issue.expected === 'never' ? 'unknown_field' : 'missing',
);

/** The same fields where some were wrong and are left out. */
export const ValidFieldsSchema = v.partial(SubmissionSchema);
export type ValidFields = v.InferOutput<typeof ValidFieldsSchema>;

const ALL_FIELDS = Object.entries<Field>(SUBMISSION_FIELD_TABLE);
const pickNames = (isPicked: (field: Field) => boolean): readonly string[] =>
  ALL_FIELDS.flatMap(([name, field]) => (isPicked(field) ? [name] : []));

/** The names of those that anybody may send, of those that only the form has, and of those that must be there. */
export const SUBMISSION_FIELD_NAMES = pickNames(({ is_of_form }) => !is_of_form);
export const FORM_FIELD_NAMES = pickNames(({ is_of_form }) => is_of_form === true);
export const REQUIRED_SUBMISSION_FIELDS = pickNames(({ rule }) => rule.type !== 'optional');

/**
 * The fields for whoever describes them (enviar_evento, the docs page), each with its rule in a
 * sentence where its name does not say it, its JSON Schema and, of those that the docs send, an
 * example; the language, which has a default, last.
 */
export const SUBMISSION_FIELD_DOCS: readonly ParameterDescription[] = [...ALL_FIELDS]
  .sort(([a], [b]) => Number(a === 'lang') - Number(b === 'lang'))
  .flatMap(([name, { is_of_form, description = '', schema, example }]) =>
    is_of_form ? [] : [{ name, description, schema, ...(example !== undefined && { example }) }],
  );

type ControlsOf<N extends keyof Fields> = Fields[N] extends { readonly controls: infer C }
  ? keyof C & string
  : never;
/** The name of a control of the sender's form. */
export type FormField = { [N in keyof Fields]: ControlsOf<N> }[keyof Fields];

export interface FormControl<N extends string = string> extends ControlDefinition {
  readonly name: N;
  /** Of one that is there several times, in rows. */
  readonly parts?: readonly FormControl[];
}

function listControls(): readonly FormControl<FormField>[];
function listControls(): readonly FormControl[] {
  return ALL_FIELDS.flatMap(([, { schema, controls = {} }]) => {
    const max = typeof schema.maxLength === 'number' ? { max: schema.maxLength } : {};
    return Object.entries(controls).map(([name, form]) => ({ ...max, ...form, name }));
  });
}
const CONTROLS = listControls();

/** The controls of a section, in the order of the page. */
export function listSectionControls(section: FormSection): readonly FormControl<FormField>[] {
  const here = CONTROLS.filter((control) => control.section === section);
  return [...here.filter(({ is_last }) => !is_last), ...here.filter(({ is_last }) => is_last)];
}

export const FORM_FIELDS: readonly FormField[] = SECTION_NAMES.flatMap((section) =>
  listSectionControls(section).map(({ name }) => name),
);

/** Controls by name, in the order given. */
export const selectControls = (names: readonly FormField[]): readonly FormControl<FormField>[] =>
  names.flatMap((name) => CONTROLS.find((control) => control.name === name) ?? []);

/** Those that say when. */
export const WHEN_CONTROLS: readonly FormControl<FormField>[] = CONTROLS.filter(({ name }) =>
  [
    SUBMISSION_FIELD_TABLE.start,
    SUBMISSION_FIELD_TABLE.end,
    SUBMISSION_FIELD_TABLE.all_day,
    SUBMISSION_FIELD_TABLE.hour,
    SUBMISSION_FIELD_TABLE.dates,
  ].some(({ controls }) => Object.hasOwn(controls, name)),
);
