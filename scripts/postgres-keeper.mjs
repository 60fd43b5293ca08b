// Holds one PostgreSQL cluster for the process that started it, and removes it with that process.
// node postgres-keeper.mjs <folder of the server> <fsync: true|false>; prints the URL when it is up.
import { openCluster } from './postgres-cluster.mjs'
import { sweepClusters } from './postgres-leftovers.mjs'

const [bin = '', fsync] = process.argv.slice(2)

// Our pipe closes when the owner ends, however it ends. Watched from the start: it may die during initdb.
const ownerGone = new Promise((resolve) => {
  process.stdin.on('end', resolve).on('error', resolve).resume()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve)
})

sweepClusters()
const cluster = await openCluster({ bin, fsync: fsync !== 'false' }).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
process.stdout.on('error', () => {})
process.stdout.write(`${cluster.url}\n`)
await Promise.race([ownerGone, cluster.ended])
await cluster.close()
process.exit(0)
