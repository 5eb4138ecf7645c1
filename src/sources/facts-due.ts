// What of the content is due to be looked at again: each fact that has a shelf life, with its sources (contract 6.5).
import type { Temporal } from 'temporal-polyfill';
import { hasOccurrenceFrom } from '../domain/event/occurrences.ts';
import {
  type ShelfLife,
  computeDueDay,
  findEvidenceDay,
  type FactDue,
  type FactsDue,
  groupFactsDue,
} from '../domain/fact-freshness.ts';
import { byLang } from '../domain/lang.ts';
import { computeConfidence, getShelfLife } from './event-freshness.ts';
import type { EventFile, WhenRule } from './content-schema.ts';
import { getId } from './identity.ts';
import { type ContentIssue, createContentError } from '../yaml.ts';
import { type Content, type ParsedContentFile, loadContent } from './load-content.ts';

/** What is not the same for every fact of a file. */
type FactDueFields = Pick<FactDue, 'id' | 'name' | 'kind' | 'shelf'> &
  Partial<Pick<FactDue, 'stated'>>;

function toFact(
  { file, value: { sources } }: ParsedContentFile<Pick<EventFile, 'sources'>>,
  part: FactDueFields,
): FactDue {
  const evidence = findEvidenceDay(sources);
  return {
    stated: 'confirmed',
    ...part,
    file,
    evidence_day: evidence.toString(),
    day: computeDueDay(part.shelf, evidence).toString(),
    sources: sources.map(({ url = null, name = null, published = null, checked }) => ({
      url,
      name,
      published,
      checked,
    })),
  };
}

/** Whether a rule gives a day from today on, within a year. */
const isAhead = (rules: readonly WhenRule[], today: Temporal.PlainDate): boolean =>
  rules.some((when) => hasOccurrenceFrom(when, today, today.add({ years: 1 })));

/** The dates of an event with something ahead, and its price where it has amounts. */
export function listEventFactsDue(
  source: ParsedContentFile<EventFile>,
  today: Temporal.PlainDate,
): FactDue[] {
  const { value } = source;
  if (value.status === 'cancelled' || value.withdrawn !== undefined) return [];
  if (!isAhead(value.when, today)) return [];
  const thing = { id: getId('event', source), name: value.title };
  const is_rule = value.when.at(-1)?.dates === undefined;
  const stated = is_rule || computeConfidence(value, today) === 'low' ? 'usual' : 'confirmed';
  const dates = toFact(source, { ...thing, kind: 'dates', shelf: getShelfLife(value), stated });
  if (typeof value.price === 'string') return [dates];
  return [dates, toFact(source, { ...thing, kind: 'price', shelf: 'price' })];
}

/** Those of venues and notices, in no order. */
export const listOtherFactsDue = (
  { venues, notices }: Pick<Content, 'venues' | 'notices'>,
  today: Temporal.PlainDate,
): FactDue[] => [
  ...venues.flatMap((source): FactDue[] => {
    const { name, hours, admission } = source.value;
    const thing = { id: getId('venue', source), name: byLang(() => name) };
    const facts: FactDueFields[] = [];
    if (hours) facts.push({ ...thing, kind: 'hours', shelf: 'weekly' });
    if (admission.length > 0) facts.push({ ...thing, kind: 'admission', shelf: 'price' });
    return facts.map((part) => toFact(source, part));
  }),
  ...notices.flatMap((source): FactDue[] => {
    const { open, when, title } = source.value;
    if (!open && !isAhead(when, today)) return [];
    // A notice of certain days is due as an event of certain days is; one that stays open, as a habit is.
    const shelf: ShelfLife = open ? 'weekly' : getShelfLife({ when });
    return [toFact(source, { id: getId('notice', source), name: title, kind: 'notice', shelf })];
  }),
];

/** What of a content folder is due. Throws one Error with every issue of the content. */
export function loadFactsDue(folder: string, today: Temporal.PlainDate): FactsDue {
  const issues: ContentIssue[] = [];
  const content = loadContent(folder, issues);
  if (issues.length > 0) throw createContentError(issues);
  const due = content.events.flatMap((file) => listEventFactsDue(file, today));
  return groupFactsDue([...due, ...listOtherFactsDue(content, today)], today);
}

/** `12 facts are due, 5 of them overdue: npm run due`; null where nothing is. */
export function formatFactsDue({ overdue, soon }: FactsDue): string | null {
  const count = overdue.length + soon.length;
  if (count === 0) return null;
  const facts = count === 1 ? 'fact is' : 'facts are';
  return `${count} ${facts} due to be looked at again, ${overdue.length} of them overdue: npm run due`;
}
