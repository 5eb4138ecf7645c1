// A model is asked over HTTP, is handed what it asks for, and its last words are judged.
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFake } from '../server/fake-release.ts';
import { readModel, runModelEvals } from './model.ts';
import type { Question } from './question.ts';
import { listenHere } from '../fixtures/folder.ts';

const QUESTION: Question = {
  id: 'fair',
  group: 'search',
  lang: 'en',
  ask: 'Where is the fair?',
  mcp: [],
  markdown: [],
  entry: false,
  has: ['Everyday Fair'],
  not: ['Atlantis'],
  most: { text: 5_000, structured: 5_000, markdown: 5_000 },
};

let fake: Awaited<ReturnType<typeof startFake>>;
let standIn: Server;
let endpoint = '';
const sent: string[] = [];

/** What stands in for a model: calls one tool, then says back what it was given. */
function reply(body: string): object {
  const is_done = /tool_call_id/.test(body);
  const text = is_done ? body : '';
  const name = body.includes('"open"') ? 'open' : 'buscar_eventos';
  const input =
    name === 'open' ? { address: 'https://agenda.example/hoy.md' } : { q: 'fair', lang: 'en' };
  const call = { id: 'a', function: { name, arguments: JSON.stringify(input) } };
  return { choices: [{ message: { content: text, tool_calls: is_done ? [] : [call] } }] };
}

beforeAll(async () => {
  fake = await startFake();
  standIn = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      sent.push(`${request.headers.authorization} ${body}`);
      response.end(JSON.stringify(reply(body)));
    });
  });
  endpoint = `http://127.0.0.1:${await listenHere(standIn)}`;
});
afterAll(async () => {
  standIn.close();
  await fake.stop();
});

test('it is given the tools, uses them, and is judged by what it says', async () => {
  const origin = `http://127.0.0.1:${fake.port}`;
  const model = { url: endpoint, name: 'stand-in', key: 'secret' };
  const { outcomes } = await runModelEvals(origin, model, [QUESTION]);
  const faults = Object.fromEntries(outcomes.map(({ mode, faults }) => [mode, faults]));
  // The stand-in's site has no fair in its Markdown.
  expect(faults).toEqual({ text: [], structured: [], markdown: ['lacks “Everyday Fair”'] });
  expect(outcomes.every(({ tokens }) => tokens > 0)).toBe(true);
  expect(sent.at(-1)).toMatch(/^Bearer secret {"model":"stand-in".*"parameters":{"type":"object"/);
});

test('the environment names it whole or not at all', () => {
  expect(readModel({})).toBeNull();
  expect(readModel({ EVALS_MODEL_URL: 'http://x', EVALS_MODEL: 'm' })).toMatchObject({ key: '' });
  expect(() => readModel({ EVALS_MODEL: 'm' })).toThrow('go together');
});
