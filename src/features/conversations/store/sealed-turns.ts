import { sql } from 'kysely'
import type { SealedColumn } from '../../../store/sealing/sealed-rows.ts'

/** Sealed inputs that a turn is waiting with. */
export const sealedTurns: SealedColumn = {
  table: 'turns',
  column: 'waiting',
  boundTo: 'id',
  toId: (uuid) => `turn_${uuid.replaceAll('-', '')}`,
  isOpen: sql`settled_ms is null`,
}
