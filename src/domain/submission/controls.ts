// The controls of the form on the web, from the table of fields: their names, sections and order.
import { type ControlForm, type FormSection, SECTION_NAMES } from './control-form.ts';
import { EXCEPTION_ROW, readSentDates, splitDays } from './date-rows.ts';
import { type FieldName, FIELDS, type Fields } from './fields.ts';

type OwnControl<N extends FieldName> = Fields[N] extends { readonly control: infer C }
  ? { readonly [K in N]: C }
  : Record<never, never>;
type OtherControls<N extends FieldName> = Fields[N] extends { readonly controls: infer C }
  ? C
  : Record<never, never>;
type HintedIn<C> = {
  [K in keyof C]: C[K] extends { readonly has_hint: true } ? K & string : never;
}[keyof C];

export type FormField = {
  [N in FieldName]: (keyof OwnControl<N> | keyof OtherControls<N>) & string;
}[FieldName];
/** The name of a control with a sentence of help. */
export type HintedField = {
  [N in FieldName]: HintedIn<OwnControl<N>> | HintedIn<OtherControls<N>>;
}[FieldName];

export interface Control extends ControlForm {
  readonly name: FormField;
}

/** As much of a field as its controls need. */
interface TableRow {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly control?: ControlForm;
  readonly controls?: Readonly<Record<string, ControlForm>>;
}

function listControls(): readonly Control[];
function listControls(): readonly (ControlForm & { readonly name: string })[] {
  const rows: readonly (readonly [string, TableRow])[] = Object.entries(FIELDS);
  return rows.flatMap(([field, { schema, control, controls }]) => {
    const max = typeof schema.maxLength === 'number' ? { max: schema.maxLength } : {};
    const all = [
      ...(control ? [[field, control] as const] : []),
      ...Object.entries(controls ?? {}),
    ];
    return all.map(([name, form]) => ({ ...max, ...form, name }));
  });
}
const CONTROLS = listControls();

/** The controls of a section, in the order of the page. */
export function listSection(section: FormSection): readonly Control[] {
  const here = CONTROLS.filter((control) => control.section === section);
  return [...here.filter(({ is_last }) => !is_last), ...here.filter(({ is_last }) => is_last)];
}

export const FORM_FIELDS: readonly FormField[] = SECTION_NAMES.flatMap((section) =>
  listSection(section).map(({ name }) => name),
);

/** Controls by name, in the order given. */
export const pickControls = (names: readonly FormField[]): readonly Control[] =>
  names.flatMap((name) => CONTROLS.find((control) => control.name === name) ?? []);

/** What stands in the controls; several ticked languages are joined with commas. */
export type FormValues = Readonly<Partial<Record<FormField, string>>>;

/** What an editor or a sender who ticks that it be left out does without. */
const DROPPED: ReadonlySet<FormField> = new Set(['picture_id', 'image_url']);

/** What of sent or stored fields belongs to controls, and is not empty. */
export function pickFormValues(fields: Readonly<Record<string, string>> | null): FormValues {
  if (fields === null) return {};
  const is_dropped = Boolean(fields.picture_drop);
  const sent: Readonly<Record<string, string>> = {
    ...fields,
    dates: readSentDates(fields),
    exceptions: splitDays([fields.exceptions, fields[EXCEPTION_ROW]].join(',')).join('\n'),
  };
  return Object.fromEntries(
    FORM_FIELDS.flatMap((name) =>
      sent[name] && !(is_dropped && DROPPED.has(name)) ? [[name, sent[name]]] : [],
    ),
  );
}

export const isHinted = (name: FormField): name is HintedField =>
  CONTROLS.some((control) => control.name === name && control.has_hint);

/** The control beside which an issue of a submission's field is shown. */
export function toFormField(field: string): FormField {
  const own: Readonly<Record<string, FormField>> = {
    start: 'start_date',
    end: 'end_date',
    hour: 'hour_unknown',
    free: 'price_kind',
    repeats: 'repeat',
    hours: 'dates',
    venue: 'venue_name',
  };
  return own[field] ?? FORM_FIELDS.find((name) => name === field) ?? 'title';
}
