// The tests that failed, from vitest's report as JSON, so that the end of a long run says which.
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

const ReportSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      message: v.string(),
      assertionResults: v.array(
        v.object({
          fullName: v.string(),
          status: v.string(),
          failureMessages: v.nullish(v.array(v.string()), []),
        }),
      ),
    }),
  ),
});

/** Of what is said of one failure. */
const MAX_LINES = 8;
const MAX_CHARACTERS = 300;

const indent = (message: string): string[] =>
  message.split('\n', MAX_LINES).map((line) => `    ${line.slice(0, MAX_CHARACTERS)}`);

/** Lines for each failed test of a report, and each file that could not be run; none without a report. */
export function listFailedTests(report_file: string): string[] {
  if (!existsSync(report_file)) return [];
  const { testResults } = v.parse(ReportSchema, JSON.parse(readFileSync(report_file, 'utf8')));
  return testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' ? [] : [`  ${name}`, ...indent(message)]),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .flatMap(({ fullName, failureMessages }) => [
        `  ${name}: ${fullName}`,
        ...(failureMessages ?? []).flatMap(indent),
      ]),
  ]);
}
