import { defineConfig } from 'toolcrib'

/** A crib whose tool hands its work to a process of its own. */
export default defineConfig({ tools: ['./tools'] })
