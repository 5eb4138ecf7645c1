// Begins a rendering thread with what V8 compiled for threads before it: a thread has no such memory of its own.
// Plain JavaScript, so that nothing of it need be stripped first.
import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

if (workerData.compile_cache !== null) enableCompileCache(workerData.compile_cache);
await import('./render-thread.ts');
