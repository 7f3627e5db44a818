// Loaded into supervisor and relay by NODE_OPTIONS. The product that runs is the one that was built; what differs is
// the list of providers, the way from relay to hub (through the harness's proxy), and how long the supervisor
// waits before it starts again what died often: minutes of waiting would be minutes without a fault.
import { register } from 'node:module';
import { Socket } from 'node:net';
import timers from 'node:timers/promises';
import { syncBuiltinESMExports } from 'node:module';

const program = process.argv[1] ?? '';
const { COXSWAIN_PORT: hubPort, FAULTS_LINK_PORT: linkPort } = process.env;

if (program.endsWith('dist/apps/relay/src/main.js')) {
  const { register: registerTsx } = await import('tsx/esm/api');
  registerTsx();
  register('./provider-hook.mjs', import.meta.url);
  sendThroughProxy();
}
if (program.endsWith('dist/run/supervisor.mjs')) shortenWaits(1_000);

function sendThroughProxy() {
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function (...args) {
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (String(options?.port) === hubPort) options.port = Number(linkPort);
    return connect.apply(this, args);
  };
}

function shortenWaits(longest) {
  const wait = timers.setTimeout;
  timers.setTimeout = (ms, ...rest) => wait(Math.min(ms ?? 0, longest), ...rest);
  syncBuiltinESMExports();
}
