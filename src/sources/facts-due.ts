// Facts due for review: lists the facts of content that have a shelf life (the time for which a
// fact counts as fresh after the day of its newest source), each with its due day, on which editors
// must check it again (contract 6.5). Groups the facts that are overdue or due soon.
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

/** Fields that differ between the facts of a file; `stated` is the certainty of a fresh fact. */
type FactDueFields = Pick<FactDue, 'id' | 'name' | 'kind' | 'shelf'> &
  Partial<Pick<FactDue, 'stated'>>;

function createFactDue(
  { file, value: { sources } }: ParsedContentFile<Pick<EventFile, 'sources'>>,
  fields: FactDueFields,
): FactDue {
  const evidence_day = findEvidenceDay(sources);
  return {
    stated: 'confirmed',
    ...fields,
    file,
    evidence_day: evidence_day.toString(),
    day: computeDueDay(fields.shelf, evidence_day).toString(),
    sources: sources.map(({ url = null, name = null, published = null, checked }) => ({
      url,
      name,
      published,
      checked,
    })),
  };
}

/** Returns true if a rule has a date within a year from today. */
const hasUpcomingDate = (rules: readonly WhenRule[], today: Temporal.PlainDate): boolean =>
  rules.some((when) => hasOccurrenceFrom(when, today, today.add({ years: 1 })));

/**
 * Lists the facts of an event with upcoming dates, due or not: its dates, and its price if it has
 * amounts.
 */
export function listEventFacts(
  source: ParsedContentFile<EventFile>,
  today: Temporal.PlainDate,
): FactDue[] {
  const { value } = source;
  if (value.status === 'cancelled' || value.withdrawn !== undefined) return [];
  if (!hasUpcomingDate(value.when, today)) return [];
  const record = { id: getId('event', source), name: value.title };
  // The last entry of `when` decides: a rule states usual dates, a list of days confirmed ones.
  const is_rule = value.when.at(-1)?.dates === undefined;
  const stated = is_rule || computeConfidence(value, today) === 'low' ? 'usual' : 'confirmed';
  const dates = createFactDue(source, {
    ...record,
    kind: 'dates',
    shelf: getShelfLife(value),
    stated,
  });
  const has_amounts = typeof value.price !== 'string';
  if (!has_amounts) return [dates];
  return [dates, createFactDue(source, { ...record, kind: 'price', shelf: 'price' })];
}

/** Lists the facts of venues and notices, due or not, unordered. */
export const listOtherFacts = (
  { venues, notices }: Pick<Content, 'venues' | 'notices'>,
  today: Temporal.PlainDate,
): FactDue[] => [
  ...venues.flatMap((source): FactDue[] => {
    const { name, hours, admission } = source.value;
    const record = { id: getId('venue', source), name: byLang(() => name) };
    const facts: FactDueFields[] = [];
    if (hours) facts.push({ ...record, kind: 'hours', shelf: 'weekly' });
    if (admission.length > 0) facts.push({ ...record, kind: 'admission', shelf: 'price' });
    return facts.map((fields) => createFactDue(source, fields));
  }),
  ...notices.flatMap((source): FactDue[] => {
    const { open, when, title } = source.value;
    if (!open && !hasUpcomingDate(when, today)) return [];
    // A notice on fixed days is due like an event on fixed days; an open-ended one, like a weekly
    // event.
    const shelf: ShelfLife = open ? 'weekly' : getShelfLife({ when });
    return [
      createFactDue(source, { id: getId('notice', source), name: title, kind: 'notice', shelf }),
    ];
  }),
];

/**
 * Loads the facts of a content folder that are due for review.
 * @throws ContentError that lists every issue of the content.
 */
export function loadFactsDue(folder: string, today: Temporal.PlainDate): FactsDue {
  const issues: ContentIssue[] = [];
  const content = loadContent(folder, issues);
  if (issues.length > 0) throw createContentError(issues);
  const event_facts = content.events.flatMap((file) => listEventFacts(file, today));
  return groupFactsDue([...event_facts, ...listOtherFacts(content, today)], today);
}

/** Formats the count of facts due as one line; @returns null if there are none. */
export function formatFactsDue({ overdue, soon }: FactsDue): string | null {
  const count = overdue.length + soon.length;
  if (count === 0) return null;
  const subject = count === 1 ? 'fact is' : 'facts are';
  return `${count} ${subject} due for review, ${overdue.length} of them overdue: npm run due`;
}
