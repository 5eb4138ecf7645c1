// The controls that only a reviewer fills in: the other language, the summaries, the point of a new
// place.
import type { Lang } from '../../domain/lang.ts';
import { t } from '../../i18n/translate.ts';
import type { ItemScreen } from './desk-page.ts';

export interface AdditionLine {
  readonly name: string;
  readonly label: string;
  /** The language of what is written there. */
  readonly written: Lang | undefined;
  readonly is_area: boolean;
  readonly is_needed: boolean;
}

/** Those that this submission has a use for, in the order of the page. */
export function listAdditionLines(
  { stored, form: { values } }: ItemScreen,
  lang: Lang,
): readonly AdditionLine[] {
  const own: Lang = (values.lang ?? stored.submission.lang) === 'en' ? 'en' : 'es';
  const other: Lang = own === 'es' ? 'en' : 'es';
  const [in_own, in_other] = [
    { language: t(lang, `desk.in.${own}`) },
    { language: t(lang, `desk.in.${other}`) },
  ];
  const has_new_venue = !values.venue;
  const lines = [
    {
      name: 'other_title',
      label: t(lang, 'desk.label.title', in_other),
      written: other,
      is_area: false,
      is_needed: true,
      shown: true,
    },
    {
      name: 'summary',
      label: t(lang, 'desk.label.summary', in_own),
      written: own,
      is_area: true,
      is_needed: true,
      shown: true,
    },
    {
      name: 'other_summary',
      label: t(lang, 'desk.label.summary', in_other),
      written: other,
      is_area: true,
      is_needed: true,
      shown: true,
    },
    {
      name: 'other_description',
      label: t(lang, 'desk.label.description', in_other),
      written: other,
      is_area: true,
      is_needed: false,
      shown: true,
    },
    {
      name: 'other_price_note',
      label: t(lang, 'desk.label.price_note', in_other),
      written: other,
      is_area: false,
      is_needed: false,
      shown: Boolean(values.price_note),
    },
    {
      name: 'other_age_restriction',
      label: t(lang, 'desk.label.age', in_other),
      written: other,
      is_area: false,
      is_needed: false,
      shown: Boolean(values.age_restriction),
    },
    {
      name: 'other_image_alt',
      label: t(lang, 'desk.label.image_alt', in_other),
      written: other,
      is_area: false,
      is_needed: false,
      shown: Boolean(values.image_url),
    },
    {
      name: 'locality',
      label: t(lang, 'desk.label.locality'),
      written: undefined,
      is_area: false,
      is_needed: false,
      shown: has_new_venue,
    },
    {
      name: 'lat',
      label: t(lang, 'desk.label.lat'),
      written: undefined,
      is_area: false,
      is_needed: false,
      shown: has_new_venue,
    },
    {
      name: 'lng',
      label: t(lang, 'desk.label.lng'),
      written: undefined,
      is_area: false,
      is_needed: false,
      shown: has_new_venue,
    },
  ];
  return lines.filter((line) => line.shown);
}
