// The figures of contract 13.10 of a town: each question, each detail, and what of it is missed.
import type { McpContext } from '../../src/mcp/context.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-things.ts';
import { BOUNDS, type Cost, countAnswer, countListed, toMedian } from './count-tokens.ts';
import { QUESTIONS } from './questions.ts';

export interface Figures {
  /** Tokens of `tools/list`. */
  readonly listed: number;
  /** The answers to the questions. */
  readonly asked: readonly Cost[];
  /** Every upcoming event by itself, in both languages. */
  readonly details: readonly Cost[];
}

/** Counts all of it at the context's instant; throws where the town has no event ahead. */
export function countTown(context: McpContext): Figures {
  const events = listUpcomingEvents(context.snapshot, context.now_ms);
  const [first] = events;
  if (first === undefined) throw new Error('there is no upcoming event to be asked for');
  const ask = ({ asks, tool, args }: (typeof QUESTIONS)[number]): Cost => {
    const named = Object.entries(args).map(([name, value]) => [
      name,
      value === '{event}' ? first.id : value,
    ]);
    return countAnswer({ asks, tool, args: Object.fromEntries(named) }, context);
  };
  return {
    listed: countListed(context),
    asked: QUESTIONS.map(ask),
    details: events.flatMap(({ id }) =>
      ['es', 'en'].map((lang) =>
        countAnswer({ asks: id, tool: 'detalle_evento', args: { id, lang } }, context),
      ),
    ),
  };
}

/** The figures that have a bound, each with it. */
export function toBounded({ listed, asked, details }: Figures) {
  return [
    { name: 'tools/list', tokens: listed, most: BOUNDS.list },
    {
      name: 'largest answer, both halves',
      tokens: Math.max(...[...asked, ...details].map(({ both }) => both)),
      most: BOUNDS.answer,
    },
    {
      name: 'median answer, text',
      tokens: toMedian(asked.map(({ text }) => text)),
      most: BOUNDS.median,
    },
  ] as const;
}

const toRow = (text: number, structured: number, both: number, name: string): string =>
  `${[text, structured, both].map((count) => String(count).padStart(7)).join('')}  ${name}`;

/** The table. */
export function formatFigures(figures: Figures): string {
  const { asked, details } = figures;
  const medians = (costs: readonly Cost[], name: string): string =>
    toRow(
      toMedian(costs.map(({ text }) => text)),
      toMedian(costs.map(({ structured }) => structured)),
      toMedian(costs.map(({ both }) => both)),
      name,
    );
  return [
    '   text struct.   both  tokens (o200k)',
    ...asked.map(({ question, text, structured, both }) =>
      toRow(text, structured, both, `${question.tool} ${JSON.stringify(question.args)}`),
    ),
    medians(asked, 'median of these'),
    medians(details, `median of detalle_evento of each of ${details.length / 2} events, es and en`),
    '',
    ...toBounded(figures).map(
      ({ name, tokens, most }) =>
        `${tokens <= most ? 'met   ' : 'MISSED'} ${name}: ${tokens} of at most ${most}`,
    ),
    '',
  ].join('\n');
}
