import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Instant } from './ids.js';
import * as link from './relay-link.js';
import * as messages from './relay-messages.js';

const EXPORTED: Readonly<Record<string, unknown>> = { ...link, ...messages };
const SHAPES = Object.entries(EXPORTED).filter(
  (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
);
/** What a field that holds a time of day would be called; `…Ms` are durations. */
const TIME_OF_DAY = /At$|^(?:at|now|time|date|timestamp|since|until)$/;

/** Where a shape holds a time of day, by the schema of one or by a field's name. */
function timesOfDay(shape: unknown, place: string, seen = new Set<unknown>()): string[] {
  if (typeof shape !== 'object' || shape === null || seen.has(shape)) return [];
  seen.add(shape);
  if (shape === Instant) return [place];
  if (Array.isArray(shape)) return shape.flatMap((one) => timesOfDay(one, place, seen));
  const def = shape instanceof z.ZodType ? shape.def : shape;
  return Object.entries(def).flatMap(([key, value]) => {
    const isField = value instanceof z.ZodType && TIME_OF_DAY.test(key);
    return isField ? [`${place}.${key}`] : timesOfDay(value, `${place}.${key}`, seen);
  });
}

describe('what the link carries', () => {
  it('[link.9] is known by its shapes, of which there are many', () => {
    expect(SHAPES.length).toBeGreaterThan(10);
  });

  it.each(SHAPES)('[link.9] %s holds no time of day', (name, shape) => {
    expect(timesOfDay(shape, name)).toEqual([]);
  });

  it('[link.9] a time of day would be found, however deep it lies', () => {
    const shape = z.object({ list: z.array(z.object({ when: Instant.optional() })) });
    expect(timesOfDay(shape, 'Shape')).toHaveLength(1);
  });
});
