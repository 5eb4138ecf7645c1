// A model is asked over HTTP, is handed what it asks for, and its last words are judged.
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startFake } from '../server/fake-release.ts';
import type { Question } from './question.ts';
import { runEvals } from './run.ts';
import { listenHere } from '../fixtures/folder.ts';

const QUESTION: Question = {
  id: 'fair',
  group: 'search',
  lang: 'en',
  ask: 'Where is the fair?',
  mcp: [],
  markdown: [],
  entry: false,
  has: ['Feria diaria'],
  not: ['Atlantis'],
  most: { text: 5_000, structured: 5_000, markdown: 5_000 },
};

/** What stands in for a model: calls one tool, then says back what it was given. */
function reply(body: string): object {
  const is_done = /tool_call_id/.test(body);
  const text = is_done ? body : '';
  const name = body.includes('"open"') ? 'open' : 'buscar_eventos';
  const input =
    name === 'open' ? { address: 'https://agenda.example/hoy.md' } : { q: 'feria', lang: 'en' };
  const call = { id: 'a', function: { name, arguments: JSON.stringify(input) } };
  return { choices: [{ message: { content: text, tool_calls: is_done ? [] : [call] } }] };
}

test('it is given the tools, uses them, and is judged by what it says', async () => {
  const fake = await startFake();
  onTestFinished(fake.stop);
  const sent: string[] = [];
  const standIn = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    sent.push(`${request.headers.authorization} ${body}`);
    response.end(JSON.stringify(reply(body)));
  });
  const endpoint = `http://127.0.0.1:${await listenHere(standIn)}`;
  onTestFinished(() => void standIn.close());
  const origin = `http://127.0.0.1:${fake.port}`;
  const model = { url: endpoint, name: 'stand-in', key: 'secret' };
  const { outcomes } = await runEvals(origin, model, [QUESTION]);
  const faults = Object.fromEntries(outcomes.map(({ mode, faults }) => [mode, faults]));
  // The stand-in's site has no fair in its Markdown.
  expect(faults).toEqual({ text: [], structured: [], markdown: ['lacks “Feria diaria”'] });
  expect(outcomes.every(({ tokens }) => tokens > 0)).toBe(true);
  expect(sent.at(-1)).toMatch(/^Bearer secret {"model":"stand-in".*"parameters":{"type":"object"/);
});
