// Links of a copy of plain files: those of what it has stay, all others lead to the live service.
import { describe, expect, test } from 'vitest';
import { listPaths, toStaticCalendar, toStaticText } from '../../src/server/static-links.ts';

const site_url = 'https://agenda.example';
const HAD = new Set(['/', '/hoy', '/hoy.md', '/eventos/ni%C3%B1os', '/events/ride.ics']);
const copy = { site_url, live_url: 'https://live.example', has: (path: string) => HAD.has(path) };
const html = (text: string): string => toStaticText(text, true, copy);
const markdown = (text: string): string => toStaticText(text, false, copy);

describe('a page', () => {
  test.each([
    '<a href="/hoy">',
    '<a href="/hoy#ahora">',
    '<a href="/eventos/ni%C3%B1os">',
    '<a href="#ahora">',
    '<a href="//other.example/hoy">',
    '<a href="https://agenda.example/hoy">',
    '<a href="https://agenda.example">',
    '<a href="https://agenda.example.org/x">',
    '<a href="webcal://agenda.example/events/ride.ics">',
    '<p>Escribe /enviar</p>',
  ])('keeps %s', (text) => {
    expect(html(text)).toBe(text);
  });

  test.each([
    ['<a href="/enviar">', '<a href="https://live.example/enviar">'],
    ['<a class="x" href="/hoy?free=1">', '<a class="x" href="https://live.example/hoy?free=1">'],
    ['<a href="/hoy?free=1&amp;q=x">', '<a href="https://live.example/hoy?free=1&amp;q=x">'],
    ['<form action="/hoy">', '<form action="https://live.example/hoy">'],
    ['<button data-near="/hoy">', '<button data-near="https://live.example/hoy">'],
    ['<iframe src="/embed">', '<iframe src="https://live.example/embed">'],
    [
      '<i content="https://agenda.example/a.png?v=1">',
      '<i content="https://live.example/a.png?v=1">',
    ],
    [
      '<a href="webcal://agenda.example/api/v1/events.ics?free=1">',
      '<a href="webcal://live.example/api/v1/events.ics?free=1">',
    ],
    [
      '<a href="https://g.example/r?cid=webcal%3A%2F%2Fagenda.example%2Fx">',
      '<a href="https://g.example/r?cid=webcal%3A%2F%2Flive.example%2Fx">',
    ],
    [
      '{"target":"https://agenda.example/buscar?q={q}"}',
      '{"target":"https://live.example/buscar?q={q}"}',
    ],
  ])('%s becomes %s', (text, linked) => {
    expect(html(text)).toBe(linked);
  });

  test('tells of what it leads to without a query', () => {
    const text =
      '<a href="/hoy#x"><a href="/hoy?free=1"><a href="/mapa"> "https://agenda.example/zonas"';
    expect(listPaths(text, true, site_url)).toEqual(['/hoy', '/mapa', '/zonas']);
  });
});

test('a calendar is folded anew', () => {
  const source = `SOURCE:${site_url}/events.ics?q=${'x'.repeat(60)}`;
  const text = `BEGIN:VCALENDAR\r\n${source.slice(0, 20)}\r\n ${source.slice(20)}\r\nEND:VCALENDAR\r\n`;
  const [begin, first = '', rest = '', ...more] = toStaticCalendar(text, copy).split('\r\n');
  expect([begin, ...more]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
  expect(first).toHaveLength(75);
  expect(first + rest.slice(1)).toBe(source.replace('agenda', 'live'));
});

describe('a document', () => {
  test.each([
    ['[Hoy](https://agenda.example/hoy.md), https://agenda.example/hoy.', null],
    ['[Hoy](https://agenda.example/hoy.md?free=1)', '[Hoy](https://live.example/hoy.md?free=1)'],
    ['`https://agenda.example/events/{slug}.ics`', '`https://live.example/events/{slug}.ics`'],
    ['<https://agenda.example/api/v1/events>', '<https://live.example/api/v1/events>'],
    ['href="/enviar"', null],
  ])('%s becomes %s', (text, linked) => {
    expect(markdown(text)).toBe(linked ?? text);
  });

  test('whose site is the live service keeps every absolute address', () => {
    const text = 'https://agenda.example/enviar';
    expect(toStaticText(text, false, { ...copy, live_url: site_url })).toBe(text);
  });
});
