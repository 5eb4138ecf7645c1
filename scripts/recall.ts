// npm run recall: how much of what people look for the search finds.
import { parseArgs } from 'node:util';
import { askQueries, toRecall } from '../tests/search/measure.ts';

const HELP = `npm run recall

Asks the 60 queries of tests/search/queries.yml, in both languages, of a town with a set clock, and prints what was not found
and what was found that must not be. For whoever changes how the search reads words, or content/search-words.yml.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });

if (values.help) process.stdout.write(HELP);
else {
  const asked = askQueries();
  for (const { lang, q, expected, found, missed, wrong } of asked)
    if (missed.length + wrong.length > 0)
      process.stdout.write(
        `${lang} ${q}: ${expected - missed.length} of ${expected}, ${found} found` +
          `${missed.length > 0 ? `; missed ${missed.join(', ')}` : ''}` +
          `${wrong.length > 0 ? `; wrong ${wrong.join(', ')}` : ''}\n`,
      );
  const whole = asked.filter(({ missed }) => missed.length === 0).length;
  process.stdout.write(
    `recall ${toRecall(asked).toFixed(3)} over ${asked.length} queries; ${whole} whole\n`,
  );
}
