// What of the content is due to be looked at again: each fact that has a shelf life, with its sources (contract 6.5).
import type { Temporal } from 'temporal-polyfill';
import { hasDayFrom } from '../domain/event/occurrences.ts';
import {
  type ShelfLife,
  toDueDay,
  toEvidenceDay,
  type DueFact,
  type DueSplit,
  splitDue,
} from '../domain/knowledge.ts';
import { byLang } from '../domain/lang.ts';
import { toConfidence, toShelfLife } from './certainty.ts';
import type { EventFile, When } from './content-schema.ts';
import { idOf } from './identity.ts';
import { type ContentIssue, toContentError } from '../yaml.ts';
import { type Content, type ContentFile, readContent } from './read-content.ts';

/** What is not the same for every fact of a file. */
type Part = Pick<DueFact, 'id' | 'name' | 'kind' | 'shelf'> & Partial<Pick<DueFact, 'stated'>>;

function toFact(
  { file, value: { sources } }: ContentFile<Pick<EventFile, 'sources'>>,
  part: Part,
): DueFact {
  const evidence = toEvidenceDay(sources);
  return {
    stated: 'confirmed',
    ...part,
    file,
    evidence_day: evidence.toString(),
    day: toDueDay(part.shelf, evidence).toString(),
    sources: sources.map(({ url = null, name = null, published = null, checked }) => ({
      url,
      name,
      published,
      checked,
    })),
  };
}

/** Whether a rule gives a day from today on, within a year. */
const isAhead = (rules: readonly When[], today: Temporal.PlainDate): boolean =>
  rules.some((when) => hasDayFrom(when, today, today.add({ years: 1 })));

/** The dates of an event with something ahead, and its price where it has amounts. */
export function listDueOfEvent(
  source: ContentFile<EventFile>,
  today: Temporal.PlainDate,
): DueFact[] {
  const { value } = source;
  if (value.status === 'cancelled' || value.withdrawn !== undefined) return [];
  if (!isAhead(value.when, today)) return [];
  const thing = { id: idOf('event', source), name: value.title };
  const is_rule = value.when.at(-1)?.dates === undefined;
  const stated = is_rule || toConfidence(value, today) === 'low' ? 'usual' : 'confirmed';
  const dates = toFact(source, { ...thing, kind: 'dates', shelf: toShelfLife(value), stated });
  if (typeof value.price === 'string') return [dates];
  return [dates, toFact(source, { ...thing, kind: 'price', shelf: 'price' })];
}

/** Those of venues and notices, in no order. */
export const listDueOfOthers = (
  { venues, notices }: Pick<Content, 'venues' | 'notices'>,
  today: Temporal.PlainDate,
): DueFact[] => [
  ...venues.flatMap((source): DueFact[] => {
    const { name, hours, admission } = source.value;
    const thing = { id: idOf('venue', source), name: byLang(() => name) };
    const facts: Part[] = [];
    if (hours) facts.push({ ...thing, kind: 'hours', shelf: 'weekly' });
    if (admission.length > 0) facts.push({ ...thing, kind: 'admission', shelf: 'price' });
    return facts.map((part) => toFact(source, part));
  }),
  ...notices.flatMap((source): DueFact[] => {
    const { open, when, title } = source.value;
    if (!open && !isAhead(when, today)) return [];
    // A notice of certain days is due as an event of certain days is; one that stays open, as a habit is.
    const shelf: ShelfLife = open ? 'weekly' : toShelfLife({ when });
    return [toFact(source, { id: idOf('notice', source), name: title, kind: 'notice', shelf })];
  }),
];

/** What of a content folder is due. Throws one Error with every issue of the content. */
export function readDue(folder: string, today: Temporal.PlainDate): DueSplit {
  const issues: ContentIssue[] = [];
  const content = readContent(folder, issues);
  if (issues.length > 0) throw toContentError(issues);
  const due = content.events.flatMap((file) => listDueOfEvent(file, today));
  return splitDue([...due, ...listDueOfOthers(content, today)], today);
}

/** `12 facts are due, 5 of them overdue: npm run due`; null where nothing is. */
export function toDueLine({ overdue, soon }: DueSplit): string | null {
  const count = overdue.length + soon.length;
  if (count === 0) return null;
  const facts = count === 1 ? 'fact is' : 'facts are';
  return `${count} ${facts} due to be looked at again, ${overdue.length} of them overdue: npm run due`;
}
