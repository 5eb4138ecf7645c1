// Submission fields: defines validation, form controls and documentation of each field in one table
// (contract 14.1). The stored form is in submission.ts.
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

/**
 * Sections of the form, in the order of the page. `first` is always open, the others open on
 * demand.
 */
export const SECTION_NAMES = [
  // Fields required for every event.
  'first',
  'when',
  'where',
  'price',
  'more',
  // Organizer, source and contact.
  'who',
  // Last, because an upload is large: if the request is cut off, the typed text has arrived.
  'picture',
] as const;
export type FormSection = (typeof SECTION_NAMES)[number];

/**
 * A control of a form. Its i18n keys are `submit.label.<name>` and, for an optional hint,
 * `submit.hint.<name>`.
 */
export interface ControlDefinition {
  /** Absent in forms without sections, such as on the desk. */
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
    // A venue by name, with suggestions.
    | 'place'
    // One control for each day: without hours, or with its own hours.
    | 'days'
    | 'dates'
    | 'picture'
    // Several texts, one per line.
    | 'lines'
    // Repeated rows of the controls in `parts`.
    | 'rows'
    // Not visible: other controls set its value.
    | 'hidden';
  readonly is_required?: true;
  /** Marked as required, but only under a condition: a known hour, the last day of a repetition. */
  readonly is_needed?: true;
  /** Shows how many characters are left. */
  readonly is_counted?: true;
  /** A checkbox to check instead of an hour: all day, or the hour is unknown. */
  readonly is_hourless?: true;
  /** Shares a row with its narrow neighbors. */
  readonly is_narrow?: true;
  /**
   * Shown only under a condition: `repeat`: the event repeats; `weekly`: it repeats weekly; `cost`:
   * it is not free; `amount`: a minimum price is filled in.
   */
  readonly depends_on?: 'repeat' | 'weekly' | 'cost' | 'amount';
  /** Placed after the other controls of its section. */
  readonly is_last?: true;
  /** Only on the sender's form; editors of published events use other controls. */
  readonly is_sender_only?: true;
  /** Characters; by default the limit of the field. */
  readonly max?: number;
  /** Fixed choices, with labels in i18n; the page supplies all others. */
  readonly choices?: readonly string[];
  readonly autocomplete?: string;
}

/** An entry of the table: a field, with the controls that make up its value. */
interface Field extends Omit<ParameterDescription, 'name' | 'description'> {
  /** A few words: models read them with every question. */
  readonly description: string;
  /**
   * Validates and parses the submitted text, which is never empty; optional fields wrap it in
   * v.optional.
   */
  readonly rule: v.GenericSchema;
  /** Only in the form, not in the MCP tool and the documentation. */
  readonly is_form_only?: true;
  /** By control name, usually the name of the field. */
  readonly controls?: Readonly<Record<string, ControlDefinition>>;
}

/** Codes of the languages spoken at events, each with a checkbox: `es`, `en`. */
export const SPOKEN_LANGUAGES = TOWN.spoken;
/** `fixed`: the amounts are in `price_min` and `price_max`. */
export const PRICE_KINDS = ['free', 'fixed', 'unknown'] as const;

const TEXT_SCHEMA = { type: 'string' };
const DATE_TIME_SCHEMA = {
  type: 'string',
  pattern: `^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(${OFFSET_PATTERN})?)?$`,
};
/** Properties that several controls share. */
const DAY = { kind: 'date', is_narrow: true } as const;
const HOUR = { kind: 'time', is_narrow: true } as const;
const HOURLESS = { section: 'first', kind: 'check', is_hourless: true } as const;
const AMOUNT = {
  section: 'first',
  kind: 'amount',
  is_narrow: true,
  depends_on: 'cost',
} as const satisfies ControlDefinition;
const SENDER_ONLY = { is_sender_only: true } as const;
const LANGUAGE = { section: 'more', kind: 'select', is_narrow: true, is_last: true } as const;

/**
 * All fields, in the order in which they are validated. A simple one, such as `venue_address`,
 * needs an entry here, texts in i18n and a field in the stored record.
 */
