// npm run prometheus: whether the alerts are right, and ring.
import { parseArgs } from 'node:util';
import { tryAlerts } from '../tests/alerts/try-alerts.ts';
import { findPrometheus } from './find-prometheus.ts';

const HELP = `npm run prometheus

Checks docs/prometheus with promtool (the settings, the rules, the tests of the rules), then starts a service with a small
town and a Prometheus that scrapes it every second: the figures must arrive, and once the service is stopped the alert
HoyDown must ring. Prometheus is found, or installed with apt-get, which needs root and says so before. About a minute; ends
with 1 where something is missing.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });

if (values.help) process.stdout.write(HELP);
else {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  process.exitCode = (await tryAlerts(await findPrometheus(say), say)) ? 0 : 1;
}
