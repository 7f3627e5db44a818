import type { SecurityHeadersOptions } from '@nestjs/common';

/**
 * S5: scripts, styles and connections of the hub's own origin and nothing else; nothing inline, nobody frames it.
 *
 * @param origins from which the page is served beyond the loopback. Their sockets are named one by one: older Safari
 *   does not count `wss:` of the own origin as `'self'`.
 */
export const securityHeaders = (origins: readonly string[] = []): SecurityHeadersOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: "'none'",
      scriptSrc: "'self'",
      scriptSrcAttr: "'none'",
      styleSrc: "'self'",
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: "'self'",
      connectSrc: ["'self'", ...origins.map((origin) => origin.replace(/^https/, 'wss'))],
      workerSrc: "'self'",
      manifestSrc: "'self'",
      baseUri: "'none'",
      formAction: "'none'",
      frameAncestors: "'none'",
      objectSrc: "'none'",
    },
  },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  // Said at the door, and only to who came by TLS: on the loopback a browser that remembered it would lock the person
  // out of the port.
  strictTransportSecurity: false,
});
