// npm run due: which facts of content are due to be looked at again, and where to look.
import { toLocalDay } from '../src/domain/local-time.ts';
import { DUE_LOOKAHEAD_DAYS, type FactDue, computeDecay } from '../src/domain/fact-freshness.ts';
import { loadFactsDue } from '../src/sources/facts-due.ts';
import { runScript } from './commands.ts';

const HELP = `npm run due

Lists the facts that are due within ${DUE_LOOKAHEAD_DAYS} days, or have been since: the dates and prices of events, the hours and admission of
places, notices. How long a fact may be believed follows from its kind (a club or a price 90 days, a weekly rule or hours 180, an
annual date 13 months, a fixed feast 3 years). Dates that are overdue fall from confirmed to usual to last known by themselves;
hours and admission are not said any more after 13 months; the rest is said on, with the days of its sources. Look at the sources, write what they say now, and put the day into "checked".
`;

await runScript(HELP, ({ config, now_ms }) => {
  const today = toLocalDay(now_ms);
  const { overdue, soon } = loadFactsDue(config.content_dir, today);
  const list = (title: string, facts: readonly FactDue[]): string => {
    const lines = facts.flatMap((fact) => [
      `${fact.day}  ${fact.kind.padEnd(9)}  ${fact.shelf.padEnd(6)}  ${(computeDecay(fact, today)?.now ?? '').padEnd(10)}  ${fact.file}`,
      ...fact.sources.map(({ url, name, published, checked }) => {
        const age = `${published === null ? '' : `of ${published}, `}checked ${checked}`;
        return `    ${url ?? name ?? 'a source without a name'} (${age})`;
      }),
    ]);
    return `${title}: ${facts.length}\n${lines.map((line) => `${line}\n`).join('')}\n`;
  };
  const until = today.add({ days: DUE_LOOKAHEAD_DAYS }).toString();
  process.stdout.write(`${list('Overdue', overdue)}${list(`Due by ${until}`, soon)}`);
});
