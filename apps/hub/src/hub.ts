import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LIMITS, type CertificateTrouble, type PairingLink } from '#contracts';
import { AppModule } from './app.module.js';
import { WayInNews } from './live/way-in-news.js';
import { MakeSignInLink } from './devices/make-sign-in-link.js';
import { ChangePasskeys } from './passkeys/change-passkeys.js';
import { AtTheDoor } from './platform/at-the-door.js';
import type { HubConfiguration } from './platform/hub-configuration.js';
import { boundRequests } from './platform/handed-sockets.js';
import { HubLog } from './platform/hub-log.js';
import { OwnOrigins } from './platform/own-origins.js';
import { schemaPipe } from './platform/schema-pipe.js';
import { securityHeaders } from './platform/security-headers.js';
import { servePage } from './platform/serve-page.js';
import { SocketAdapter } from './platform/socket-adapter.js';

/** Longer than a person thinks between two taps: a connection that is closed under a tap would lose it. */
const KEPT_ALIVE_MS = 120_000;

/** Where a one-time link leads, on this machine and, where one may come from there, from beyond it. */
interface SignInLinkTold {
  readonly url: string;
  readonly publicUrl?: string;
  readonly expiresIn: PairingLink['expiresIn'];
}

/** A hub that runs. */
export interface RunningHub {
  /** Takes sockets that a supervisor has accepted, as its event `connection`. */
  readonly server: Server;
  /** Such as `http://127.0.0.1:7717`. */
  readonly url: string;
  /** For who looks at what it is made of, such as the test that walks every route. */
  readonly application: NestExpressApplication;
  /** A one-time link for the owner: where one is due by the configuration, or `now`. */
  signInLink(when?: 'now'): Promise<SignInLinkTold | undefined>;
  /** S1: takes all passkeys of the owner's away, and that decisions need one. Gives how many there were. */
  forgetPasskeys(): Promise<number>;
  /** S5: what is wrong with the certificate that is shown, if anything is. */
  certificateTrouble(trouble: CertificateTrouble | undefined): void;
  /** Lets go of devices and relays, commits what was taken, closes the database. */
  close(): Promise<void>;
}

/** @param listen whether the hub listens itself, on the loopback; otherwise it is given its sockets */
export async function startHub(
  configuration: HubConfiguration,
  { listen }: { listen: boolean },
): Promise<RunningHub> {
  const application = await NestFactory.create<NestExpressApplication>(
    AppModule.with(configuration),
    { bodyParser: false, bufferLogs: true, abortOnError: false, forceCloseConnections: true },
  );
  application.useLogger(application.get(HubLog));
  furnish(application, configuration);
  await application.init();
  const server = application.getHttpServer() as Server;
  server.keepAliveTimeout = KEPT_ALIVE_MS;
  boundRequests(server);
  if (listen) await application.listen(configuration.port, '127.0.0.1');
  const port = listen ? (server.address() as AddressInfo).port : configuration.port;
  application.get(OwnOrigins).listenAt(port);
  const url = `http://127.0.0.1:${port}`;
  return {
    server,
    url,
    application,
    close: () => application.close(),
    forgetPasskeys: () => application.get(ChangePasskeys).forgetAll(),
    certificateTrouble: (trouble) => application.get(WayInNews).certificate(trouble),
    async signInLink(when: HubConfiguration['signInLink'] = configuration.signInLink) {
      const link = await application.get(MakeSignInLink).forOwner(when);
      if (link === undefined) return undefined;
      const leads = (origin: string): string => `${origin}/#/sign-in/${link.secret}`;
      const outside = configuration.reach?.origins[0];
      return {
        url: leads(url),
        ...(outside === undefined ? {} : { publicUrl: leads(outside) }),
        expiresIn: link.expiresIn,
      };
    },
  };
}

/** S5: whose `X-Forwarded-*` is believed; Express knows subnets, and the sockets are to know the same. */
function trustProxies(application: NestExpressApplication, proxies: readonly string[]): void {
  application.set('trust proxy', [...proxies]);
  const express = application.getHttpAdapter().getInstance() as { get(name: string): unknown };
  const trusts = express.get('trust proxy fn') as (address: string, hop: number) => boolean;
  application.get(OwnOrigins).trust((address) => trusts(address, 0));
}

/** What every request passes, in this order. */
function furnish(application: NestExpressApplication, configuration: HubConfiguration): void {
  application.useSecurityHeaders(securityHeaders(configuration.reach?.origins));
  trustProxies(application, configuration.reach?.proxies ?? []);
  application.disable('etag');
  application.use(application.get(AtTheDoor).pass);
  servePage(application, configuration.dashboard);
  application.useBodyParser('json', { limit: LIMITS.bodyBytes, inflate: false });
  application.useGlobalPipes(schemaPipe());
  application.useWebSocketAdapter(new SocketAdapter(application, application.get(OwnOrigins)));
}
