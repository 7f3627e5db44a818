import { z } from 'zod';
import { CertificateTrouble } from './http.js';
import { Duration } from './ids.js';
import { Base64Url } from './relay-link.js';

/**
 * What the supervisor and its children (hub, relay) say to each other over Node's IPC channel.
 *
 * Secrets go this way and not in the environment, which every process of the same user can read. A child that is
 * started with a channel waits for its `config`, and stops by itself when the channel closes (`disconnect`): that is
 * how a killed supervisor leaves nobody behind.
 */

/** How to reach PostgreSQL: an address, or the parts of one (`host` may be the folder of a Unix socket). */
export const DatabaseConnection = z.union([
  z.object({ url: z.string().min(1) }),
  z.object({
    host: z.string().min(1),
    port: z.number().int().positive(),
    user: z.string().min(1),
    password: z.string(),
    database: z.string().min(1),
  }),
]);
export type DatabaseConnection = z.infer<typeof DatabaseConnection>;

/**
 * Where a socket came in: at the door on the loopback, or at the outer one, which other machines reach. What comes in at
 * the outer one speaks TLS where there is a certificate.
 */
export const Door = z.enum(['loopback', 'outer']);
export type Door = z.infer<typeof Door>;

/** PEM, as in the files that were named: the certificate with its chain, and its key. */
export const Certificate = z.object({ cert: z.string().min(1), key: z.string().min(1) });
export type Certificate = z.infer<typeof Certificate>;

/** S5: how the hub is reached from beyond the loopback, as it was declared. */
export const Reach = z.object({
  /** The origins of the page, `https:` each; the first one stands in links. */
  origins: z.array(z.url()).min(1),
  /** Addresses and subnets (`10.0.0.0/8`) of proxies, whose `X-Forwarded-*` are believed. */
  proxies: z.array(z.string().min(1)),
  /** Absent where a proxy does TLS. */
  certificate: Certificate.optional(),
});
export type Reach = z.infer<typeof Reach>;

/** Supervisor → hub, first of all. */
export const HubConfig = z.object({
  kind: z.literal('config'),
  /** The hub's own folder, 0700. */
  home: z.string().min(1),
  /** The role of the application. Migrations have been run before, by the owner's. */
  database: DatabaseConnection,
  /** The port of the loopback where the supervisor listens for the hub. */
  port: z.number().int().min(1).max(65_535),
  demo: z.boolean(),
  /** The built dashboard. */
  dashboard: z.string().min(1),
  /** PKCS#8 PEM of the hub's Ed25519 key, 0600; proves the hub to relays. */
  keyFile: z.string().min(1),
  /** The relay beside the hub, known from the start; others are paired. */
  localRelay: z.object({
    name: z.string().min(1).max(200),
    /** Its raw Ed25519 public key. */
    publicKey: Base64Url,
  }),
  /** When to hand out a one-time sign-in link: while there is no device yet, or once more now. */
  signInLink: z.enum(['without-device', 'now']),
  /** Absent where nothing but the loopback is served. */
  reach: Reach.optional(),
});
export type HubConfig = z.infer<typeof HubConfig>;

/**
 * Supervisor → hub, with a socket that the supervisor has accepted: the hub emits it as `connection` on its HTTP
 * server. The supervisor keeps listening while a hub restarts, so nobody is refused in between.
 */
export const TakeConnection = z.object({
  kind: z.literal('connection'),
  /** Counts the sockets; the hub says it back as `taken` before it reads from the socket. */
  n: z.number().int().positive(),
  door: Door.default('loopback'),
});
export type TakeConnection = z.infer<typeof TakeConnection>;

/** Supervisor → hub: one more link for the owner, who asked for it on this machine; comes back as `sign-in-link`. */
export const MakeOwnersLink = z.object({ kind: z.literal('make-sign-in-link') });

/** Supervisor → hub, when the certificate's files have changed, or what is wrong with them has. */
export const CertificateNews = z.object({
  kind: z.literal('certificate'),
  /** For new connections; those that are open go on. Absent where the one in use stays. */
  certificate: Certificate.optional(),
  /** Absent where nothing is wrong. */
  trouble: CertificateTrouble.optional(),
});
export type CertificateNews = z.infer<typeof CertificateNews>;

/** Supervisor → hub: the owner lost every passkey and asked on this machine; comes back as `passkeys-forgotten`. */
export const ForgetPasskeys = z.object({ kind: z.literal('forget-passkeys') });

export const SupervisorToHub = z.discriminatedUnion('kind', [
  HubConfig,
  CertificateNews,
  TakeConnection,
  MakeOwnersLink,
  ForgetPasskeys,
]);
export type SupervisorToHub = z.infer<typeof SupervisorToHub>;

/** Supervisor → relay, first of all. */
export const RelayConfig = z.object({
  kind: z.literal('config'),
  /** The relay's own folder, 0700: journal, client folder, settings. Nothing of the hub's is in it. */
  home: z.string().min(1),
  /** Folders whose files no agent's tools may read or write, in any mode (M3). */
  secretFolders: z.array(z.string().min(1)).default([]),
  /** Such as `http://127.0.0.1:7717`. */
  hubUrl: z.url(),
  /** The hub's raw Ed25519 public key: no other hub is talked to. */
  hubKey: Base64Url,
  /** PKCS#8 PEM of the relay's Ed25519 key, 0600. */
  keyFile: z.string().min(1),
  name: z.string().min(1).max(200),
  demo: z.boolean(),
});
export type RelayConfig = z.infer<typeof RelayConfig>;

/** Child → supervisor. */
export const ChildToSupervisor = z.discriminatedUnion('kind', [
  /** The hub takes connections; the relay has started (attached or not). */
  z.object({ kind: z.literal('ready') }),
  /** Hub only: this socket is the hub's now. One that was not taken when the hub ends goes to the next hub. */
  z.object({ kind: z.literal('taken'), n: z.number().int().positive() }),
  /** A step that takes a while, for the terminal; no secret in it. Such as `Installing Claude's client (40 %)`. */
  z.object({
    kind: z.literal('progress'),
    text: z.string().min(1).max(200),
    /** How the step ended; absent while it goes on. */
    ended: z.enum(['well', 'badly']).optional(),
  }),
  /** Hub only: printed in the terminal and written down nowhere. */
  z.object({
    kind: z.literal('sign-in-link'),
    /** On the loopback. */
    url: z.url(),
    /** The same for a browser on another machine, where one can reach the hub. */
    publicUrl: z.url().optional(),
    expiresIn: Duration,
  }),
  /** Hub only: how many passkeys there were. */
  z.object({ kind: z.literal('passkeys-forgotten'), count: z.number().int().nonnegative() }),
  /** It can't go on and says why in plain words, right before it exits. */
  z.object({ kind: z.literal('failed'), message: z.string().min(1).max(2_000) }),
]);
export type ChildToSupervisor = z.infer<typeof ChildToSupervisor>;
