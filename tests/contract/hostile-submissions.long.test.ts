// Two hundred hostile submissions through the real door: approved as they are, they harm nothing.
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
import { COUNT, sent, toAdded } from '../fixtures/hostile-submissions.ts';
import { sendIn } from '../fixtures/inbox.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';

const data_dir = makeFolder();
const SETTINGS = { data_dir, content_dir: FIXTURE_DIR, env: { PICTURES: '0' } };
const DAYS = Array.from({ length: 8 }, (_, at) => `/fecha/2026-11-${21 + at}`);
const references: string[] = [];
let server: BuiltServer;
let inbox: Inbox;
beforeAll(async () => {
  inbox = await openInbox(join(data_dir, 'inbox.db'));
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

/** Characters that hide or turn text, and control characters: in no answer. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;
const LD = /<script type="application\/ld\+json">([^<]*)<\/script>/g;
/** A tag of ours without the values of its attributes, none of which runs. */
const OURS = /^<(\/?[a-z][a-z0-9]*|!DOCTYPE html)((?! on\w)[\s>]|=""|[\w-])*\/?>$/i;
const COUNTED = /^<(script|iframe|object|embed|textarea|form|style|body|title|h1)\b/i;
/** What was sent or added that would be a tag as it stands. */
const RAW = new Set(
  JSON.stringify([sent, sent.map((_, at) => toAdded(at))])
    .replaceAll('\\"', '"')
    .match(/<[^<>\\]+>[^<\\"]{2,}/g),
);
const strip = (html: string): string =>
  html
    .replace(LD, '')
    .replace(/<style>.*?<\/style>/s, '<style></style>')
    .replace(/="[^"]*"/g, '=""');
const listTags = (html: string): string[] =>
  [...strip(html).matchAll(/<[^>]*>?/g)].map(([tag]) => tag);
const listCounted = (html: string): string[] => listTags(html).filter((tag) => COUNTED.test(tag));

/** Expects a page to have the tags of one on which nobody means harm. */
function checkPage(html: string, path: string, harmless: string): void {
  for (const [, body = ''] of html.matchAll(LD)) expect(() => JSON.parse(body), path).not.toThrow();
  for (const [address] of html.matchAll(/ (?:href|src|action)="[^"]*"/g))
    expect(address, path).toMatch(/="(https?:|\/|#|tel:|mailto:)/);
  const foreign = listTags(html).filter((tag) => !OURS.test(tag));
  expect(foreign, path).toEqual([]);
  expect(listCounted(html), path).toEqual(listCounted(harmless));
  const text = strip(html);
  const unescaped = [...RAW].filter((raw) => text.includes(raw));
  expect(unescaped, path).toEqual([]);
  expect(HIDDEN.test(html), path).toBe(false);
}

function checkMarkdown(text: string, path: string): void {
  const { children } = remark().parse(text);
  const heads = children.filter((node) => node.type === 'heading' && node.depth === 1);
  expect(heads, path).toHaveLength(1);
  // One quotation is ours: the head of the document.
  const kinds = children.map(({ type }) => type);
  const odd = kinds.filter((type) => ['html', 'code', 'blockquote'].includes(type));
  expect(odd, path).toEqual(['blockquote']);
  expect(HIDDEN.test(text), path).toBe(false);
}

function checkCalendar(text: string, path: string): void {
  const lines = text.split('\r\n');
  expect(lines.at(-1), path).toBe('');
  const wrong = lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line));
  expect(wrong, path).toEqual([]);
}

test('unreviewed, none of them is on any surface', async () => {
  for (const path of ['/api/v1/events.ics', '/api/v1/events?limit=200', '/hoy', '/semana.md'])
    expect(await read(path)).not.toMatch(/developer mode|SUMMARY:falso|DROP TABLE|ignora todo/);
});

test('approved as they are, every surface of every one is whole, and the lists that hold them', async () => {
  const harmless = {
    page: await read('/eventos/feria-diaria'),
    day: await read('/fecha/2026-11-29'),
  };
  expect(RAW.size).toBeGreaterThan(20);
  for (const [at, reference] of references.entries()) await approve(inbox, reference, toAdded(at));
  const built = await runCommand('release', [], SETTINGS);
  expect(built.output).not.toContain('left out');
  const ids = references.map(toSubmittedEventId);
  const look = async () => (await server.get(`/api/v1/events/${ids[0]}`)).status;
  await expect.poll(look, { timeout: 20_000 }).toBe(200);
  for (const id of ids) {
    const answer = await read(`/api/v1/events/${id}`);
    expect(HIDDEN.test(answer), id).toBe(false);
    const { data } = v.parse(EventResponse, JSON.parse(answer));
    for (const { pathname } of [new URL(data.url_es), new URL(data.url_en)]) {
      checkPage(await read(pathname), pathname, harmless.page);
      checkMarkdown(await read(`${pathname}.md`), `${pathname}.md`);
    }
    checkCalendar(await read(`/api/v1/events/${id}.ics`), id);
  }
  for (const path of DAYS) {
    checkPage(await read(path), path, harmless.day);
    checkMarkdown(await read(`${path}.md`), `${path}.md`);
  }
  const calendar = new ICAL.Component(ICAL.parse(await read('/api/v1/events.ics')));
  const titles = calendar
    .getAllSubcomponents('vevent')
    .map((event) => String(event.getFirstPropertyValue('summary')));
  expect(titles.length).toBeGreaterThan(COUNT);
  expect(titles).not.toContain('falso');
}, 300_000);
