import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'

// What the server serves is console/dist: hashed files under /assets that never change, each also
// compressed, and one index.html.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would need `data:` in the policy for more than pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licences of what is bundled ask for their text to go along.
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Hundreds of bytes each: one file for those of many screens costs less than a request for every one.
            { name: 'icons', test: /icons-react/, minShareCount: 2 },
            // What most screens use is wanted by the first one already.
            { name: 'parts', test: /node_modules|src[\\/](?:ui|api|live)/, minShareCount: 8 },
            // The form is wanted whole, but for the fields that come late anyway.
            {
              name: 'form',
              test: /src[\\/]form[\\/](?!fields[\\/](?:date-picker|number[\\/]number-slider|choices-field|entity-field|secret-field|file[\\/]))/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})
