// What keeps a text from being published, in an editor's language, by the control that it is about.
import type { Lang } from '../../domain/lang.ts';
import type { PublicationIssue } from '../../domain/submission/additions.ts';
import { FORM_FIELDS, type FormField } from '../../domain/submission/controls.ts';
import { toIssueWords } from '../../i18n/edit-words.ts';
import { t } from '../../i18n/translate.ts';
import type { Prepared } from '../../desk/review.ts';
import { toSentences } from '../forms/read-form.ts';

export interface TextIssues {
  readonly of_form: ReadonlyMap<FormField, string>;
  /** By the name of an addition, or the path of a field that has no control. */
  readonly of_additions: ReadonlyMap<string, string>;
}
export const NO_ISSUES: TextIssues = { of_form: new Map(), of_additions: new Map() };

const toWords = ({ rule, message }: PublicationIssue, lang: Lang): string =>
  rule === 'missing' ? t(lang, 'submit.issue.missing') : toIssueWords(message, lang);

export function toTextIssues(
  { text, issues }: Pick<Prepared, 'text' | 'issues'>,
  lang: Lang,
): TextIssues {
  const names: readonly string[] = FORM_FIELDS;
  const asked = FORM_FIELDS.flatMap((name) => {
    const issue = issues.find(({ field }) => field === name);
    return issue ? [[name, toWords(issue, lang)] as const] : [];
  });
  const others = issues.filter(({ field }) => !names.includes(field));
  return {
    of_form: new Map([...toSentences(text.issues, lang), ...asked]),
    of_additions: new Map(others.map((issue) => [issue.field, toWords(issue, lang)])),
  };
}
