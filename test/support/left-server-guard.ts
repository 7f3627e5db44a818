import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Stops the PostgreSQL of a test and removes its folder when this process ends without doing so itself (it was killed, a
 * test run was cut off): the embedded server is made to outlive its starter. Does nothing where all was cleared up.
 */
export function guardAgainstLeftServer(home: string): void {
  // `cat` ends when the other end of its pipe does, which is this process.
  const script =
    'cat >/dev/null; pid=$(head -n 1 "$1/postgres/data/postmaster.pid") && kill -INT "$pid"; sleep 2; rm -rf "$1"';
  const guard = spawn('sh', ['-c', script, 'guard', home], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
}
