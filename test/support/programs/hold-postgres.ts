import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '#persistence';

/** Starts the embedded PostgreSQL as its argument says, says how, and holds it until it is killed. */
const options = JSON.parse(process.argv[2] ?? '{}') as EmbeddedPostgresOptions;
try {
  const server = await startEmbeddedPostgres({ ...options, durable: false });
  process.stdout.write(
    `${JSON.stringify({ pid: server.pid, runAs: server.runAs, host: server.owner.host })}\n`,
  );
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 60_000);
} catch (error) {
  const { code, message } = error as Error & { code?: string };
  process.stdout.write(`${JSON.stringify({ code, message })}\n`);
}
