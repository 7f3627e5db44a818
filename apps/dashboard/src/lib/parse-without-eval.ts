import { config } from 'zod';

// Must run before any schema is made: the page's Content Security Policy lets nothing be evaluated, and zod
// would otherwise try `new Function` and have it reported as a violation.
config({ jitless: true });
