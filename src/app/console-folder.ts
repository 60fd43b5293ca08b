import { fileURLToPath } from 'node:url'

/** Beside src/ in a checkout and beside dist/ in the package. */
export const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url))
