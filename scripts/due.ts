// npm run due: lists the content facts that are due for review, with their sources.
import { toLocalDay } from '../src/domain/local-time.ts';
import { DUE_LOOKAHEAD_DAYS, type FactDue, computeDecay } from '../src/domain/fact-freshness.ts';
import { loadFactsDue } from '../src/sources/facts-due.ts';
import { runScript } from './commands.ts';

const HELP = `npm run due

Lists the facts that are overdue for review or due within ${DUE_LOOKAHEAD_DAYS} days: dates and prices of events, opening hours and admission of
venues, notices. The review interval depends on the kind of fact (clubs and prices 90 days, weekly rules and opening hours 180 days,
annual dates 13 months, fixed feasts 3 years). Overdue dates drop from confirmed to usual to last known automatically; opening hours and
admission are hidden after 13 months; other facts stay visible with the dates of their sources. To renew a fact, check its sources,
update the file and set "checked" to the current day.
`;

await runScript(HELP, ({ config, now_ms }) => {
  const today = toLocalDay(now_ms);
  const { overdue, soon } = loadFactsDue(config.content_dir, today);
  const formatList = (title: string, facts: readonly FactDue[]): string => {
    const lines = facts.flatMap((fact) => [
      `${fact.day}  ${fact.kind.padEnd(9)}  ${fact.shelf.padEnd(6)}  ${(computeDecay(fact, today)?.now ?? '').padEnd(10)}  ${fact.file}`,
      ...fact.sources.map(({ url, name, published, checked }) => {
        const age = `${published === null ? '' : `published ${published}, `}checked ${checked}`;
        return `    ${url ?? name ?? 'a source without a name'} (${age})`;
      }),
    ]);
    return `${title}: ${facts.length}\n${lines.map((line) => `${line}\n`).join('')}\n`;
  };
  const until = today.add({ days: DUE_LOOKAHEAD_DAYS }).toString();
  process.stdout.write(`${formatList('Overdue', overdue)}${formatList(`Due by ${until}`, soon)}`);
});
