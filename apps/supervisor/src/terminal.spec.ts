import { describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { plainTerminal } from './terminal.js';

describe('a terminal that was closed', () => {
  it('[processes] takes words without ending who says them', async () => {
    const closed = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EIO')) });
    const terminal = plainTerminal(closed as unknown as WriteStream);
    // Unheard, this event would be an exception.
    const failed = new Promise((resolve) => closed.on('close', resolve));
    terminal.say('Stopping …');
    await failed;
    expect(() => terminal.say('Stopped.')).not.toThrow();
  });
});
