import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decided, expired } from '#provider-kit/conformance';
import { say, tool, type ScriptedTurn } from '#scripted-models';
import {
  actionOf,
  bash,
  calls,
  END,
  GatedClaude,
  type GatedTalk,
} from '../../support/gated-claude.js';

jest.setTimeout(180_000);

const turns = (folder: string): ScriptedTurn[] => [
  calls('make one', bash('touch', 'touch made.txt')),
  calls('make another', bash('touch-2', 'touch made-2.txt')),
  calls('refuse this', bash('refused', 'touch refused.txt')),
  calls('wait in vain', bash('vain', 'touch vain.txt')),
  calls('only look', bash('ls', 'ls -la')),
  calls('read inside', tool('Read', { file_path: path.join(folder, 'notes.md') }, 'inside')),
  calls('read outside', tool('Read', { file_path: '/etc/hostname' }, 'outside')),
  {
    on: 'now edit',
    steps: [
      say(tool('Read', { file_path: path.join(folder, 'notes.md') }, 'read-notes')),
      say(
        tool(
          'Edit',
          {
            file_path: path.join(folder, 'notes.md'),
            old_string: 'one',
            new_string: 'two',
          },
          'edit',
        ),
      ),
      END,
    ],
  },
  {
    on: 'edit what changes',
    steps: [
      say(tool('Read', { file_path: path.join(folder, 'moving.md') }, 'read-moving')),
      say(
        tool(
          'Edit',
          { file_path: path.join(folder, 'moving.md'), old_string: 'a', new_string: 'b' },
          'moving',
        ),
      ),
      END,
    ],
  },
  {
    on: 'first and second',
    steps: [say(bash('first', 'touch a1')), say(bash('second', 'touch a2')), END],
  },
  {
    on: 'third and fourth',
    steps: [say(bash('third', 'touch a3')), say(bash('fourth', 'touch a4')), END],
  },
  calls('two at once', bash('left', 'touch left'), bash('right', 'touch right')),
  calls(
    'let another do it',
    tool(
      'Agent',
      {
        description: 'Do it',
        prompt: 'the child works',
        subagent_type: 'general-purpose',
        run_in_background: false,
      },
      'agent',
    ),
  ),
  calls('the child works', bash('below', 'touch below.txt')),
  calls(
    'let a free one do it',
    tool(
      'Agent',
      {
        description: 'Do it freely',
        prompt: 'the free child works',
        subagent_type: 'general-purpose',
        mode: 'bypassPermissions',
        run_in_background: false,
      },
      'free-agent',
    ),
  ),
  calls('the free child works', bash('free', 'touch free.txt')),
];

const ALLOW = decided({ kind: 'allow', scope: 'once' });

