import { Drafts } from './drafts.js';

function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** This browser's drafts. */
export const drafts = new Drafts(storage());