export const SUBMISSION_FIELD_TABLE = {
  lang: {
    rule: v.optional(v.picklist(LANGS, 'not_lang'), DEFAULT_LANG),
    schema: { type: 'string', enum: LANGS, default: DEFAULT_LANG },
    controls: { lang: { ...LANGUAGE, ...SENDER_ONLY, choices: LANGS } },
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
    schema: DATE_TIME_SCHEMA,
    controls: {
      start_date: { ...DAY, section: 'first', is_required: true },
      start_time: { ...HOUR, section: 'first', is_needed: true },
    },
    description: `${TOWN.name.en} time, YYYY-MM-DDTHH:MM; the day alone is all day, unless hour is unknown.`,
    example: '2026-12-05T20:00',
  },
  end: {
    rule: v.optional(localDateTimeSchema),
    schema: DATE_TIME_SCHEMA,
    controls: { end_time: { ...HOUR, section: 'when' }, end_date: { ...DAY, section: 'when' } },
    description: 'As start; left out where it is not known.',
  },
  all_day: { ...FLAG_FIELD_TYPE, controls: { all_day: HOURLESS }, description: 'Whole days.' },
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
      weekdays: { section: 'when', kind: 'checks', depends_on: 'weekly', choices: WEEKDAYS },
      repeat_until: { ...DAY, section: 'when', is_needed: true, depends_on: 'repeat' },
      open_end: { section: 'when', kind: 'check', depends_on: 'repeat' },
      exceptions: { section: 'when', kind: 'days', depends_on: 'repeat' },
      dates: { section: 'when', kind: 'dates' },
    },
    description: `Further days, same hours, with commas; at most ${MAX.dates}.`,
  },
  hours: {
    rule: v.optional(dayHoursListSchema),
    schema: TEXT_SCHEMA,
    is_form_only: true,
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
    controls: {
      venue_name: { section: 'first', kind: 'place', is_required: true, ...SENDER_ONLY },
    },
    description: 'Where lugares has none; Online, with a link.',
  },
  venue_address: {
    ...lineFieldType(MAX.line),
    controls: { venue_address: { section: 'where', kind: 'text', ...SENDER_ONLY } },
    description: 'Street.',
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
    description: 'For everybody.',
    example: true,
  },
  price_min: {
    ...AMOUNT_FIELD_TYPE,
    controls: { price_min: { ...AMOUNT, is_needed: true } },
    description: `Lowest, in ${TOWN.currency.code}.`,
  },
  price_max: { ...AMOUNT_FIELD_TYPE, controls: { price_max: AMOUNT }, description: 'Highest.' },
  price_note: {
    ...lineFieldType(MAX.name),
    controls: { price_note: { section: 'price', kind: 'text' } },
    description: 'In words.',
  },
  ticket_url: {
    ...URL_FIELD_TYPE,
    controls: { ticket_url: { section: 'first', kind: 'url', depends_on: 'amount' } },
    description: 'Tickets.',
  },
  registration_url: {
    ...URL_FIELD_TYPE,
    controls: { registration_url: { section: 'price', kind: 'url' } },
    description: 'Registration.',
  },
  image_url: {
    ...URL_FIELD_TYPE,
    controls: { image_url: { section: 'picture', kind: 'url', is_last: true } },
    description: 'One that may be published.',
  },
  image_alt: {
    ...lineFieldType(MAX.line),
    controls: { image_alt: { section: 'picture', kind: 'text', is_last: true } },
    description: 'The image in words.',
  },
  picture_id: {
    rule: v.optional(PictureIdSchema),
    schema: { type: 'string' },
    is_form_only: true,
    controls: { picture_id: { section: 'picture', kind: 'picture' } },
    description: 'An uploaded image, which wins over a link.',
  },
  family: {
    rule: FLAG_FIELD_TYPE.rule,
    schema: { type: 'boolean' },
    controls: { family: { section: 'more', kind: 'check', ...SENDER_ONLY } },
    description: 'For children too.',
  },
  age_restriction: {
    ...lineFieldType(MAX.name),
    controls: { age_restriction: { section: 'more', kind: 'text' } },
    description: 'As 18+.',
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
      organizer_name: {
        section: 'who',
        kind: 'text',
        autocomplete: 'organization',
        ...SENDER_ONLY,
      },
    },
    description: 'Who organizes it.',
  },
  organizer_url: {
    ...URL_FIELD_TYPE,
    controls: { organizer_url: { section: 'who', kind: 'url', ...SENDER_ONLY } },
    description: 'Their site.',
  },
  source_url: {
    ...URL_FIELD_TYPE,
    controls: { source_url: { section: 'who', kind: 'url' } },
    description: 'Where it was published first.',
  },
  contact_email: {
    ...EMAIL_FIELD_TYPE,
    controls: {
      contact_email: { section: 'who', kind: 'email', autocomplete: 'email', ...SENDER_ONLY },
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
 * Strict schema for the form and for enviar_evento. Every value is a text, as a form submits it,
 * and not empty.
 */
export const SubmissionSchema = v.strictObject(listRules(), (issue) =>
  issue.expected === 'never' ? 'unknown_field' : 'missing',
);

/** Schema for the valid fields of a submission, with the invalid and missing ones left out. */
export const ValidFieldsSchema = v.partial(SubmissionSchema);
export type ValidFields = v.InferOutput<typeof ValidFieldsSchema>;

const ALL_FIELDS = Object.entries<Field>(SUBMISSION_FIELD_TABLE);
const selectNames = (isSelected: (field: Field) => boolean): readonly string[] =>
  ALL_FIELDS.flatMap(([name, field]) => (isSelected(field) ? [name] : []));

/** Names of the fields that every channel accepts; FORM_FIELD_NAMES: only the web form does. */
export const SUBMISSION_FIELD_NAMES = selectNames(({ is_form_only }) => !is_form_only);
export const FORM_FIELD_NAMES = selectNames(({ is_form_only }) => is_form_only === true);
export const REQUIRED_SUBMISSION_FIELDS = selectNames(({ rule }) => rule.type !== 'optional');

/**
 * Documentation of the fields for enviar_evento and the docs page: description, JSON Schema and,
 * for fields in the example request, an example. The language, which has a default, is last.
 */
export const SUBMISSION_FIELD_DOCS: readonly ParameterDescription[] = [...ALL_FIELDS]
  .sort(([a], [b]) => Number(a === 'lang') - Number(b === 'lang'))
  .flatMap(([name, { is_form_only, description, schema, example }]) =>
    is_form_only ? [] : [{ name, description, schema, ...(example !== undefined && { example }) }],
  );

type ControlsOf<N extends keyof Fields> = Fields[N] extends { readonly controls: infer C }
  ? keyof C & string
  : never;
/** Name of a control of the sender's form. */
export type FormField = { [N in keyof Fields]: ControlsOf<N> }[keyof Fields];

export interface FormControl<N extends string = string> extends ControlDefinition {
  readonly name: N;
  /** Controls of each row, for `rows`. */
  readonly parts?: readonly FormControl[];
}

function listControls(): readonly FormControl<FormField>[];
function listControls(): readonly FormControl[] {
  return ALL_FIELDS.flatMap(([, { schema, controls = {} }]) => {
    const max = typeof schema.maxLength === 'number' ? { max: schema.maxLength } : {};
    return Object.entries(controls).map(([name, control]) => ({ ...max, ...control, name }));
  });
}
const CONTROLS = listControls();

/** Lists the controls of a section in the order of the page. */
export function listSectionControls(section: FormSection): readonly FormControl<FormField>[] {
  const controls = CONTROLS.filter((control) => control.section === section);
  return [
    ...controls.filter(({ is_last }) => !is_last),
    ...controls.filter(({ is_last }) => is_last),
  ];
}

/** Names of all controls of the sender's form, in the order of the page. */
export const FORM_FIELDS: readonly FormField[] = SECTION_NAMES.flatMap((section) =>
  listSectionControls(section).map(({ name }) => name),
);

/** Selects controls by name, in the order of `names`. */
export const selectControls = (names: readonly FormField[]): readonly FormControl<FormField>[] =>
  names.flatMap((name) => CONTROLS.find((control) => control.name === name) ?? []);

/** Controls of dates and hours. */
export const WHEN_CONTROLS: readonly FormControl<FormField>[] = CONTROLS.filter(({ name }) =>
  [
    SUBMISSION_FIELD_TABLE.start,
    SUBMISSION_FIELD_TABLE.end,
    SUBMISSION_FIELD_TABLE.all_day,
    SUBMISSION_FIELD_TABLE.hour,
    SUBMISSION_FIELD_TABLE.dates,
  ].some(({ controls }) => Object.hasOwn(controls, name)),
);
