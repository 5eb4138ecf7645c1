// The questions are as many as they say, in both languages, each once and with something to look for.
import { expect, test } from 'vitest';
import { readQuestions } from './question.ts';

const questions = readQuestions();

test('there are 60 questions, half of them in each language, in six kinds', () => {
  expect(questions).toHaveLength(60);
  const by_lang = Map.groupBy(questions, ({ lang }) => lang);
  expect([by_lang.get('es')?.length, by_lang.get('en')?.length]).toEqual([30, 30]);
  expect(new Set(questions.map(({ group }) => group)).size).toBe(6);
});

test('each stands there once, with facts to look for, none of which must not be there', () => {
  expect(new Set(questions.map(({ id }) => id)).size).toBe(60);
  expect(questions.filter(({ has }) => has.length === 0)).toEqual([]);
  expect(questions.filter(({ has, not }) => not.some((fact) => has.includes(fact)))).toEqual([]);
});

test('each has a way in every mode, unless what is read before any question answers it', () => {
  const without = questions.filter(
    ({ mcp, markdown, entry }) => !entry && (mcp.length === 0 || markdown.length === 0),
  );
  expect(without).toEqual([]);
});
