import { describe, expect, it } from '@jest/globals';
import { Drafts, type TextStore } from './drafts.js';

const makeStore = (): TextStore & { held: Map<string, string> } => {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  };
};
const full: TextStore = {
  getItem: () => null,
  setItem: () => {
    throw new Error('QuotaExceededError');
  },
  removeItem: () => undefined,
};

describe('what a person has begun to type', () => {
  it('[D6] survives a reload', () => {
    const store = makeStore();
    new Drafts(store).write('card.1', 'half a thought');
    expect(new Drafts(store).read('card.1')).toBe('half a thought');
  });

  it('[D6] is kept apart for each subject', () => {
    const drafts = new Drafts(makeStore());
    drafts.write('card.1', 'one');
    drafts.write('card.2', 'two');
    expect(drafts.read('card.1')).toBe('one');
  });

  it('[D6] stays while the page stands where the browser’s storage is full', () => {
    const drafts = new Drafts(full);
    drafts.write('card.1', 'kept');
    expect(drafts.read('card.1')).toBe('kept');
  });

  it('[D6] leaves nothing behind once it was sent', () => {
    const store = makeStore();
    const drafts = new Drafts(store);
    drafts.write('card.1', 'sent');
    drafts.clear('card.1');
    expect([...store.held]).toEqual([]);
  });
});
