// Calendar page: one normalized feed address per choice, and the API's messages for an invalid one.
import { expect, test } from 'vitest';
import {
  googleCalendarUrl,
  outlookUrl,
  phoneUrl,
  webcalUrl,
} from '../../src/i18n/external-links.ts';
import { loadCalendarPage } from '../../src/site/calendar-page.ts';
import { requestApi } from '../fixtures/ask.ts';
import { SITE, openPageContext } from '../fixtures/site.ts';

const state = openPageContext();
const { snapshot } = state;
const loadChoice = (query: string, lang: 'es' | 'en' = 'es') =>
  loadCalendarPage(state, { lang }, query);

const FEED = '/api/v1/events.ics';
const MUSIC = 'category=musica-en-vivo&free=1&lang=en';
test.each([
  ['category=&lang=es&utm_source=x', 'es', 'Hoy Cancún', FEED],
  [
    MUSIC,
    'es',
    'Hoy Cancún: Live music, with free entry',
    `${FEED}?category=live-music&free=1&lang=en`,
  ],
] as const)('the choice %s in %s is the feed %s at %s', (query, lang, name, path) => {
  const { status, page } = loadChoice(query, lang);
  expect([status, page.feed?.name, page.meta.calendar]).toEqual([200, name, path]);
  expect(page.feed?.url).toBe(`${SITE.url}${path}`);
});

const INVALID_CHOICES = ['category=nada&free=si', 'categoria=arte', 'lang=fr'];
test.each(INVALID_CHOICES)('the invalid choice %s gets the message of the API', (query) => {
  const { status, page } = loadChoice(query);
  const result = requestApi(snapshot, `/api/v1/events.ics?${query}`);
  expect([status, result.status, page.feed]).toEqual([400, 400, null]);
  expect(page.issue).toBe(JSON.parse(String(result.body)).error.message);
});

test('each calendar program gets the feed address in its own form', () => {
  const url = 'https://x.example/api/v1/events.ics?zone=centro&free=1';
  expect(webcalUrl(url)).toBe('webcal://x.example/api/v1/events.ics?zone=centro&free=1');
  expect(new URL(googleCalendarUrl(url)).searchParams.get('cid')).toBe(webcalUrl(url));
  const outlook = new URL(outlookUrl(url, 'Hoy Cancún: Centro & más')).searchParams;
  expect([outlook.get('url'), outlook.get('name')]).toEqual([url, 'Hoy Cancún: Centro & más']);
});

test.each([
  ['998 777 7498', 'tel:+529987777498'],
  ['+52 (998) 898-4510 ext. 12', 'tel:+529988984510'],
  ['911', 'tel:911'],
])('the phone number %s becomes the international link %s', (phone, url) => {
  expect(phoneUrl(phone)).toBe(url);
});
