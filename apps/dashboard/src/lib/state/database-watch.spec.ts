import { describe, expect, it } from '@jest/globals';
import { DatabaseWatch } from './database-watch.js';

/** What a page that looks once is told, when the hub answers like this. */
async function told(answer: () => Promise<Response>, seen = true): Promise<boolean[]> {
  const heard: boolean[] = [];
  const watch = new DatabaseWatch({
    fetch: answer,
    told: (away) => heard.push(away),
    seen: () => seen,
  });
  await watch.look();
  watch.stop();
  return heard;
}
const answers = (status: number, body: object) => (): Promise<Response> =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

describe('whether the hub reaches its database', () => {
  it('[D6] is said by the hub', async () => {
    expect(await told(answers(200, { status: 'ok' }))).toEqual([false]);
    expect(await told(answers(503, { code: 'UNAVAILABLE', message: 'away' }))).toEqual([true]);
  });

  it('[D6] is not said by a hub that does not answer, nor by a proxy before it', async () => {
    expect(await told(() => Promise.reject(new Error('refused')))).toEqual([false]);
    expect(await told(answers(503, { html: 'busy' }))).toEqual([false]);
  });

  it('[D6] is not asked by a page that nobody looks at', async () => {
    expect(await told(answers(503, { code: 'UNAVAILABLE', message: 'away' }), false)).toEqual([]);
  });
});
