// All questions in all modes, asked of one server.
import { askMarkdown, askTools, readDocument, readIntroduction, toEntry } from './callers.ts';
import { judge, type Outcome } from './judge.ts';
import { type Mode, MODES, type Question, readQuestions } from './question.ts';

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** What is read before any question. */
  readonly entries: Readonly<Record<Mode, string>>;
}

/** What became of every question, mode by mode. */
export async function runEvals(origin: string): Promise<Run> {
  const introduction = await readIntroduction(origin);
  const tools = toEntry(introduction);
  const { text: llms } = await readDocument(origin, '/llms.txt');
  const ask = (question: Question, mode: Mode) =>
    mode === 'markdown'
      ? askMarkdown(origin, question)
      : askTools(origin, introduction, question, mode);
  const outcomes: Outcome[] = [];
  for (const mode of MODES)
    for (const question of readQuestions())
      outcomes.push(judge(question, mode, await ask(question, mode)));
  return { outcomes, entries: { text: tools, structured: tools, markdown: llms } };
}
