// What stands in the controls of the desk before an editor has written there: a summary from the text,
// and in the other language one from the facts, which need no translation.
import { isSentOnline } from '../../domain/event/online.ts';
import { LANGS } from '../../domain/lang.ts';
import type { Additions } from '../../domain/submission/additions.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { findTaxon } from '../../domain/taxon.ts';
import { t } from '../../i18n/translate.ts';
import type { Known } from '../../desk/known.ts';
import { suggestSummary } from '../../desk/preview.ts';

/** To be looked at and kept, or written over. */
export function toSuggestions(submission: Submission, { taxonomy, getVenue }: Known): Additions {
  const { lang, description, category, zone, venue, venue_name } = submission;
  const summary = suggestSummary(description);
  const other = LANGS.find((one) => one !== lang) ?? lang;
  const what = findTaxon(taxonomy.categories, category)?.name[other];
  const named = isSentOnline(submission) ? null : venue_name;
  const place = venue === null ? named : getVenue(venue)?.name;
  const area = zone === null ? undefined : findTaxon(taxonomy.zones, zone)?.name[other];
  if (what === undefined) return { summary };
  if (place)
    return { summary, other_summary: t(other, 'desk.suggest.summary', { category: what, place }) };
  return area === undefined
    ? { summary }
    : {
        summary,
        other_summary: t(other, 'desk.suggest.summary_nowhere', { category: what, zone: area }),
      };
}