describe('the Claude driver behind the gate', () => {
  let claude: GatedClaude;

  beforeAll(async () => {
    claude = await GatedClaude.start(turns);
    await writeFile(claude.file('notes.md'), 'one\n');
    await writeFile(claude.file('moving.md'), 'a\n');
  });
  afterAll(() => claude.stop());

  const done = async ({ conversation }: GatedTalk): Promise<void> => {
    expect((await conversation.seen.turnEnd()).outcome).toBe('done');
    await conversation.session.close();
  };

  it('[M3] a command waits for leave, whatever rules the settings files have', async () => {
    const of = await claude.talk('ask', 'make one');
    expect(await actionOf(of, 'touch')).toMatchObject({
      kind: 'run',
      tool: 'Bash',
      command: 'touch made.txt',
      folder: claude.folder,
      grantable: ['touch', 'made.txt'],
    });
    expect(existsSync(claude.file('made.txt'))).toBe(false);
    await of.conversation.settle('touch', [ALLOW]);
    await of.conversation.seen.taking('touch');
    await done(of);
    expect(existsSync(claude.file('made.txt'))).toBe(true);
  });

  it('[M3] what is denied does not run, and the agent reads the word that was given', async () => {
    const of = await claude.talk('ask', 'refuse this');
    await of.conversation.settle('refused', [decided({ kind: 'deny', word: 'Not today.' })]);
    expect(await claude.told('refused')).toBe('The person refused this, and says: Not today.');
    await done(of);
    expect(existsSync(claude.file('refused.txt'))).toBe(false);
  });

  it('[M5] leave that nobody gave is a refusal that says that nobody was there', async () => {
    const of = await claude.talk('ask', 'wait in vain');
    await of.conversation.settle('vain', [expired]);
    expect(await claude.told('vain')).toContain('nobody was there');
    await done(of);
    expect(existsSync(claude.file('vain.txt'))).toBe(false);
  });

  it('[M3] a command that only reads passes through the gate as well', async () => {
    const of = await claude.talk('ask', 'only look');
    expect((await actionOf(of, 'ls')).command).toBe('ls -la');
    await of.conversation.settle('ls', [ALLOW]);
    await done(of);
  });

  it('[M3] reading in the folder is free', async () => {
    const of = await claude.talk('ask', 'read inside');
    expect(await claude.told('inside')).toContain('one');
    expect(of.conversation.seen.asks).toEqual([]);
    await done(of);
  });

  it('[M3] hooks of the person’s own settings run, those of the folder’s don’t', async () => {
    const marks = { person: claude.file('hook-of-person'), folder: claude.file('hook-of-folder') };
    await claude.hook('person', `touch ${marks.person}`);
    await claude.hook('folder', `touch ${marks.folder}`);
    await done(await claude.talk('plan', 'read inside'));
    expect([existsSync(marks.person), existsSync(marks.folder)]).toEqual([true, false]);
  });

  it('[M3] reading elsewhere asks', async () => {
    const of = await claude.talk('ask', 'read outside');
    expect(await actionOf(of, 'outside')).toMatchObject({
      kind: 'read-outside',
      path: '/etc/hostname',
    });
    await of.conversation.settle('outside', [decided({ kind: 'deny' })]);
    expect(await claude.told('outside')).toContain('The person refused this.');
    await done(of);
  });

  it('[M3] an edit is shown as a diff of the file as it is, and then made', async () => {
    const of = await claude.talk('ask', 'now edit');
    const action = await actionOf(of, 'edit');
    expect(action).toMatchObject({ kind: 'write', path: claude.file('notes.md') });
    expect(action.diff).toContain('-one\n+two');
    await of.conversation.settle('edit', [ALLOW]);
    await done(of);
    expect(await readFile(claude.file('notes.md'), 'utf8')).toBe('two\n');
    await writeFile(claude.file('notes.md'), 'one\n');
  });

  it('[M3] an edit of a file that has changed since it was shown is not made', async () => {
    const of = await claude.talk('ask', 'edit what changes');
    await actionOf(of, 'moving');
    await writeFile(claude.file('moving.md'), 'a and more\n');
    await of.conversation.settle('moving', [ALLOW]);
    expect(await claude.told('moving')).toContain('not what the person allowed');
    await done(of);
    expect(await readFile(claude.file('moving.md'), 'utf8')).toBe('a and more\n');
  });

  it('[M3] several actions at once are a card each, decided each by itself', async () => {
    const of = await claude.talk('ask', 'two at once');
    await of.conversation.settle('left', [decided({ kind: 'deny' })]);
    await of.conversation.settle('right', [ALLOW]);
    await done(of);
    expect([existsSync(claude.file('left')), existsSync(claude.file('right'))]).toEqual([
      false,
      true,
    ]);
  });

  it('[M3] what a sub-agent does asks too, and names the sub-agent', async () => {
    const of = await claude.talk('ask', 'let another do it');
    const request = await of.conversation.seen.asked('below');
    expect(request.askedBy).toBe('general-purpose');
    await of.conversation.settle('below', [ALLOW]);
    await of.conversation.seen.taking('below');
    await done(of);
    expect(existsSync(claude.file('below.txt'))).toBe(true);
  });

  it('[M3] a sub-agent that would be freer than its conversation asks for leave, and for each action all the same', async () => {
    const of = await claude.talk('ask', 'let a free one do it');
    expect((await actionOf(of, 'free-agent')).kind).toBe('unknown');
    await of.conversation.settle('free-agent', [ALLOW]);
    expect((await actionOf(of, 'free')).command).toBe('touch free.txt');
    await of.conversation.settle('free', [decided({ kind: 'deny' })]);
    await done(of);
    expect(existsSync(claude.file('free.txt'))).toBe(false);
  });

  it('[M6] a switch to autopilot holds in the turn that runs', async () => {
    const of = await claude.talk('ask', 'first and second');
    await actionOf(of, 'first');
    of.mode = 'autopilot';
    await of.conversation.session.setMode('autopilot');
    await of.conversation.settle('first', [ALLOW]);
    await done(of);
    expect(of.conversation.seen.asks.map(({ toolCallId }) => toolCallId)).toEqual(['first']);
    expect(existsSync(claude.file('a2'))).toBe(true);
  });

  it('[M6] a switch to ask holds in the turn that runs', async () => {
    const of = await claude.talk('ask', 'third and fourth');
    await of.conversation.settle('third', [ALLOW]);
    expect((await actionOf(of, 'fourth')).command).toBe('touch a4');
    await of.conversation.settle('fourth', [decided({ kind: 'deny' })]);
    await done(of);
  });

  it('[M6] leave that was given before a switch to plan lets nothing run after it', async () => {
    const of = await claude.talk('ask', 'make another');
    await actionOf(of, 'touch-2');
    of.mode = 'plan';
    await of.conversation.session.setMode('plan');
    await of.conversation.settle('touch-2', [ALLOW]);
    expect(await claude.told('touch-2')).toContain('plan mode');
    await of.conversation.session.close();
    expect(existsSync(claude.file('made-2.txt'))).toBe(false);
  });
});
