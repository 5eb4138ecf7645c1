// Two hundred hostile submissions through the real door: unreviewed they are nowhere; approved as
// they are, they harm no surface.
import { join } from 'node:path';
import ICAL from 'ical.js';
import { remark } from 'remark';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventResponse } from '../fixtures/responses.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { approve } from '../fixtures/approved.ts';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { CALM, calm, COUNT, pick, sent, toAdded } from '../fixtures/hostile-submissions.ts';
import { sendIn } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS, FIXTURE_DIR } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';

const data_dir = makeFolder();
const SETTINGS = { data_dir, content_dir: FIXTURE_DIR, env: { PICTURES: '0' } };
let server: BuiltServer;
let inbox: Inbox;
const references: string[] = [];
const calm_references: string[] = [];
beforeAll(async () => {
  inbox = await openInbox(join(data_dir, 'inbox.db'));
  // The day before: as many as are taken in a day come now.
  for (const submission of calm)
    calm_references.push(
      (await sendIn(inbox, submission, 'form', FRIDAY_NOON_MS - 25 * 3_600_000)).reference,
    );
  for (const [at, submission] of sent.entries())
    references.push((await sendIn(inbox, submission, at % 4 === 0 ? 'agent' : 'form')).reference);
  server = await startServer(SETTINGS);
});
afterAll(async () => {
  await server.stop();
  await inbox.close();
});

const read = async (path: string): Promise<string> => {
  const answer = await server.get(path);
  expect(answer.status, path).toBe(200);
  return answer.text();
};

/** What must not be in any answer: characters that hide or turn text, and control characters. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;

/** What a stranger's text must not bring into a page. */
const HARMFUL =
  /^<\/?(script|img|iframe|object|embed|textarea|b|form|input|style|select|body|title)\b|\son\w+=/i;

/** A page without structured data and attribute values, in which a `<` does no harm. */
const strip = (html: string): string =>
  html
    .replace(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
    .replace(/<style>.*?<\/style>/s, '<style></style>')
    .replace(/="[^"]*"/g, '=""');
const listTags = (html: string): string[] =>
  [...strip(html).matchAll(/<[^>]*>?/g)].map(([tag]) => tag);

/** A row of a list, to which an hour may lead. Strangers' words are in nothing else there. */
const ROW = /<li class="row[^"]*"(?: id="h\d+")?>[\s\S]*?<\/li>/g;
/** The tags of each row, in their order; and of the rest those that would be harm, each with its count. */
const listRows = (html: string): string[] =>
  [...html.matchAll(ROW)].map(([row]) => listTags(row.replace(/ id="h\d+"/, '')).join(''));
const countHarmful = (html: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Map.groupBy(
      listTags(html).filter((tag) => HARMFUL.test(tag)),
      (tag) => tag,
    )
      .entries()
      .map(([tag, all]) => [tag, all.length])
      .toArray()
      .sort(),
  );

/** Whatever was submitted, or added at the desk, that would be a tag as it stands. */
const listTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(listTexts)
      : [];
const RAW = [
  ...new Set(
    [...sent, ...sent.map((_, at) => toAdded(at, pick))]
      .flatMap(listTexts)
      .flatMap((text) => text.match(/<[^<>\n]+>[^<\n]{2,}/g) ?? []),
  ),
];

/**
 * Structured data holds no `<`; without it and without attribute values, every `<` left begins a
 * tag of ours.
 */
