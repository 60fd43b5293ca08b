import pg from 'pg'
import { findPostgresBinaries } from '../../scripts/postgres-binaries.mjs'
import { openCluster } from '../../scripts/postgres-cluster.mjs'
import { sweepClusters } from '../../scripts/postgres-leftovers.mjs'

/** A PostgreSQL of our own that may be treated badly. */
export interface PostgresInstance {
  url: URL
  restart(how: 'fast' | 'immediate' | 'killed'): Promise<void>
  /** SIGKILL to one session's process: the server then throws out everybody and recovers by itself. */
  crashSession(): Promise<void>
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** Whatever a run that was itself killed left behind is removed by the next. */
export async function openPostgresInstance(): Promise<PostgresInstance> {
  sweepClusters()
  const { bin } = await findPostgresBinaries()
  // What crashes here are processes, never the machine: what they wrote stays without fsync, too.
  const cluster = await openCluster({ bin, fsync: false })
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: cluster.url })
    // A server that goes away says so on an idle connection, too.
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  return {
    url: new URL(cluster.url),
    restart: cluster.restart,
    async crashSession() {
      const [session] = await query<{ pid: number }>(
        `select pid from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 1`,
      )
      if (session !== undefined) process.kill(session.pid, 'SIGKILL')
    },
    query,
    close: cluster.close,
  }
}
