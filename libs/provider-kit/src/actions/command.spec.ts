import { describe, expect, it } from '@jest/globals';
import { readCommand } from './command.js';

const FOLDER = '/home/me/project';
const risksOf = (command: string): readonly string[] => readCommand(command, FOLDER).risks;
const grantableOf = (command: string): string[] | undefined =>
  readCommand(command, FOLDER).grantable;

describe('what of a command can be granted for a conversation', () => {
  it.each([
    ['npm test', ['npm', 'test']],
    ["git log --format='%h %s'", ['git', 'log', '--format=%h %s']],
    ['grep "two words" file.txt', ['grep', 'two words', 'file.txt']],
  ])('[M3] one simple command: %s', (command, words) => {
    expect(grantableOf(command)).toEqual(words);
  });

  it.each([
    'npm test && rm -rf .',
    'npm test; rm x',
    'npm test | sh',
    'npm test &',
    'npm test > out',
    'npm test 2>&1',
    'echo $(id)',
    'echo `id`',
    'echo $HOME',
    'echo "$HOME"',
    'echo *.ts',
    'echo {a,b}',
    'FOO=1 npm test',
    'cat <<E\nhi\nE',
    'cat <(ls)',
    'npm test\nrm x',
    '! npm test',
    '(npm test)',
    'if true; then ls; fi',
    'sudo npm test',
    'cp x .claude/settings.json',
    'echo \u202etest',
    'echo "unfinished',
    '',
  ])('[M3] never more than that: %j', (command) => {
    expect(grantableOf(command)).toBeUndefined();
  });
});

describe('what should be seen of a command at a look', () => {
  it.each([
    ['rm -rf build', 'deletes'],
    ['git clean -fd', 'deletes'],
    ['find . -name x -delete', 'deletes'],
    ['ls && rm x', 'deletes'],
    ['curl https://example.org', 'network'],
    ['git push origin main', 'network'],
    ['npm install left-pad', 'network'],
    ['sudo ls', 'privilege'],
    ['chmod 777 x', 'privilege'],
    ['bash build.sh', 'runs-script'],
    ['./build', 'runs-script'],
    ['npm run build', 'runs-script'],
    ['cat /etc/passwd', 'outside-folder'],
    ['cat ../other/file', 'outside-folder'],
    ['cat ~/.ssh/id', 'outside-folder'],
    ['ls > /tmp/x', 'outside-folder'],
    ['echo x >> AGENTS.md', 'configures-agents'],
    ['echo $(cat x)', 'not-parsed'],
    ['echo "unfinished', 'not-parsed'],
    ['eval "$x"', 'runs-script'],
  ])('[M3] %s is marked as %s', (command, risk) => {
    expect(risksOf(command)).toContain(risk);
  });

  it.each(['ls -la', 'git status', 'cat src/index.ts', 'ls > /dev/null', `cat ${FOLDER}/x`])(
    '[M3] %s is marked with nothing',
    (command) => {
      expect(risksOf(command)).toEqual([]);
    },
  );
});
