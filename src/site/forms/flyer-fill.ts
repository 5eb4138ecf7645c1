// The text of a flyer, pasted above the form, in its controls: by a model where the operator has one, else by rules;
// nothing is stored (contract 14.42).
import * as v from 'valibot';
import { listUniquelyNamedVenues } from '../../desk/reference-data.ts';
import { toLocalDay } from '../../domain/local-time.ts';
import type { Lang } from '../../domain/lang.ts';
import { FORM_FIELDS } from '../../domain/submission/fields.ts';
import { parseFlyer } from '../../domain/submission/flyer.ts';
import { type FormValues, selectFormValues } from '../../domain/submission/form-values.ts';
import type { ControlTexts } from '../../domain/submission/field-rules.ts';
import { t } from '../../i18n/translate.ts';
import type { PageContext } from '../page-context.ts';
import type { VisitorRequest } from '../visitor-request.ts';
import { type FormState, parseSubmissionForm } from './parse-form.ts';

const TextsSchema = v.record(v.string(), v.string());
const AnswerSchema = v.object({
  fields: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
});
/** What was filled in from a text, and what of it was not understood: goes with the form in a hidden control. */
const FilledSchema = v.object({ values: TextsSchema, unread: v.array(v.string()) });
type Filled = v.InferOutput<typeof FilledSchema>;

/** No text says these: pictures are chosen, and whom to write to is private. */
const NOT_OF_TEXTS: ReadonlySet<string> = new Set(['picture_id', 'image_url', 'contact_email']);

/** What a model made of a text, as controls; null where it made nothing. */
function readAnswer(answer: unknown): FormValues | null {
  const { success, output } = v.safeParse(AnswerSchema, answer);
  if (!success) return null;
  const known = Object.entries(output.fields).filter(([name]) => !NOT_OF_TEXTS.has(name));
  const values = selectFormValues(
    Object.fromEntries(
      known.map(([name, value]) => [name, value === true ? '1' : String(value || '')]),
    ),
  );
  return Object.keys(values).length === 0 ? null : values;
}

/** What stands in the form that was sent, and of that what came from a text before. */
export function parseFlyerState({ fields }: VisitorRequest): Filled {
  const { success, output } = v.safeParse(
    v.pipe(v.string(), v.parseJson(), FilledSchema),
    fields.flyer_read,
  );
  return success ? output : { values: {}, unread: [] };
}

/** Names of controls that still say what the text said. */
export const listControlsFromFlyer = (
  values: FormValues,
  { values: filled }: Filled,
): readonly string[] =>
  FORM_FIELDS.filter((name) => filled[name] !== undefined && values[name] === filled[name]);

/** The form filled in from the text; what somebody typed stays, and what an earlier text filled in goes. */
export async function fillFormFromFlyer(
  state: PageContext,
  visit: VisitorRequest,
  initial: FormValues,
  lang: Lang,
): Promise<Pick<FormState, 'values' | 'issues'> & { readonly filled: Filled }> {
  const { snapshot, now_ms } = state;
  const { flyer = '' } = visit.fields;
  const today = toLocalDay(now_ms);
  const venues = listUniquelyNamedVenues(snapshot).map(([name, { id }]) => ({ id, name }));
  const read = parseFlyer(flyer, { taxonomy: snapshot.taxonomy, venues, today, lang });
  const answered = readAnswer(await visit.askModel({ text: flyer, lang, today: today.toString() }));
  // A text that contradicts itself does so whoever reads it.
  const asks = [...read.asks].filter(
    ([, { why }]) => answered === null || ['weekday', 'order', 'past'].includes(why),
  );
  const asked = new Set<string>(asks.map(([name]) => name));
  const offered = Object.entries(answered ?? read.values).filter(([name]) => !asked.has(name));
  const { values, issues: faults } = parseSubmissionForm(
    Object.fromEntries(offered),
    state,
    lang,
    false,
  );
  const wrong = new Map<string, string>(faults);
  const kept = Object.entries(values).filter(
    ([name]) => name === 'description' || !wrong.has(name),
  );
  const before = parseFlyerState(visit).values;
  const start: ControlTexts = initial;
  const typed = Object.entries(selectFormValues(visit.fields)).filter(
    ([name, value]) => value !== before[name] && value !== start[name],
  );
  const issues = new Map<string, string>(
    asks.map(([name, { why, said }]) => [name, t(lang, `submit.flyer.ask.${why}`, { said })]),
  );
  const too_long = wrong.get('description');
  if (flyer.trim() === '') issues.set('flyer', t(lang, 'submit.flyer.none'));
  else if (too_long !== undefined) issues.set('description', too_long);
  return {
    values: { ...selectFormValues(initial), ...Object.fromEntries([...kept, ...typed]) },
    issues,
    filled: { values: Object.fromEntries(kept), unread: answered === null ? [...read.unread] : [] },
  };
}
