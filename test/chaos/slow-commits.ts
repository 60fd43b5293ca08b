import type { PostgresInstance } from './postgres-instance.ts'

/**
 * Makes some transactions that write events linger before they commit, as they do on a busy disk. What
 * falls between a statement and its commit is otherwise too short to be hit: a reader that passes over
 * an event that is committed late, a connection that breaks before the answer.
 */
export async function slowCommits(postgres: PostgresInstance): Promise<void> {
  await postgres.query(`create function toolcrib.linger() returns trigger language plpgsql as $$
    begin
      if random() < 0.03 then perform pg_sleep(random() * 0.05); end if;
      return null;
    end $$`)
  await postgres.query(`create constraint trigger linger after insert on toolcrib.events
    deferrable initially deferred for each row execute function toolcrib.linger()`)
}
