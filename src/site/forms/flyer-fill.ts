// Flyer fill: fills in the event form from the pasted text of a flyer (a poster or a post about an
// event), by the operator's language model or, if it does not answer, by rules. Stores nothing
// (contract 14.42).
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

const ControlValuesSchema = v.record(v.string(), v.string());
/** The model's answer: values, by control. */
const ModelAnswerSchema = v.object({
  fields: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
});
/**
 * Controls filled in from a flyer, and its lines that failed to parse (`unread`), in a hidden
 * control of the form.
 */
const FlyerStateSchema = v.object({ values: ControlValuesSchema, unread: v.array(v.string()) });
type FlyerState = v.InferOutput<typeof FlyerStateSchema>;

/**
 * Controls that a flyer never fills in: pictures are uploaded, and the sender's address is private.
 */
const EXCLUDED_CONTROLS: ReadonlySet<string> = new Set([
  'picture_id',
  'image_url',
  'contact_email',
]);

/** Contradictions in the text of a flyer, which also remain questions if a model parsed it. */
const CONTRADICTION_REASONS: readonly string[] = ['weekday', 'order', 'past'];

/** Parses the model's answer into control values. Returns null if it has none. */
function parseModelAnswer(answer: unknown): FormValues | null {
  const { success, output } = v.safeParse(ModelAnswerSchema, answer);
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

/**
 * Fills in the form from the submitted flyer. Typed values remain; values of an earlier flyer are
 * dropped.
 * @param initial Values of the empty form.
 */
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
  const rules_result = parseFlyer(flyer, { taxonomy: snapshot.taxonomy, venues, today, lang });
  const model_values = parseModelAnswer(
    await visit.askModel({ text: flyer, lang, today: today.toString() }),
  );
  const questions = [...rules_result.questions].filter(
    ([, { reason }]) => model_values === null || CONTRADICTION_REASONS.includes(reason),
  );
  const names_in_question = new Set<string>(questions.map(([name]) => name));
  const parsed = parseSubmissionForm(
    Object.fromEntries(
      Object.entries(model_values ?? rules_result.values).filter(
        ([name]) => !names_in_question.has(name),
      ),
    ),
    context,
    lang,
    false,
  );
  const issues_by_control = new Map<string, string>(parsed.issues);
  const flyer_values = Object.fromEntries(
    Object.entries(parsed.values).filter(
      ([name]) => name === 'description' || !issues_by_control.has(name),
    ),
  );
  const issues = new Map<string, string>(
    questions.map(([name, { reason, quote }]) => [
      name,
      t(lang, `submit.flyer.ask.${reason}`, { said: quote }),
    ]),
  );
  // The whole text becomes the description, even if it is too long.
  const description_issue = issues_by_control.get('description');
  if (flyer.trim() === '') issues.set('flyer', t(lang, 'submit.flyer.none'));
  else if (description_issue !== undefined) issues.set('description', description_issue);
  return {
    values: {
      ...selectFormValues(initial),
      ...flyer_values,
      ...selectTypedValues(visit, initial),
    },
    issues,
    flyer_state: {
      values: flyer_values,
      unread: model_values === null ? [...rules_result.unparsed] : [],
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
