import { DeviceId, DevicePublicKey } from '#contracts';
import { type KnownDevice } from './device-key.js';

const DATABASE = 'coxswain';
const STORE = 'device';
const ONLY = 'this';

/** Where this browser keeps its key: IndexedDB of exactly this origin, which can hold a key it can't read. */
export interface DeviceStore {
  load(): Promise<KnownDevice | undefined>;
  save(device: KnownDevice): Promise<void>;
  forget(): Promise<void>;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB refused'));
  });
}

async function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function asKnownDevice(stored: unknown): KnownDevice | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { deviceId, publicKey, keyPair } = stored as { [key: string]: unknown };
  const id = DeviceId.safeParse(deviceId);
  const key = DevicePublicKey.safeParse(publicKey);
  if (!id.success || !key.success) return undefined;
  return { deviceId: id.data, publicKey: key.data, keyPair: keyPair as CryptoKeyPair };
}

export const indexedDbDeviceStore: DeviceStore = {
  load: async () => asKnownDevice(await withStore('readonly', (store) => store.get(ONLY))),
  save: async (device) => {
    await withStore('readwrite', (store) => store.put({ ...device }, ONLY));
  },
  forget: async () => {
    await withStore('readwrite', (store) => store.delete(ONLY));
  },
};
