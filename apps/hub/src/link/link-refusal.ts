import type { LinkRefusal } from '#contracts';

/** Why a relay is not let in, in words for who looks after it. */
export const linkRefusal = (code: LinkRefusal['code'], message: string): LinkRefusal => ({
  code,
  message,
});
