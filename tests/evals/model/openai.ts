// The style of OpenAI's chat completions, which most endpoints speak.
import * as v from 'valibot';
import type { Said, Talk, Turn } from './chat.ts';
import type { Model } from './settings.ts';

const ArgumentsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
const AnswerSchema = v.looseObject({
  choices: v.tuple([
    v.looseObject({
      message: v.looseObject({
        content: v.nullish(v.string(), ''),
        tool_calls: v.nullish(
          v.array(
            v.looseObject({
              id: v.string(),
              function: v.looseObject({ name: v.string(), arguments: ArgumentsSchema }),
            }),
          ),
          [],
        ),
      }),
    }),
  ]),
});

function toMessages(turn: Turn): readonly object[] {
  switch (turn.by) {
    case 'user':
      return [{ role: 'user', content: turn.text }];
    case 'model': {
      const tool_calls = turn.calls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }));
      return [
        { role: 'assistant', content: turn.text, ...(tool_calls.length > 0 && { tool_calls }) },
      ];
    }
    case 'tools':
      return turn.results.map(({ id, text }) => ({
        role: 'tool',
        tool_call_id: id,
        content: text,
      }));
  }
}

export const toHeaders = ({ key }: Model): Readonly<Record<string, string>> =>
  key === '' ? {} : { authorization: `Bearer ${key}` };

export const toBody = ({ name }: Model, { system, turns, tools }: Talk): object => ({
  model: name,
  messages: [{ role: 'system', content: system }, ...turns.flatMap(toMessages)],
  tools: tools.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.schema },
  })),
});

export function read(answer: unknown): Said {
  const { message } = v.parse(AnswerSchema, answer).choices[0];
  return {
    text: message.content,
    calls: message.tool_calls.map(({ id, function: { name, arguments: args } }) => ({
      id,
      name,
      args,
    })),
  };
}
