// npm run doctor: what is wrong with the machine, the settings and the service, and what to do.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { toReport } from '../src/server/doctor/finding.ts';
import {
  checkClock,
  checkDisk,
  checkFiles,
  checkNode,
  checkSettingsFile,
} from '../src/server/doctor/machine.ts';
import {
  checkAddress,
  checkAnswers,
  checkBackup,
  checkMail,
  checkRelease,
} from '../src/server/doctor/service.ts';

const HELP = `npm run doctor

Looks at Node, settings, disk, clock, permissions, release, proxy, mail server and backups, changes nothing, and says what is
wrong and what to do. Ends with 1 where anything is. Run it as the user of the service, with its settings.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(HELP);
else {
  const config = readConfig();
  const now_ms = startClock(config.clock_start)();
  const findings = [
    checkNode(),
    ...checkSettingsFile(config),
    checkAddress(config),
    checkDisk(config),
    ...checkFiles(config),
    await checkClock(config),
    await checkRelease(config, now_ms),
    ...(await checkAnswers(config)),
    await checkMail(config),
    checkBackup(config, now_ms),
  ];
  process.stdout.write(`${toReport(findings)}\n`);
  if (findings.some(({ level }) => level === 'wrong')) process.exitCode = 1;
}
