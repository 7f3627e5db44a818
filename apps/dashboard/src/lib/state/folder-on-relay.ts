import { type FolderListing, type Relay, type RelayId } from '#contracts';
import { HubRefusal } from '../api/hub-refusal.js';

/** Where a conversation is to begin, or why the machine says that it can't begin there. */
export type FolderFound = { readonly folder: string } | { readonly refusal: HubRefusal };

interface AsksFolders {
  folders(relayId: RelayId, path: string): Promise<FolderListing>;
}

/**
 * Looks a typed folder up on its machine before a conversation begins in it, so that a slip of the keyboard is told at
 * its field and not by a failed turn. A machine that can't be asked stops nothing: the start itself tells then.
 */
export async function folderOnRelay(
  api: AsksFolders,
  relay: Pick<Relay, 'id'>,
  typed: string,
): Promise<FolderFound> {
  try {
    const { path } = await api.folders(relay.id, typed);
    return { folder: typed.startsWith('~') ? path : typed };
  } catch (error) {
    if (error instanceof HubRefusal && error.code === 'INVALID') return { refusal: error };
    return { folder: typed };
  }
}
