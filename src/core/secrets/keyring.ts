import type { Principal } from '../kernel/call.ts'

/** One master key, and what is sealed under it. */
export interface MasterKeyUse {
  id: string
  /** New secrets are sealed with this one. */
  isActive: boolean
  /** This node holds it. Without it, what is sealed under it can't be opened here. */
  isHeld: boolean
  secrets: number
  /** Inputs of calls that have not ended. */
  inputs: number
  /** What the digests of API keys are made with. */
  pepper: boolean
  /** Nodes that live and do not hold it. */
  missingOn: readonly string[]
}

export interface KeyringStatus {
  activeId: string
  /** First in the ring and not in use yet: the next rotation takes it. */
  nextId?: string
  /** Where this node has its keys from. */
  place: string
  keys: MasterKeyUse[]
}

/** How far a rotation is. Asked again, it goes on; also after a crash, and from any node. */
export interface RotationStep {
  /** The key that everything moves to. */
  keyId: string
  /** The rotation began with this step. */
  hasBegun: boolean
  moved: { secrets: number; inputs: number }
  left: { secrets: number; inputs: number }
  isDone: boolean
}

export interface RotationRequest {
  /** A key of one's own, as it stands in the ring: `id:key` or the key alone. */
  key?: string
  /** Goes on with what was begun, and begins nothing. */
  isResumed?: boolean
}

/** The master keys under which secrets are sealed. */
export interface Keyring {
  status(): Promise<KeyringStatus>
  /** One bounded step. */
  rotate(request: RotationRequest & { tenant: string; by: Principal }): Promise<RotationStep>
  /** Takes a key out of the ring that nothing is sealed under. Says what is still to be done by hand. */
  drop(id: string, event: { tenant: string; by: Principal }): Promise<{ isGone: boolean }>
}
