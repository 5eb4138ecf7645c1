// Flyer fill: fills in the form from the pasted text of a flyer, by the operator's language model or, without one, by
// rules. Stores nothing (contract 14.42).
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
/** Controls filled in from a flyer, and its lines that were not understood; the form carries them in a hidden control. */
const FlyerStateSchema = v.object({ values: TextsSchema, unread: v.array(v.string()) });
type FlyerState = v.InferOutput<typeof FlyerStateSchema>;

/** Controls that a flyer never fills in: pictures are uploaded, and the sender's address is private. */
const EXCLUDED_CONTROLS: ReadonlySet<string> = new Set([
  'picture_id',
  'image_url',
  'contact_email',
]);

/** Parses the model's answer into control values. Returns null if it has none. */
function parseModelAnswer(answer: unknown): FormValues | null {
  const { success, output } = v.safeParse(AnswerSchema, answer);
  if (!success) return null;
  const entries = Object.entries(output.fields).filter(([name]) => !EXCLUDED_CONTROLS.has(name));
  const values = selectFormValues(
    Object.fromEntries(
      entries.map(([name, value]) => [name, value === true ? '1' : String(value || '')]),
    ),
  );
  return Object.keys(values).length === 0 ? null : values;
}

/** Parses the hidden control of the submitted form: its values that an earlier flyer filled in. */
export function parseFlyerState({ fields }: VisitorRequest): FlyerState {
  const { success, output } = v.safeParse(
    v.pipe(v.string(), v.parseJson(), FlyerStateSchema),
    fields.flyer_read,
  );
  return success ? output : { values: {}, unread: [] };
}

/** Lists the controls that still have the value from the flyer. */
export const listControlsFromFlyer = (
  values: FormValues,
  { values: flyer_values }: FlyerState,
): readonly string[] =>
  FORM_FIELDS.filter(
    (name) => flyer_values[name] !== undefined && values[name] === flyer_values[name],
  );

/** Fills in the form from the submitted flyer. Typed values remain; values of an earlier flyer are dropped. */
export async function fillFormFromFlyer(
  context: PageContext,
  visit: VisitorRequest,
  initial: FormValues,
  lang: Lang,
): Promise<Pick<FormState, 'values' | 'issues'> & { readonly flyer_state: FlyerState }> {
  const { snapshot, now_ms } = context;
  const { flyer = '' } = visit.fields;
  const today = toLocalDay(now_ms);
  const venues = listUniquelyNamedVenues(snapshot).map(([name, { id }]) => ({ id, name }));
  const by_rules = parseFlyer(flyer, { taxonomy: snapshot.taxonomy, venues, today, lang });
  const by_model = parseModelAnswer(
    await visit.askModel({ text: flyer, lang, today: today.toString() }),
  );
  // With the model's answer, only contradictions in the text itself remain questions.
  const questions = [...by_rules.questions].filter(
    ([, { reason }]) => by_model === null || ['weekday', 'order', 'past'].includes(reason),
  );
  const questioned = new Set<string>(questions.map(([name]) => name));
  const parsed = parseSubmissionForm(
    Object.fromEntries(
      Object.entries(by_model ?? by_rules.values).filter(([name]) => !questioned.has(name)),
    ),
    context,
    lang,
    false,
  );
  const invalid = new Map<string, string>(parsed.issues);
  const flyer_values = Object.fromEntries(
    Object.entries(parsed.values).filter(([name]) => name === 'description' || !invalid.has(name)),
  );
  const issues = new Map<string, string>(
    questions.map(([name, { reason, quote: said }]) => [
      name,
      t(lang, `submit.flyer.ask.${reason}`, { said }),
    ]),
  );
  const too_long = invalid.get('description');
  if (flyer.trim() === '') issues.set('flyer', t(lang, 'submit.flyer.none'));
  else if (too_long !== undefined) issues.set('description', too_long);
  return {
    values: {
      ...selectFormValues(initial),
      ...flyer_values,
      ...selectTypedValues(visit, initial),
    },
    issues,
    flyer_state: {
      values: flyer_values,
      unread: by_model === null ? [...by_rules.unparsed] : [],
    },
  };
}

/** Selects the submitted values that neither the initial form nor an earlier flyer filled in. */
function selectTypedValues(visit: VisitorRequest, initial: ControlTexts): FormValues {
  const { values: earlier } = parseFlyerState(visit);
  return Object.fromEntries(
    Object.entries(selectFormValues(visit.fields)).filter(
      ([name, value]) => value !== earlier[name] && value !== initial[name],
    ),
  );
}
