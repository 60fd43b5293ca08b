import type { Principal } from '../kernel/call.ts'

/** One master key, and the data sealed with it. */
export interface MasterKeyUse {
  id: string
  /** New secrets are sealed with this one. */
  isActive: boolean
  /** This node has the key. Without it, data sealed with it can't be opened here. */
  isHeld: boolean
  secrets: number
  /** Inputs of unsettled calls. */
  inputs: number
  /** The digests of API keys use it. */
  pepper: boolean
  /** Live nodes that do not have it. */
  missingOn: readonly string[]
}

export interface KeyringStatus {
  activeId: string
  /** The first key of the ring, not in use yet: the next rotation uses it. */
  nextId?: string
  /** Where this node reads its keys from. */
  place: string
  keys: MasterKeyUse[]
}

/**
 * The progress of a rotation. Calling again continues it, also after a crash, and from any node.
 */
export interface RotationStep {
  /** The key that everything moves to. */
  keyId: string
  /** The rotation started with this step. */
  hasBegun: boolean
  moved: { secrets: number; inputs: number }
  left: { secrets: number; inputs: number }
  isDone: boolean
}

export interface RotationRequest {
  /** A custom key, in the format of the ring: `id:key` or the key alone. */
  key?: string
  /** Continues a started rotation, and starts none. */
  isResumed?: boolean
}

/** The master keys that seal secrets. */
export interface Keyring {
  status(): Promise<KeyringStatus>
  /** One bounded step. */
  rotate(request: RotationRequest & { tenant: string; by: Principal }): Promise<RotationStep>
  /**
   * Removes a key from the ring if nothing is sealed with it. Reports what is still to be done
   * manually.
   */
  drop(id: string, event: { tenant: string; by: Principal }): Promise<{ isGone: boolean }>
}
