// The events that a page says of itself as JSON-LD (schema.org), each as a calendar's event (contract 14.36). One that
// is broken loses no other; a script that cannot be read means that the page did not arrive whole.
import { Parser } from 'htmlparser2';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { toZoned, TIME_ZONE } from '../../domain/local-time.ts';
import {
  IMPORT_LIMITS,
  type ImportedEvent,
  type ImportFailure,
  type ImportedCalendar,
} from '../../domain/imported-events.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/field-rules.ts';
import {
  type IcsTime,
  parseTimeZones,
  formatLocalMinute,
  parseIcsTime,
  formatIcsTime,
} from './ics-time.ts';
import {
  type ParseResult,
  listImportWarnings,
  excerptForDisplay,
  normalizeUid,
} from './parse-ics.ts';
import {
  hasMeetingLink,
  cleanExternalLine,
  cleanExternalText,
  parseExternalUrl,
} from './clean-external-text.ts';

/** How deep a graph is looked into. */
const MAX_DEPTH = 6;

export type SchemaOrgNode = Readonly<Record<string, unknown>>;
export const isSchemaOrgNode = (value: unknown): value is SchemaOrgNode =>
  typeof value === 'object' && value !== null;
export const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
/** The first text of a property, as `name`, `{"@value": name}` or a list of these. */
function textOf(node: SchemaOrgNode, name: string): string {
  const [first] = asArray(node[name]);
  const value = isSchemaOrgNode(first) ? (first['@value'] ?? first.name ?? first['@id']) : first;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function parseJsonLd(
  bytes: Uint8Array,
  now_ms: number,
  zone: string = TIME_ZONE,
): ParseResult {
  if (bytes.length > IMPORT_LIMITS.bytes) return { problem: 'too_large' };
  const page = new TextDecoder().decode(bytes);
  if (page.trim() === '') return { problem: 'empty' };
  const { scripts, title } = listScripts(page);
  const graphs = scripts.map((text) => v.safeParse(v.pipe(v.string(), v.parseJson()), text));
  if (graphs.some(({ success }) => !success)) return { problem: 'cut_off' };
  const nodes = graphs.flatMap(({ output }) => listEvents(output, 0));
  if (nodes.length === 0) return { problem: scripts.length > 0 ? 'no_events' : 'is_page' };
  // A page that ends in its midst may lack events.
  if (!isWhole(page)) return { problem: 'cut_off' };
  return { reading: parseSchemaOrgEvents(nodes, title, now_ms, zone) };
}

/** What a list of events of schema.org says; `line`: which of them each is. */
export function parseSchemaOrgEvents(
  nodes: readonly SchemaOrgNode[],
  title: string,
  now_ms: number,
  zone: string,
): ImportedCalendar {
  const events = new Map<string, ImportedEvent>();
  const failures: ImportFailure[] = [];
  const now = formatLocalMinute(toZoned(now_ms).toPlainDateTime());
  let over = 0;
  for (const [at, node] of nodes.slice(0, IMPORT_LIMITS.looked_at).entries()) {
    const event = readEvent(node, at + 1, zone);
    if ('rule' in event) failures.push(event);
    else if (isOver(event, now)) over += 1;
    else if (events.size < IMPORT_LIMITS.events) events.set(event.uid, event);
    else failures.push({ rule: 'too_many', line: at + 1, title: event.title, text: event.start });
  }
  const sorted = [...events.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
  return { name: cleanExternalLine(title, 120).text, events: sorted, failures, over };
}

/** Programs that keep pages write a comment behind their end. */
function isWhole(page: string): boolean {
  const end = page.toLowerCase().lastIndexOf('</html>');
  if (end === -1) return !/<html\b/i.test(page);
  const behind = page.slice(end + 7).split('-->');
  return behind.pop()?.trim() === '' && behind.every((text) => text.trimStart().startsWith('<!--'));
}

const isOver = ({ start, end, all_day }: ImportedEvent, now: string): boolean =>
  all_day || end === null ? (end ?? start).slice(0, 10) < now.slice(0, 10) : end <= now;

function listScripts(page: string) {
  const scripts: string[] = [];
  let [title, open] = ['', ''];
  const parser = new Parser({
    onopentag: (name, { type = '' }) => {
      open = name === 'script' && /^application\/ld\+json\b/i.test(type) ? 'json' : name;
      if (open === 'json') scripts.push('');
    },
    ontext: (text) => {
      if (open === 'title') title += text;
      else if (open === 'json') scripts.push((scripts.pop() ?? '') + text);
    },
    onclosetag: () => {
      open = '';
    },
  });
  parser.end(page);
  return { scripts: scripts.filter((text) => text.trim() !== ''), title };
}

/** Events of any type, wherever they stand in a graph, a list or another event. */
function listEvents(value: unknown, depth: number): SchemaOrgNode[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => listEvents(one, depth + 1));
  if (!isSchemaOrgNode(value)) return [];
  const is_event = asArray(value['@type']).some((type) => /(Event|Festival)$/.test(String(type)));
  const within = ['@graph', 'itemListElement', 'item', 'subEvent', 'event', 'events'];
  const others = within.flatMap((name) => listEvents(value[name], depth + 1));
  // What has parts is told by them.
  return is_event && others.length === 0 ? [value] : others;
}

function readEvent(node: SchemaOrgNode, line: number, zone: string): ImportedEvent | ImportFailure {
  const title = cleanExternalLine(textOf(node, 'name'), SUBMISSION_LIMITS.title);
  const fail = (rule: ImportFailure['rule'], text = '') => ({
    rule,
    line,
    title: title.text,
    text: excerptForDisplay(text),
  });
  const read = (name: string): IcsTime | null =>
    parseIcsTime(
      textOf(node, name).replace(/^(.{16})$/, '$1:00'),
      undefined,
      parseTimeZones([], zone),
    );
  const start = read('startDate');
  if (textOf(node, 'startDate') === '') return fail('no_start');
  if (start === null) return fail('bad_start', textOf(node, 'startDate'));
  if (!/[\p{L}\p{N}]/u.test(title.text)) return fail('no_title');
  const [begins, ends] = [formatIcsTime(start), read('endDate')];
  const end = ends && ends.is_day === start.is_day ? formatIcsTime(ends) : null;
  const is_end = end !== null && Temporal.PlainDateTime.compare(end, begins) > 0;
  const description = cleanExternalText(textOf(node, 'description'), SUBMISSION_LIMITS.description);
  const [place] = asArray(node.location);
  const address =
    isSchemaOrgNode(place) && isSchemaOrgNode(place.address)
      ? textOf(place.address, 'streetAddress')
      : '';
  const said = isSchemaOrgNode(place)
    ? [textOf(place, 'name'), address || textOf(place, 'address')]
    : [place];
  const location = cleanExternalLine(said.filter(Boolean).join(', '), SUBMISSION_LIMITS.line).text;
  const link = textOf(node, 'url') || textOf(node, '@id');
  const status = textOf(node, 'eventStatus');
  const is_postponed = /EventPostponed$/.test(status);
  return {
    uid: normalizeUid([textOf(node, '@id') || link || title.text, begins].join('\n')),
    line,
    title: title.text,
    description: description.text,
    start: begins,
    end: is_end ? end : null,
    all_day: start.is_day,
    dates: [],
    off: [],
    location,
    url: parseExternalUrl(link),
    categories: [],
    is_cancelled: is_postponed || /EventCancelled$/.test(status),
    is_postponed,
    doubts: listImportWarnings([
      ['text_cut', !title.is_whole || !description.is_whole],
      ['end_ignored', end !== null && !is_end && end !== begins, end],
      ['join_link', [description.text, location, link].some(hasMeetingLink)],
    ]),
  };
}
