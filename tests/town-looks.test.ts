// Town looks: a town's own texts and colors apply, and the default texts mention neither a town nor a coast.
import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';
import { expect, test, vi } from 'vitest';
import en from '../src/i18n/en.json' with { type: 'json' };
import es from '../src/i18n/es.json' with { type: 'json' };
import { findLowContrast, completePalette } from '../src/palette.ts';
import { renderPosterSvg } from '../src/pictures/render-poster.ts';
import { TownSchema } from '../src/town.ts';

const TOWN_FILE: unknown = parse(readFileSync('content/town.yml', 'utf8'));
const listIssues = (more: object): string => {
  const result = v.safeParse(TownSchema, { ...v.parse(TownSchema, TOWN_FILE), ...more });
  return (result.issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join();
};

test.each([
  [{ light: { link: '#7a2e12', 'sky-low': '#fdf3e4' } }, ''],
  [{ light: { link: '#7a2e1' } }, 'colours.light.link: must be "#rrggbb", in quotes'],
  [{ dark: { sea: '#7a2e12' } }, 'colours.dark.sea: must be one of ink, soft, sky,'],
  [{ night: {} }, 'colours.night: must be light and dark'],
  [
    { light: { link: '#8fa6ad' } },
    'link #8fa6ad on sand #fffdf9 has a contrast of 2.5 in the light',
  ],
  [{ dark: { sand: '#fffdf9' } }, 'ink #eaf6f5 on sand #fffdf9 has a contrast of 1.1 in the dark'],
])('the colors %j have the issue %j', (colours, message) => {
  expect(listIssues({ colours })).toContain(message);
  expect(listIssues({ colours }) === '').toBe(message === '');
});

test('a color set in one theme comes from the style sheet in the other', () => {
  const own = { light: { link: '#7a2e12', 'card-ink': '#000000' }, dark: {} };
  const { light, dark } = completePalette(own);
  expect([light.link, light.foam]).toEqual(['#7a2e12', '#ffffff']);
  expect([dark.link, dark['card-ink']]).toEqual(['#7fe0d8', '#000000']);
  expect(findLowContrast({ light: {}, dark: {} })).toBe('');
});

/** `playa`, `ferris`; without `Puerto`, which is part of many town names. */
const COAST =
  /\b(playas?|beach(es)?|ferris|ferries|sargazo|sargassum|(el|al) mar|(the|to) sea|lanchas?|boats?|marea|tide|olas?|wave)\b/i;
const TOWN = /canc[uú]n|mujeres|morelos|quintana|UTC[−-]\d|-05:00/i;
/** Texts of links that only coastal towns have. */
const LINK_KEYS = /^(day|search)\.link\./;
test('the default texts and guides mention no town and no coast', () => {
  const words = [es, en].flatMap((texts) => Object.entries(texts));
  const guides = readdirSync('content/docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file, readFileSync(`content/docs/${file}`, 'utf8')] as const);
  const of_coast = words.filter(([key, text]) => COAST.test(text) && !LINK_KEYS.test(key));
  expect(of_coast).toEqual([]);
  expect([...words, ...guides].filter(([, text]) => TOWN.test(text))).toEqual([]);
});

test('a town overrides texts, and an unknown key is rejected', async () => {
  const read = async (content_dir: string) => {
    vi.resetModules();
    vi.stubEnv('CONTENT_DIR', content_dir);
    const { t } = await import('../src/i18n/translate.ts');
    const { renderPosterSvg: draw } = await import('../src/pictures/render-poster.ts');
    return [t('es', 'failure.not_found.text'), t('en', 'llms.note.today'), draw(POSTER, [])];
  };
  const POSTER = { name: 'Hoy', date: null, mark: null, title: 'A', lines: [], cards: [] };
  const [lost, today, poster] = await read('examples/merida');
  const words = { 'agenda.emtpy': { es: 'Nada', en: 'Nothing' } };
  expect(listIssues({ words })).toBe('words.agenda.emtpy: is not a key of src/i18n/es.json');
  expect(lost).toBe(es['failure.not_found.text']);
  expect(today).toMatch(/for weather$/);
  expect(poster).not.toContain('url(#w)');
  expect(renderPosterSvg(POSTER, [])).toContain('url(#w)');
  const [tide, links] = await read('content');
  expect([tide, links]).toEqual([
    expect.stringContaining('la marea se la llevó'),
    expect.stringMatching(/for ferries, sargassum and weather$/),
  ]);
});
