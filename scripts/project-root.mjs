import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout's root folder. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)))
