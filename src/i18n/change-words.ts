// A change in words: what happened, to what, and when that takes place.
import type { ChangedThing, ChangeRecord } from '../domain/history.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import { withoutStop } from '../domain/place-names.ts';
import { toWhen } from './dates.ts';
import { toPagePath, toThingPath } from './paths.ts';
import { t } from './translate.ts';

export function toThingName(thing: ChangedThing): LocalText {
  switch (thing.kind) {
    case 'event':
      return thing.card.event.title;
    case 'notice':
      return thing.record.title;
    default:
      return byLang(() => thing.record.name);
  }
}

export function toChangedPath(thing: ChangedThing, lang: Lang): string {
  switch (thing.kind) {
    case 'event':
      return toThingPath('event', thing.card.event.slug, lang);
    case 'notice':
      return toPagePath('notices', lang);
    default:
      return toThingPath(thing.kind, thing.record.slug, lang);
  }
}

/** Behind its name: an event's next date and what became of it; of anything else what it is. */
export function toChangedDetail({ thing, kind, change }: ChangeRecord, lang: Lang): string | null {
  if (thing === null) return null;
  if (thing.kind !== 'event') return t(lang, `changes.kind.${kind}`);
  const { next } = thing.card;
  if (!next) return t(lang, 'changes.no_date');
  const note = next.notes === null ? '' : ` · ${withoutStop(next.notes[lang])}`;
  const is_said = next.status === 'scheduled' || next.status === change;
  const status = is_said ? '' : ` · ${t(lang, `status.${next.status}`)}`;
  return `${toWhen(next, lang)}${status}${note}`;
}

/** A change as pages and documents print it. */
export const toChangeWords = (change: ChangeRecord, lang: Lang) => ({
  kind: change.change,
  word: t(lang, `changes.word.${change.change}`),
  name: toChangedName(change, lang),
  path: change.thing && toChangedPath(change.thing, lang),
  detail: toChangedDetail(change, lang),
});
export type ChangeWords = ReturnType<typeof toChangeWords>;

/** Its name, or what is said of it where it is withdrawn. */
export const toChangedName = ({ thing, kind }: ChangeRecord, lang: Lang): string =>
  thing === null ? t(lang, `changes.withdrawn.${kind}`) : toThingName(thing)[lang];
