import { describe, expect, it } from '@jest/globals';
import { isAmong } from './reach-settings.js';
import { readSettings } from './settings.js';

const WITH_TLS = {
  COXSWAIN_LISTEN: '0.0.0.0',
  COXSWAIN_PUBLIC_URL: 'https://laptop.example:7718',
  COXSWAIN_TLS_CERT: '/etc/tls/cert.pem',
  COXSWAIN_TLS_KEY: '/etc/tls/key.pem',
};
const BEHIND = { COXSWAIN_PUBLIC_URL: 'https://agents.example', COXSWAIN_PROXY: '127.0.0.1' };
const reach = (environment: Record<string, string>) => readSettings(environment, []).reach;

describe('the way in from beyond the loopback', () => {
  it('[S5] is closed where nothing was declared', () => {
    expect(reach({})).toBeUndefined();
  });

  it('[S5] is a door with a certificate, one port above the loopback', () => {
    expect(reach(WITH_TLS)).toEqual({
      listen: { host: '0.0.0.0', port: 7718 },
      origins: ['https://laptop.example:7718'],
      certificate: { cert: '/etc/tls/cert.pem', key: '/etc/tls/key.pem' },
      proxies: [],
    });
  });

  it('[S5] is a proxy, which may come by the loopback', () => {
    expect(reach(BEHIND)).toEqual({
      listen: undefined,
      origins: ['https://agents.example'],
      certificate: undefined,
      proxies: ['127.0.0.1'],
    });
  });

  it.each([
    ['192.168.1.5:443', { host: '192.168.1.5', port: 443 }],
    ['::', { host: '::', port: 7718 }],
    ['[fd00::1]:8443', { host: 'fd00::1', port: 8443 }],
  ])('[S5] listens at %s', (COXSWAIN_LISTEN, listen) => {
    expect(reach({ ...WITH_TLS, COXSWAIN_LISTEN })?.listen).toEqual(listen);
  });

  it.each([
    ['no TLS', { COXSWAIN_LISTEN: '0.0.0.0' }, /insists on TLS.*COXSWAIN_TLS_CERT.*COXSWAIN_PROXY/],
    ['half a pair', { ...WITH_TLS, COXSWAIN_TLS_KEY: '' }, /^COXSWAIN_TLS_KEY: name both/],
    ['no address', { ...WITH_TLS, COXSWAIN_PUBLIC_URL: '' }, /^COXSWAIN_PUBLIC_URL: say at which/],
    ['no door', { ...WITH_TLS, COXSWAIN_LISTEN: '' }, /^COXSWAIN_LISTEN: a certificate is for/],
    ['both', { ...WITH_TLS, COXSWAIN_PROXY: '10.0.0.1' }, /^COXSWAIN_PROXY: either/],
    ['a name to listen at', { ...WITH_TLS, COXSWAIN_LISTEN: 'laptop' }, /"laptop" is no address/],
    ['the same port', { ...WITH_TLS, COXSWAIN_LISTEN: '0.0.0.0:7717' }, /is the loopback's/],
    ['a port too large', { ...WITH_TLS, COXSWAIN_LISTEN: '0.0.0.0:70000' }, /is no address/],
    ['plain HTTP', { ...BEHIND, COXSWAIN_PUBLIC_URL: 'http://a.example' }, /It is https:/],
    ['a folder', { ...BEHIND, COXSWAIN_PUBLIC_URL: 'https://a.example/x' }, /nothing after it/],
    ['a proxy by name', { ...BEHIND, COXSWAIN_PROXY: 'caddy' }, /^COXSWAIN_PROXY: "caddy"/],
    ['a wrong subnet', { ...BEHIND, COXSWAIN_PROXY: '10.0.0.0/99' }, /^COXSWAIN_PROXY: /],
  ])('[S5] is refused with %s, and it is told what to do', (_what, environment, words) => {
    expect(() => reach(environment)).toThrow(words);
  });
});

describe('addresses of proxies', () => {
  const known = isAmong(['10.0.0.0/8', '192.168.1.5', 'fd00::/8']);

  it.each(['10.9.8.7', '192.168.1.5', '::ffff:192.168.1.5', 'fd00::1'])(
    '[S5] %s is one of them',
    (address) => expect(known(address)).toBe(true),
  );

  it.each(['11.0.0.1', '192.168.1.6', '::1', '', 'x'])('[S5] %s is none of them', (address) =>
    expect(known(address)).toBe(false),
  );
});
