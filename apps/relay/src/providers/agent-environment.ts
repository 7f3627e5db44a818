/**
 * What of the relay's environment an agent gets (S3): a list of what is let through, so that a secret nobody
 * thought of stays out. A driver adds what its own client needs, and nothing of another provider's.
 */
const LET_THROUGH: readonly RegExp[] = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|COLORTERM|TZ|TMPDIR|TMP|TEMP)$/,
  /^(LANG|LANGUAGE|LC_[A-Z]+)$/,
  // Where tools keep what they make, and how they reach the desktop's session.
  /^XDG_(CONFIG|CACHE|DATA|STATE)_HOME$|^XDG_RUNTIME_DIR$/,
  // How to get out, and whom to trust on the way.
  /^(HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS)$/,
  // Windows' own names of the same.
  /^(SystemRoot|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/,
];

export function agentEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const through: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && LET_THROUGH.some((names) => names.test(name))) through[name] = value;
  }
  return through;
}
