// Node link: after `npm install`, links node_modules/.bin/node to the Node of the lockfile. npm 11
// does this itself; older versions remove the link when they remove the Node packages of other
// platforms, whose program has the same name.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
const program = join(`node-${process.platform}-${process.arch}`, 'bin', 'node');
if (existsSync(join(packages, program))) {
  mkdirSync(join(packages, '.bin'), { recursive: true });
  const link = join(packages, '.bin', 'node');
  rmSync(link, { force: true });
  symlinkSync(join('..', program), link);
}
