import { describe, expect, it } from '@jest/globals';
import { HubConfiguration } from './hub-configuration.js';
import { OwnOrigins } from './own-origins.js';

const origins = (): OwnOrigins =>
  new OwnOrigins(new HubConfiguration({ port: 7717 } as HubConfiguration));

describe('where a request comes from', () => {
  it.each(['127.0.0.1:7717', 'localhost:7717', '[::1]:7717'])(
    '[S5] the host %s is the hub itself',
    (host) => expect(origins().refusal({ host, origin: `http://${host}` })).toBeUndefined(),
  );

  it.each([
    'evil.example',
    '127.0.0.1',
    '127.0.0.1:7718',
    'localhost.evil.example:7717',
    undefined,
  ])('[S5] the host %s is refused (DNS rebinding)', (host) =>
    expect(origins().refusal({ host })).toMatch(/host/),
  );

  it.each(['http://localhost:3000', 'https://127.0.0.1:7717', 'null', 'http://evil.example'])(
    '[S5] the origin %s is refused',
    (origin) => expect(origins().refusal({ host: '127.0.0.1:7717', origin })).toMatch(/origin/),
  );

  it.each(['cross-site', 'same-site'])('[S5] what a %s page asks for is refused', (site) => {
    expect(origins().refusal({ host: '127.0.0.1:7717', site })).toBeDefined();
  });

  it('[S1] a client without an origin proves itself to the host that it called', () => {
    expect(origins().originOf({ host: 'localhost:7717' })).toBe('http://localhost:7717');
  });
});
