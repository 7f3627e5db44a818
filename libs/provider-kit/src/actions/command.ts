import { LIMITS, type ActionRisk } from '#contracts';
import { parse } from 'unbash';
import { leadsOutside } from './paths.js';
import { tellsAgents } from './agent-files.js';

/** A command line as far as it can be understood without running it. */
export interface ReadCommand {
  readonly risks: readonly ActionRisk[];
  /** Its words, where it is one simple command of which each word stands for itself; only such a one can be granted. */
  readonly grantable?: string[];
}

/** What of the parser's tree is used; a node has more, and other nodes have other fields. */
interface Node {
  readonly type?: string;
  readonly [field: string]: unknown;
}
interface WordNode extends Node {
  readonly value: string;
}

/**
 * Reads a command line by a parser of bash. What it can't parse, or what decides only when it runs, is marked as not
 * parsed. Risks are hints for the eye: their absence proves nothing, since a program may do anything.
 *
 * @param folder where it runs, as an absolute path
 */
export function readCommand(command: string, folder: string): ReadCommand {
  try {
    return understood(command, folder);
  } catch {
    // Such as one that is nested so deep that no stack is enough.
    return { risks: ['not-parsed'] };
  }
}

function understood(command: string, folder: string): ReadCommand {
  // The parser works parts of words out only when they are asked for; as JSON the tree is whole and plain.
  const tree = JSON.parse(JSON.stringify(parse(command))) as Node;
  const errors = tree['errors'];
  if (Array.isArray(errors) && errors.length > 0) return { risks: ['not-parsed'] };
  const found = nodesOf(tree);
  const commands = found.filter(({ type }) => type === 'Command').map(wordsOf);
  const words = found.filter(isWord).map(({ value }) => value);
  const risks = new Set<ActionRisk>(commands.flatMap(risksOf));
  if (found.some(({ type }) => type !== undefined && DECIDES_LATER.has(type))) {
    risks.add('not-parsed');
  }
  if (words.some((word) => leadsOutside(word, folder))) risks.add('outside-folder');
  if (words.some((word) => tellsAgents(word))) risks.add('configures-agents');
  const grantable = simpleCommand(tree);
  const mayBeGranted = !risks.has('privilege') && !risks.has('configures-agents');
  return { risks: [...risks], ...(grantable && mayBeGranted && { grantable }) };
}

/** What runs a text that is made only then. */
const DECIDES_LATER = new Set([
  'CommandExpansion',
  'ArithmeticCommandExpansion',
  'ProcessSubstitution',
]);

function nodesOf(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(nodesOf);
  return 'type' in node ? [node as Node, ...below] : below;
}

const isWord = (node: Node): node is WordNode =>
  node.type === 'Word' && typeof node['value'] === 'string';

function wordsOf(command: Node): string[] {
  const all = [command['name'], ...((command['suffix'] as Node[] | undefined) ?? [])];
  return all
    .filter((node): node is WordNode => node != null && isWord(node as Node))
    .map((word) => word.value);
}

/** The program of a command, without its folder. */
const programOf = ([first = '']: readonly string[]): string =>
  first.slice(first.lastIndexOf('/') + 1);

const PROGRAMS: { readonly risk: ActionRisk; readonly names: ReadonlySet<string> }[] = [
  {
    risk: 'deletes',
    names: new Set(['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'dd', 'mkfs', 'wipefs', 'fdisk']),
  },
  {
    risk: 'network',
    names: new Set(
      (
        'curl wget ssh scp sftp rsync ftp nc ncat netcat socat telnet aria2c http https gh ' +
        'docker podman kubectl aws gcloud az'
      ).split(' '),
    ),
  },
  {
    risk: 'privilege',
    names: new Set(
      'sudo su doas pkexec runuser setpriv chown chmod setcap mount umount systemctl crontab at passwd'.split(
        ' ',
      ),
    ),
  },
  {
    risk: 'runs-script',
    names: new Set(
      (
        'sh bash zsh dash fish ksh node deno bun tsx ts-node python python3 ruby perl php lua pwsh ' +
        'npm npx pnpm yarn make just cargo go gradle mvn xargs env nohup eval source . exec'
      ).split(' '),
    ),
  },
];

/** Programs whose risk hangs on what they are told to do. */
const SUBCOMMANDS: { readonly risk: ActionRisk; readonly pattern: RegExp }[] = [
  { risk: 'network', pattern: /^git (?:\S+ )*?(?:push|pull|fetch|clone|ls-remote|submodule)\b/ },
  {
    risk: 'deletes',
    pattern:
      /^git (?:\S+ )*?(?:clean|reset|checkout|restore|rm|stash|branch -D|push .*(?:-f|--force))(?: |$)/,
  },
  { risk: 'deletes', pattern: /^find .*-delete\b/ },
  { risk: 'runs-script', pattern: /^find .*-(?:exec|execdir|ok)\b/ },
  {
    risk: 'network',
    pattern:
      /^(?:npm|pnpm|yarn|pip|pip3|apt|apt-get|brew|gem|cargo|go|dnf|yum) (?:\S+ )*?(?:i|ci|add|install|update|upgrade|publish|get|download|dlx|exec)(?: |$)/,
  },
  { risk: 'network', pattern: /^(?:npx|uvx|bunx) / },
  { risk: 'privilege', pattern: /^(?:apt|apt-get|dnf|yum) / },
];

function risksOf(words: readonly string[]): ActionRisk[] {
  const program = programOf(words);
  const line = [program, ...words.slice(1)].join(' ');
  const isFile = words[0]?.includes('/') === true;
  return [
    ...PROGRAMS.filter(({ names }) => names.has(program)).map(({ risk }) => risk),
    ...SUBCOMMANDS.filter(({ pattern }) => pattern.test(line)).map(({ risk }) => risk),
    ...(isFile ? (['runs-script'] as const) : []),
  ];
}

/** Parts of a word that stand for themselves; everything else is put in by the shell when it runs. */
const PLAIN = new Set(['Literal', 'SingleQuoted', 'DoubleQuoted']);

const listOf = (node: Node | undefined, field: string): Node[] =>
  (node?.[field] as Node[] | undefined) ?? [];

function simpleCommand(tree: Node): string[] | undefined {
  const [statement, ...more] = listOf(tree, 'commands');
  const command = statement?.['command'] as Node | undefined;
  const stands = more.length === 0 && statement?.['background'] !== true;
  if (!stands || command?.type !== 'Command') return undefined;
  const around = [...listOf(command, 'prefix'), ...listOf(statement, 'redirects')];
  const all = [command['name'] as Node | null, ...listOf(command, 'suffix')];
  if (around.length > 0 || all.length > LIMITS.grantWords) return undefined;
  return all.every(isGrantable) ? all.map((word) => word.value) : undefined;
}

/** What is not shown as it is can't be granted. */
const isGrantable = (node: Node | null): node is WordNode =>
  node !== null &&
  isWord(node) &&
  isPlain(node) &&
  node.value.length <= LIMITS.grantWord &&
  !/[\p{C}\p{Zl}\p{Zp}]/u.test(node.value);

function isPlain(word: Node): boolean {
  return nodesOf(word['parts'] ?? []).every(({ type }) => type === undefined || PLAIN.has(type));
}
