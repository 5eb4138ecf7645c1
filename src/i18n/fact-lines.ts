// The value of an event's fact in words of one language, without links.
import type { FactValue } from '../domain/event/facts.ts';
import { withoutStop } from '../domain/place-line.ts';
import type { Lang } from '../domain/lang.ts';
import { toConfirmSentence, toSourceDays } from './confirm.ts';
import { toWhen } from './dates.ts';
import { toDistanceWords } from './distance.ts';
import { toAdmissionLines } from './opening.ts';
import { toPriceValue } from './price.ts';
import { toRegularityWords } from './regularity.ts';
import { t, toLanguageNames } from './translate.ts';

/** What stands between the lines of a fact where they are one. */
export const LINE_JOINT = '; ';

/** One line; several for a place and for prices by kind of visitor. */
export function toFactLines(value: FactValue, lang: Lang): readonly string[] {
  switch (value.kind) {
    case 'status':
      return [t(lang, `status.${value.status}`)];
    case 'time':
      return [toWhen(value.occurrence, lang)];
    case 'recurrence':
      return [toRegularityWords(value.regularity, lang)];
    case 'place':
      return [value.venue?.name, value.street, value.note?.[lang], value.zone?.name[lang]].flatMap(
        (line) => (line === undefined || line === null ? [] : withoutStop(line)),
      );
    case 'distance':
      return [toDistanceWords(value.distance_km, value.coordinates, lang)];
    case 'price':
      return [toPriceValue(value.price, lang, value.is_brief)];
    case 'visitors':
      return toAdmissionLines(value.visitors, lang);
    case 'text':
      return [value.text[lang]];
    case 'languages':
      return [toLanguageNames(value.codes, lang)];
    case 'organizer':
      return [value.organizer.name];
    case 'address':
      return [value.url];
    case 'calendar':
      return [t(lang, 'label.calendar_save')];
    case 'confirm':
      return [toConfirmSentence(value.event, lang, value.is_listed)].filter(
        (sentence) => sentence !== null,
      );
    case 'source_days':
      return [toSourceDays(value.event, lang, value.event.source)];
  }
}
