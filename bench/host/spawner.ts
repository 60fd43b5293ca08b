/** A small process that starts a command when it is asked to, and says how long that took. */
import { plainSpawn } from './plain-spawn.ts'

process.on('message', () => {
  void plainSpawn().then((ms) => process.send?.(ms))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
