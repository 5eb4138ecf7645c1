// What a sender's correction changes: each control that differs, with what it said and what it says now,
// in words (contract 14.21).
import type { Lang } from '../../domain/lang.ts';
import {
  type FormField,
  type FormValues,
  pickFormValues,
} from '../../domain/submission/controls.ts';
import { listChangedFields, toFormValues } from '../../domain/submission/form.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { toChoiceLabel, toLabel } from '../../i18n/form-words.ts';
import { t } from '../../i18n/translate.ts';
import type { Inbox } from '../../inbox/open.ts';
import { getApprovedForm, getDecidedText } from '../../inbox/submissions.ts';
import type { Snapshot } from '../../snapshot/open.ts';
import { listChoices, nameVenue } from '../forms/read-form.ts';
import type { FieldLines } from './edit-screens.ts';

/** What is private; and the id of a venue, which is said by its name. */
const PASSED_OVER: readonly FormField[] = ['contact_email', 'venue'];

/**
 * Compared with what is published, else with the text on which the desk decided last; nothing where
 * it has not decided yet.
 */
export async function listChanges(
  inbox: Inbox,
  snapshot: Snapshot,
  stored: StoredSubmission,
  lang: Lang,
): Promise<readonly FieldLines[]> {
  const decided = await getDecidedText(inbox, stored.reference);
  const approved = await getApprovedForm(inbox, stored.reference);
  const then = approved ? pickFormValues(approved) : decided && toFormValues(decided);
  if (then === null) return [];
  const [before, after] = [then, toFormValues(stored.submission)].map((values) =>
    nameVenue(snapshot, values),
  );
  if (before === undefined || after === undefined) return [];
  const choices = listChoices(snapshot, lang);
  const toWords = (values: FormValues, name: FormField): string => {
    const value = values[name] ?? '';
    if (value === '') return t(lang, 'desk.change.nothing');
    const chosen = choices[name]?.find((choice) => choice.value === value)?.label;
    return chosen ?? (value === '1' ? '✓' : toChoiceLabel(name, value, lang));
  };
  return listChangedFields(before, after)
    .filter((name) => !PASSED_OVER.includes(name))
    .map((name) =>
      toChange(toLabel(name, lang), toWords(before, name), toWords(after, name), lang),
    );
}

/** A field before and after. */
export const toChange = (label: string, before: string, after: string, lang: Lang): FieldLines => ({
  label,
  says: [
    { who: t(lang, 'desk.change.before'), words: before },
    { who: t(lang, 'desk.change.after'), words: after },
  ],
  is_unsure: false,
});
