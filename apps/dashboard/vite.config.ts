import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** Where the hub listens while developing; the page's calls are passed on to it. */
const HUB = 'http://127.0.0.1:7717';

const sourceOf = (lib: string): string =>
  resolve(import.meta.dirname, `../../libs/${lib}/src/index.ts`);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte()],
  // The sources of the two libs that the page shares with the hub. (The condition `source` would do the same for
  // every package that has one.)
  resolve: { alias: { '#contracts': sourceOf('contracts'), '#domain': sourceOf('domain') } },
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // A strict Content Security Policy: nothing inline, no data: addresses for files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_200,
  },
  server: {
    port: 7718,
    strictPort: true,
    proxy: { '/api': HUB, '/socket.io': { target: HUB, ws: true } },
  },
});
