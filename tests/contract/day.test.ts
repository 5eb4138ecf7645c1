// One day, one truth: its page, Markdown, JSON and tool say the same sentences and links.
import * as v from 'valibot';
import { serveShared } from '../fixtures/shared-release.ts';
import { expect, test } from 'vitest';
import { DayResponse } from '../fixtures/responses.ts';
import { PublicDaySchema } from '../../src/serializers/wire/day.ts';

const server = await serveShared({ clock_start: '2026-12-25T12:00:00-05:00' });

const toText = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const readText = async (path: string): Promise<string> => (await server.get(path)).text();
const ToolAnswer = v.object({
  result: v.object({
    structuredContent: v.looseObject({ day: PublicDaySchema }),
    content: v.array(v.looseObject({ text: v.string() })),
  }),
});

async function askTool(lang: string) {
  const answer = await server.callTool('eventos_hoy', { lang });
  const text = (await answer.text()).replace(/^event:.*\ndata: /, '');
  return v.parse(ToolAnswer, JSON.parse(text)).result;
}

test.each([
  ['es', '/hoy', '/fecha/2026-12-25', '/fin-de-semana', 'Navidad'],
  ['en', '/en/today', '/en/date/2026-12-25', '/en/weekend', 'Christmas Day'],
])('Christmas in %s', async (lang, today, date, weekend, holiday) => {
  const answer = await server.get(`/api/v1/days/2026-12-25?lang=${lang}`);
  const { open_places: _places, ...day } = v.parse(DayResponse, await answer.json()).data;
  const tool = await askTool(lang);
  expect(tool.structuredContent.day).toEqual(day);
  expect(day.holidays.map(({ name }) => name)).toEqual([holiday]);

  const sentences = day.text.split(/(?<=\.) (?=\p{Lu})/u);
  expect(sentences.length).toBeGreaterThanOrEqual(5);
  const texts = [
    toText(await readText(today)),
    toText(await readText(date)),
    await readText(`${today}.md`),
    await readText(`${date}.md`),
    tool.content.map(({ text }) => text).join('\n'),
  ];
  for (const text of texts)
    for (const said of [...sentences, ...day.links.map(({ name }) => name)])
      expect(text).toContain(said);
  for (const { url } of day.links) expect(await readText(today)).toContain(`href="${url}"`);
  // A weekend is no day.
  expect(toText(await readText(weekend))).not.toContain(sentences[1]);
});
