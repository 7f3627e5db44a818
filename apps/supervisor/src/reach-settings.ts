import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';

/** The settings of the way in from beyond the loopback, as they stand in the environment. */
export const ReachEnvironment = z.object({
  COXSWAIN_LISTEN: z.string().optional(),
  COXSWAIN_PUBLIC_URL: z.string().optional(),
  COXSWAIN_TLS_CERT: z.string().optional(),
  COXSWAIN_TLS_KEY: z.string().optional(),
  COXSWAIN_PROXY: z.string().optional(),
});
type ReachEnvironment = z.infer<typeof ReachEnvironment>;

/** Where a certificate and its key lie, absolute. */
export interface CertificatePaths {
  readonly cert: string;
  readonly key: string;
}

/** How Coxswain is reached from beyond the loopback (S5). */
export interface ReachSettings {
  /** The outer door; absent where a proxy on this machine comes by the loopback. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** Of the page, `https:` each; the first one stands in links. */
  readonly origins: readonly string[];
  /** Absent where a proxy does TLS. */
  readonly certificate: CertificatePaths | undefined;
  /** Addresses and subnets, such as `10.0.0.0/8`. */
  readonly proxies: readonly string[];
}

/** What was declared does not fit together; the message names the variable and says what to do. */
export class ReachError extends Error {}

const GUIDE = 'docs/reach-from-a-phone.md has every way step by step.';

/**
 * @param port of the loopback; the outer door is one above it where its port is not said
 * @returns undefined where nothing but the loopback is to be served
 * @throws ReachError
 */
export function reachSettings(set: ReachEnvironment, port: number): ReachSettings | undefined {
  const names = Object.keys(ReachEnvironment.shape) as (keyof ReachEnvironment)[];
  if (names.every((name) => set[name] === undefined)) return undefined;
  const reach = {
    listen: set.COXSWAIN_LISTEN === undefined ? undefined : place(set.COXSWAIN_LISTEN, port),
    origins: list(set.COXSWAIN_PUBLIC_URL).map(origin),
    certificate: certificatePaths(set),
    proxies: list(set.COXSWAIN_PROXY).map(proxy),
  };
  const problem = PROBLEMS.find(({ stands }) => stands(reach));
  if (problem !== undefined) throw new ReachError(`${problem.words} ${GUIDE}`);
  return reach;
}

/** What has to stand together, the first thing to mend first. */
const PROBLEMS: readonly { stands: (reach: ReachSettings) => boolean; words: string }[] = [
  {
    stands: ({ certificate, proxies }) => certificate === undefined && proxies.length === 0,
    words:
      'COXSWAIN_LISTEN, COXSWAIN_PUBLIC_URL: beyond the loopback Coxswain insists on TLS. Name a certificate ' +
      '(COXSWAIN_TLS_CERT and COXSWAIN_TLS_KEY) or the address of the proxy that does TLS (COXSWAIN_PROXY).',
  },
  {
    stands: ({ certificate, proxies }) => certificate !== undefined && proxies.length > 0,
    words:
      'COXSWAIN_PROXY: either the proxy does TLS, or Coxswain does. Take out COXSWAIN_PROXY, or COXSWAIN_TLS_CERT and ' +
      'COXSWAIN_TLS_KEY.',
  },
  {
    stands: ({ certificate, listen }) => certificate !== undefined && listen === undefined,
    words:
      'COXSWAIN_LISTEN: a certificate is for a door that other machines reach. Name the address where it is to be, ' +
      'such as 0.0.0.0 for every one that this machine has.',
  },
  {
    stands: ({ origins }) => origins.length === 0,
    words:
      'COXSWAIN_PUBLIC_URL: say at which address a browser reaches the page, such as https://laptop.example.net:7718; ' +
      'any other one is refused.',
  },
];

function certificatePaths(set: ReachEnvironment): CertificatePaths | undefined {
  const { COXSWAIN_TLS_CERT: cert, COXSWAIN_TLS_KEY: key } = set;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? 'COXSWAIN_TLS_CERT' : 'COXSWAIN_TLS_KEY';
    throw new ReachError(`${missing}: name both files, the certificate's and its key's.`);
  }
  return { cert: path.resolve(cert), key: path.resolve(key) };
}

const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `192.168.1.5`, `192.168.1.5:443`, `::`, `[::]:443`. */
function place(value: string, loopbackPort: number): { host: string; port: number } {
  const { host, port } = parted(value) ?? { host: value, port: loopbackPort + 1 };
  if (isIP(host) === 0 || port < 1 || port > 65_535) {
    throw new ReachError(
      `COXSWAIN_LISTEN: "${value}" is no address. Allowed are an IP address of this machine and, after a colon, a ` +
        'port: 0.0.0.0, 192.168.1.5:7718, [::]:7718.',
    );
  }
  if (port === loopbackPort) {
    throw new ReachError(
      `COXSWAIN_LISTEN: port ${port} is the loopback's (COXSWAIN_PORT). The outer door needs one of its own, such as ` +
        `${loopbackPort + 1}.`,
    );
  }
  return { host, port };
}

/** Absent where there is no port in it. */
function parted(value: string): { host: string; port: number } | undefined {
  const found = isIP(value) === 0 ? /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(value) : null;
  if (found === null) return undefined;
  return { host: found[1] ?? found[2] ?? '', port: Number(found[3]) };
}

function origin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'https:' && [url.origin, `${url.origin}/`].includes(url.href)) {
    return url.origin;
  }
  throw new ReachError(
    `COXSWAIN_PUBLIC_URL: "${value}" is not allowed. It is https://, a name and, unless it is 443, a port; nothing ` +
      'after it. Several are parted by commas.',
  );
}

function proxy(value: string): string {
  try {
    blockListOf([value]);
    return value;
  } catch (cause) {
    throw new ReachError(
      `COXSWAIN_PROXY: "${value}" is no address. Allowed are IP addresses and subnets, parted by commas: ` +
        '127.0.0.1, 172.16.0.0/12.',
      { cause },
    );
  }
}

/** Whether an address is one of these addresses and subnets; also as IPv6 writes an IPv4 address. */
export function isAmong(places: readonly string[]): (address: string) => boolean {
  const known = blockListOf(places);
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return isIP(plain) !== 0 && known.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}

/** @throws where one is neither an address nor a subnet */
function blockListOf(places: readonly string[]): BlockList {
  const known = new BlockList();
  for (const value of places) {
    const [net = '', bits] = value.split('/');
    const family = isIP(net) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) known.addAddress(net, family);
    else if (/^\d{1,3}$/.test(bits)) known.addSubnet(net, Number(bits), family);
    else throw new TypeError('The bits of a subnet are a number.');
  }
  return known;
}
