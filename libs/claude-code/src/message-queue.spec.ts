import { describe, expect, it } from '@jest/globals';
import { MessageQueue } from './message-queue.js';
import type { SdkUserMessage } from './sdk.js';

const ENDED = new Error('ended');
const message = (text: string): SdkUserMessage => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
  uuid: text,
});

describe('messages on their way into the client', () => {
  it('[C11] are taken once the client asks for the next one', async () => {
    const queue = new MessageQueue(ENDED);
    const put = queue.put(message('one'));
    const client = queue[Symbol.asyncIterator]();
    expect((await client.next()).value).toEqual(message('one'));
    const next = client.next();
    await put;
    queue.close();
    expect((await next).done).toBe(true);
  });

  it('[C11] are lost, all of them, where the client stops to take them with one in its hand', async () => {
    const queue = new MessageQueue(ENDED);
    const puts = [queue.put(message('one')), queue.put(message('two'))];
    const client = queue[Symbol.asyncIterator]();
    await client.next();
    await client.return?.();
    const ends = await Promise.allSettled([...puts, queue.put(message('three'))]);
    expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason: ENDED })));
  });

  it('[C11] are lost where the client neither asks for more nor says that it will not', async () => {
    const queue = new MessageQueue(ENDED);
    const put = queue.put(message('one'));
    await queue[Symbol.asyncIterator]().next();
    queue.close();
    await expect(put).rejects.toBe(ENDED);
  });
});
