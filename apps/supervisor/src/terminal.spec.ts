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

describe('a sign-in link at the terminal', () => {
  const shown = (link: { url: string; publicUrl?: string }): string => {
    let said = '';
    const out = { on: () => out, write: (text: string) => (said += text) !== '' };
    plainTerminal(out as never).signInLink({ ...link, expiresIn: 900_000 });
    return said;
  };

  it('[S1] is shown for the phone first, and for this machine, where both are reached', () => {
    const said = shown({ url: 'http://127.0.0.1:1/#/s', publicUrl: 'https://a.example/#/s' });
    expect(said).toMatch(/https:\/\/a\.example\/#\/s[^]*this machine[^]*http:\/\/127\.0\.0\.1/);
  });

  it('[S1] is one line where only this machine is reached', () => {
    expect(shown({ url: 'http://127.0.0.1:1/#/s' }).match(/http/g)).toHaveLength(1);
  });
});
