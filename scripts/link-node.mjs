// After `npm install`: node_modules/.bin/node leads to the Node of the lockfile. npm 11 does so by itself; older
// ones take the link away again with the packages for other machines, whose program has the same name.
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
