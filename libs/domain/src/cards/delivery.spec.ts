import { describe, expect, it } from '@jest/globals';
import { deliveryAdvances, isUnconfirmed } from '../index.js';

describe('the way of an accepted answer', () => {
  it('[C11] a late report does not take it back', () => {
    expect(deliveryAdvances('delivered', 'handed')).toBe(false);
  });
  it('[C11] a superseded answer is not handed out after all', () => {
    expect(deliveryAdvances('superseded', 'handed')).toBe(false);
  });
  it('[C11] evidence that the client took it stands above all', () => {
    expect(deliveryAdvances('superseded', 'delivered')).toBe(true);
  });
  it('[C11] an answer that was handed over is not yet known to have arrived', () => {
    expect(isUnconfirmed({ status: 'closed', delivery: 'handed' })).toBe(true);
  });
});
