// What a control of the form on the web is: its section, its kind, and what is special about it.

/** The sections of the form, in the order of the page. */
export const SECTION_NAMES = [
  'what',
  'when',
  'where',
  'price',
  'who',
  'more',
  'contact',
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
    | 'picture';
  readonly is_required?: true;
  /** Has a sentence of help: `submit.hint.<name>`. */
  readonly has_hint?: true;
  /** Stands beside its neighbours of the same kind. */
  readonly is_narrow?: true;
  /** Stands there only where it repeats (`repeat`). */
  readonly is_of_repeat?: true;
  /** Stands after the others of its section. */
  readonly is_last?: true;
  /** Characters; where it says nothing, those of the field. */
  readonly max?: number;
  /** Fixed choices, whose words i18n has; others are given with the form. */
  readonly choices?: readonly string[];
  readonly autocomplete?: string;
}