function checkPage(html: string, path: string, harmless: string): void {
  const data = [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)];
  for (const [, body] of data)
    expect(() => {
      JSON.parse(body ?? '');
    }, path).not.toThrow();
  for (const [address] of html.matchAll(/ (?:href|src|action)="[^"]*"/g))
    expect(address, path).not.toMatch(/="(?!https?:|\/|#|tel:|mailto:)/);
  const tags = listTags(html);
  expect(
    tags.filter((tag) => !/^<(\/?[a-z][a-z0-9]*|!DOCTYPE html)([\s>]|=""|[\w-])*\/?>$/i.test(tag)),
    path,
  ).toEqual([]);
  expect(countHarmful(html.replace(ROW, '')), path).toEqual(
    countHarmful(harmless.replace(ROW, '')),
  );
  const rows = listRows(harmless);
  expect(
    listRows(html).filter((row) => !rows.includes(row)),
    path,
  ).toEqual([]);
  expect(
    RAW.filter((text) => strip(html).includes(text)),
    path,
  ).toEqual([]);
  expect(
    ['<title', '<body', '<h1'].map((start) => tags.filter((tag) => tag.startsWith(start)).length),
    path,
  ).toEqual([1, 1, 1]);
}

function checkMarkdown(text: string, path: string): void {
  const tree = remark().parse(text);
  expect(
    tree.children.filter((node) => node.type === 'heading' && node.depth === 1),
    path,
  ).toHaveLength(1);
  // One quotation is ours: the head of the document.
  expect(
    tree.children
      .map((node) => node.type)
      .filter((type) => ['html', 'code', 'blockquote'].includes(type)),
    path,
  ).toEqual(['blockquote']);
}

function checkCalendar(text: string, path: string): void {
  const lines = text.split('\r\n');
  expect(
    [lines.at(-1), lines.some((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line))],
    path,
  ).toEqual(['', false]);
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(
    calendar
      .getAllSubcomponents()
      .map((part) => part.name)
      .sort(),
    path,
  ).toEqual(['vevent', 'vtimezone']);
}

test('unreviewed, none of them is on any surface', async () => {
  for (const reference of references)
    expect((await server.get(`/api/v1/events/${toSubmittedEventId(reference)}`)).status).toBe(404);
  const feed = await read('/api/v1/events.ics');
  const list = await read('/api/v1/events?limit=200');
  const words = ['developer mode', 'SUMMARY:falso', 'DROP TABLE', 'ignora todo'];
  for (const text of [feed, list, await read('/hoy'), await read('/semana.md')])
    expect(words.filter((word) => text.includes(word))).toEqual([]);
});

/** Builds a release, and waits until it has the event of a submission. */
async function release(reference: string): Promise<void> {
  const built = await runCommand('release', [], SETTINGS);
  expect(built.code, built.output).toBe(0);
  expect(built.output).not.toContain('left out');
  const path = `/api/v1/events/${toSubmittedEventId(reference)}`;
  await expect.poll(async () => (await server.get(path)).status, { timeout: 20_000 }).toBe(200);
}

/** The paths of the pages of a submission's event, Spanish first. */
async function findPaths(reference: string): Promise<readonly string[]> {
  const id = toSubmittedEventId(reference);
  const { data } = v.parse(EventResponse, JSON.parse(await read(`/api/v1/events/${id}`)));
  expect(HIDDEN.test(JSON.stringify(data)), id).toBe(false);
  return [data.url_es, data.url_en].map((url) => new URL(url).pathname);
}

const toDayPage = (day: number): string => `/fecha/2026-11-${day}`;
/** Pages on which nobody means harm, by what they are a page of. */
const harmless = new Map<string, string>();

test('what our own pages are made of is known', async () => {
  for (const [at, reference] of calm_references.entries())
    await approve(
      inbox,
      reference,
      toAdded(at, () => CALM),
    );
  await release(calm_references[0] ?? '');
  const [es = '', en = ''] = await findPaths(calm_references[0] ?? '');
  harmless.set('es', await read(es)).set('en', await read(en));
  for (let day = 21; day <= 28; day += 1) harmless.set(toDayPage(day), await read(toDayPage(day)));
  expect([sent.filter(({ image }) => image).length > COUNT / 2, RAW.length > 20]).toEqual([
    true,
    true,
  ]);
}, 300_000);

test('approved as they are, every surface of every one is whole', async () => {
  for (const [at, reference] of references.entries())
    await approve(inbox, reference, toAdded(at, pick));
  await release(references[0] ?? '');
  for (const reference of references) {
    for (const [at, path] of (await findPaths(reference)).entries()) {
      const [html, markdown] = [await read(path), await read(`${path}.md`)];
      checkPage(html, path, harmless.get(at === 0 ? 'es' : 'en') ?? '');
      checkMarkdown(markdown, `${path}.md`);
      expect([HIDDEN.test(html), HIDDEN.test(markdown)], path).toEqual([false, false]);
    }
    const id = toSubmittedEventId(reference);
    checkCalendar(await read(`/api/v1/events/${id}.ics`), id);
  }
}, 300_000);

test('the lists that hold them are whole too', async () => {
  for (let day = 21; day <= 28; day += 1) {
    const path = toDayPage(day);
    const [html, markdown] = [await read(path), await read(`${path}.md`)];
    checkPage(html, path, harmless.get(path) ?? '');
    checkMarkdown(markdown, `${path}.md`);
    expect([HIDDEN.test(html), HIDDEN.test(markdown)]).toEqual([false, false]);
  }
  const events = new ICAL.Component(
    ICAL.parse(await read('/api/v1/events.ics')),
  ).getAllSubcomponents('vevent');
  expect(events.length).toBeGreaterThan(COUNT);
  expect(
    events.filter((event) => String(event.getFirstPropertyValue('summary')) === 'falso'),
  ).toEqual([]);
});
