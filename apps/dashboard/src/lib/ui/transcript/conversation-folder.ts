import { createContext } from 'svelte';

/** Tells the folder of the conversation around: paths in it are told from there. */
export const [folderAround, setFolderAround] = createContext<() => string | undefined>();
