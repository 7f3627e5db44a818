/** Where a server listens and what it may take. */
export interface ServerSettings {
  readonly dataFolder: string;
  readonly socketFolder: string;
  readonly major: number;
  /** false only for tests: nothing is waited for to be on the disk */
  readonly durable: boolean;
}

/**
 * What holds for every server, durable or not. They are given on the command line, so that they belong to the
 * version of the code and not to the data folder.
 *
 * Memory: the hub, its pool of connections and PostgreSQL share 150 MB, so the buffers are small (the
 * system's page cache does the rest), parallel query, the JIT compiler and logical replication are off.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',
  max_connections: '40',
  shared_buffers: '16MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  wal_buffers: '1MB',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '1',
  jit: 'off',
  huge_pages: 'off',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
  // A hub that was killed in mid-transaction must not hold its locks for long.
  idle_in_transaction_session_timeout: '60s',
  // What was shown as accepted must survive the plug being pulled; off lost up to 1,500 acknowledged rows.
  synchronous_commit: 'on',
};

const SINCE: readonly {
  readonly major: number;
  readonly settings: Readonly<Record<string, string>>;
}[] = [
  // Three workers for reading ahead cost memory and help nobody at this size.
  { major: 18, settings: { io_method: 'sync' } },
];

const NOT_DURABLE: Readonly<Record<string, string>> = { fsync: 'off', full_page_writes: 'off' };

/** The arguments of `postgres`. */
export function serverArguments(settings: ServerSettings): string[] {
  const all = {
    ...SETTINGS,
    ...Object.assign(
      {},
      ...SINCE.filter(({ major }) => settings.major >= major).map((entry) => entry.settings),
    ),
    ...(settings.durable ? {} : NOT_DURABLE),
    unix_socket_directories: settings.socketFolder,
  };
  return [
    '-D',
    settings.dataFolder,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/**
 * The arguments of `initdb`. The built-in locale (17 and later) sorts the same on every system and after every update
 * of the C library, which the indexes rest upon.
 */
export function initdbArguments(options: {
  readonly dataFolder: string;
  readonly passwordFile: string;
  readonly superuser: string;
  readonly major: number;
  readonly durable: boolean;
}): string[] {
  const locale =
    options.major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale=C.UTF-8'];
  return [
    `--pgdata=${options.dataFolder}`,
    `--username=${options.superuser}`,
    `--pwfile=${options.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...locale,
    ...(options.durable ? [] : ['--no-sync']),
  ];
}

/** The environment of PostgreSQL's programs: nothing of the hub's. */
export function serverEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
