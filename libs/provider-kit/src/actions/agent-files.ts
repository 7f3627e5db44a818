/** Files that tell agents what to do, start their tools, or run by themselves where somebody works in the folder. */
const NAMES = new Set([
  'CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  'AGENT.md',
  'GEMINI.md',
  '.mcp.json',
  'mcp.json',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.aider.conf.yml',
  'copilot-instructions.md',
  '.gitconfig',
  '.npmrc',
  '.envrc',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
]);
const FOLDERS = new Set([
  '.claude',
  '.cursor',
  '.codex',
  '.gemini',
  '.copilot',
  '.opencode',
  '.continue',
  '.windsurf',
  '.agents',
  '.vscode',
  '.idea',
  '.git',
  '.husky',
  '.ssh',
]);

/** Whether a path leads to such a file, whatever its case: some file systems don't tell them apart. */
export function tellsAgents(path: string): boolean {
  const segments = path.split(/[\\/]/);
  const last = segments.at(-1) ?? '';
  return segments.some((segment) => has(FOLDERS, segment)) || has(NAMES, last);
}

const has = (of: ReadonlySet<string>, segment: string): boolean => {
  const lower = segment.toLowerCase();
  return [...of].some((one) => one.toLowerCase() === lower);
};
