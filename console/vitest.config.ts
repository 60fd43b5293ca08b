import { playwright } from '@vitest/browser-playwright'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { findChromium } from '../scripts/chromium.mjs'

const executablePath = findChromium()

export default defineConfig({
  plugins: [react()],
  // All that is imported anywhere is prepared at the start: found later, it would reload a running test.
  optimizeDeps: { entries: ['src/**/*.{ts,tsx}'] },
  test: {
    name: 'browser',
    include: ['src/**/*.test.tsx'],
    // Where there is no browser the parts can't be tested; scripts/chromium.mjs has said so.
    ...(executablePath === undefined && { exclude: ['**'] }),
    browser: {
      enabled: executablePath !== undefined,
      headless: true,
      screenshotFailures: false,
      // In a new checkout it waits for all its imports to be prepared, beside the rest of the suite.
      connectTimeout: 300_000,
      provider: playwright({
        launchOptions: {
          executablePath,
          args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        },
      }),
      instances: [{ browser: 'chromium' }],
      viewport: { width: 1000, height: 800 },
    },
    // As in vitest.config.ts: far beyond what a test needs, so that none fails on a busy machine.
    testTimeout: 240_000,
    expect: { poll: { timeout: 90_000 } },
  },
})
