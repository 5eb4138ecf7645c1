// What a control of the form on the web is: its section, its kind, and what is special about it.

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
