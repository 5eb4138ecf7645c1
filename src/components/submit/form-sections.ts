// The form, section by section: which control stands where, and of what kind.
import { type FormField, OFFERED_LANGUAGES, PRICE_KINDS } from '../../domain/submission/form.ts';
import { REPEATS } from '../../domain/submission/repeat-days.ts';
import { SUBMISSION_LIMITS as MAX } from '../../domain/submission/schema.ts';

type Kind =
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
  | 'check';

export interface Control {
  readonly name: FormField;
  readonly kind: Kind;
  readonly is_required?: true;
  /** Has a sentence of help: `submit.hint.<name>`. */
  readonly has_hint?: true;
  /** Stands beside its neighbours of the same kind. */
  readonly is_narrow?: true;
  readonly max?: number;
  /**
   * Values of a choice whose words are `submit.choice.<name>.<value>`; others are given with the
   * form.
   */
  readonly choices?: readonly string[];
  readonly autocomplete?: string;
}

export const SECTION_NAMES = ['what', 'when', 'where', 'price', 'who', 'more', 'contact'] as const;
export type FormSection = (typeof SECTION_NAMES)[number];

export const SECTIONS: Readonly<Record<FormSection, readonly Control[]>> = {
  what: [
    { name: 'title', kind: 'text', is_required: true, has_hint: true, max: MAX.title },
    { name: 'description', kind: 'area', is_required: true, has_hint: true, max: MAX.description },
    { name: 'category', kind: 'select', is_required: true, is_narrow: true },
    { name: 'lang', kind: 'select', is_narrow: true, choices: ['es', 'en'] },
  ],
  when: [
    { name: 'start_date', kind: 'date', is_required: true, is_narrow: true },
    { name: 'start_time', kind: 'time', is_narrow: true },
    { name: 'end_date', kind: 'date', is_narrow: true, has_hint: true },
    { name: 'end_time', kind: 'time', is_narrow: true, has_hint: true },
    { name: 'all_day', kind: 'check' },
    { name: 'repeat', kind: 'select', is_narrow: true, choices: ['', ...REPEATS] },
    { name: 'repeat_until', kind: 'date', is_narrow: true },
    { name: 'dates', kind: 'area', has_hint: true, max: 1000 },
  ],
  where: [
    { name: 'venue', kind: 'select', has_hint: true },
    { name: 'venue_name', kind: 'text', max: MAX.name },
    { name: 'venue_address', kind: 'text', max: MAX.line },
    { name: 'zone', kind: 'select' },
  ],
  price: [
    { name: 'price_kind', kind: 'radio', is_required: true, choices: PRICE_KINDS },
    { name: 'price_min', kind: 'amount', is_narrow: true },
    { name: 'price_max', kind: 'amount', is_narrow: true },
    { name: 'price_note', kind: 'text', has_hint: true, max: MAX.name },
    { name: 'ticket_url', kind: 'url', max: MAX.url },
    { name: 'registration_url', kind: 'url', max: MAX.url },
  ],
  who: [
    { name: 'organizer_name', kind: 'text', max: MAX.name, autocomplete: 'organization' },
    { name: 'organizer_url', kind: 'url', max: MAX.url },
    { name: 'source_url', kind: 'url', has_hint: true, max: MAX.url },
  ],
  more: [
    { name: 'age_restriction', kind: 'text', has_hint: true, max: MAX.name },
    { name: 'languages', kind: 'checks', choices: OFFERED_LANGUAGES },
    { name: 'image_url', kind: 'url', has_hint: true, max: MAX.url },
    { name: 'image_alt', kind: 'text', max: MAX.line },
  ],
  contact: [{ name: 'contact_email', kind: 'email', has_hint: true, autocomplete: 'email' }],
};

/** One entry of a choice; with a group, a venue of that zone. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly group: string | null;
}

/** What stands in the form and beside it. */
export interface FormState {
  readonly values: Readonly<Partial<Record<FormField, string>>>;
  /** The sentence of each control at fault. */
  readonly issues: ReadonlyMap<FormField, string>;
  /** For category, zone and venue. */
  readonly choices: Readonly<Partial<Record<FormField, readonly Choice[]>>>;
}

export const toControlId = (name: string): string => `f-${name.replaceAll('_', '-')}`;
