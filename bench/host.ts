import { measureCommands } from './host/commands.ts'
import { measureFiles } from './host/files.ts'
import { measurePages } from './host/pages.ts'
import { measureSessions } from './host/sessions.ts'
import type { Figure, Pace } from './measure.ts'

/** What tools that use this machine cost beside the bare thing: commands, files, pages, and many sessions. */
export async function benchHost(_databaseUrl: string, pace: Pace): Promise<Figure[]> {
  return [
    ...(await measureCommands(pace)),
    ...(await measureFiles(pace)),
    ...(await measurePages(pace)),
    ...(await measureSessions(pace)),
  ]
}
