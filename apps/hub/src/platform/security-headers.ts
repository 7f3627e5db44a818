import type { SecurityHeadersOptions } from '@nestjs/common';

/** S5: scripts, styles and connections of the hub's own origin and nothing else; nothing inline, nobody frames it. */
export const SECURITY_HEADERS: SecurityHeadersOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: "'none'",
      scriptSrc: "'self'",
      scriptSrcAttr: "'none'",
      styleSrc: "'self'",
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: "'self'",
      connectSrc: "'self'",
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
  // Plain HTTP on the loopback: a browser that remembered it would lock the person out of the port.
  strictTransportSecurity: false,
};
