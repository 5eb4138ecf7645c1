// Tied child: runs a script in a process that ends with its parent, even if that is killed. Usage:
// node tied-child.mjs SCRIPT [ARGUMENT …], with a pipe from the parent as file descriptor 3. A
// separate thread watches the pipe, because the script may block the main thread.
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';

if (isMainThread) {
  new Worker(new URL(import.meta.url)).unref();
  process.argv.splice(1, 1);
  await import(pathToFileURL(process.argv[1]).href);
} else {
  new Socket({ fd: 3, readable: true })
    .on('error', () => {})
    .on('close', () => process.kill(process.pid, 'SIGKILL'))
    .resume();
}
