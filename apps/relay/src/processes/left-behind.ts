import { rmSync } from 'node:fs';
import path from 'node:path';
import { ChildRegistry, type Child } from './child-registry.js';
import { stopProcess } from './stop-process.js';

/** Where a relay writes down its children, in its folder. */
export const childrenFile = (home: string): string => path.join(home, 'children.json');

/**
 * Stops what a killed relay left running, before any of its sessions is resumed (link rule 7): two clients on
 * one session would write over each other. Gives back what was found in the list.
 */
export async function stopLeftBehind(file: string): Promise<Child[]> {
  const left = ChildRegistry.leftBehind(file);
  await Promise.all(left.map((child) => stopProcess(child)));
  rmSync(file, { force: true });
  return left;
}
