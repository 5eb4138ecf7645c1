// The style of Anthropic's messages.
import * as v from 'valibot';
import type { Said, Talk, Turn } from './chat.ts';
import type { Model } from './settings.ts';

const MAX_TOKENS = 1_500;

const AnswerSchema = v.looseObject({
  content: v.array(
    v.looseObject({
      type: v.string(),
      text: v.optional(v.string(), ''),
      id: v.optional(v.string(), ''),
      name: v.optional(v.string(), ''),
      input: v.optional(v.record(v.string(), v.unknown()), {}),
    }),
  ),
});

function toMessage(turn: Turn): object {
  switch (turn.by) {
    case 'user':
      return { role: 'user', content: turn.text };
    case 'model':
      return {
        role: 'assistant',
        content: [
          ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
          ...turn.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
        ],
      };
    case 'tools':
      return {
        role: 'user',
        content: turn.results.map(({ id, text }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
        })),
      };
  }
}

export const toHeaders = ({ key }: Model): Readonly<Record<string, string>> => ({
  'x-api-key': key,
  'anthropic-version': '2023-06-01',
});

export const toBody = ({ name }: Model, { system, turns, tools }: Talk): object => ({
  model: name,
  max_tokens: MAX_TOKENS,
  system,
  messages: turns.map(toMessage),
  tools: tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.schema,
  })),
});

export function read(answer: unknown): Said {
  const { content } = v.parse(AnswerSchema, answer);
  return {
    text: content.map(({ text }) => text).join(''),
    calls: content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, args: input })),
  };
}
