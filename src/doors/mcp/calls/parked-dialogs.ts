import { randomBytes } from 'node:crypto'
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { ToolError } from '../../../core/kernel/errors.ts'
import { isSameTenant, type McpLimits } from '../mcp-request-context.ts'
import { unable, type PendingDialog } from './pending-dialog.ts'

/**
 * The token that a client carries from one request to the next; sealed, so that it cannot be
 * forged.
 */
export interface ResumeToken {
  park: string
  round: number
  /** Set where another process asked: the call that waits there, or did. The client's word alone. */
  elsewhere?: string
  /** Set where a call waits for a decision, on any node: its id. The client's word alone. */
  undecided?: string
}

const undecidedMark = 'undecided'

/** The token that comes back with a client's decision about this call; nothing is stored for it. */
export function toUndecided(callId: string): string {
  return `${undecidedMark} ${callId}`
}

/**
 * Work that is suspended until its client answers. It belongs to this process: the token of another
 * process shows only which call it was for.
 */
export interface ParkedDialogs {
  /** Leaves the work here; the ticket takes it up again, once. */
  park(dialog: PendingDialog<unknown>, owner: ParkOwner, context: ServerContext): Promise<string>
  /** The work of this token, for its owner alone; or its call, if it ended while suspended. */
  resume(ticket: ResumeToken, owner: ParkOwner): PendingDialog<unknown> | EndedWork
  /** Checks a ticket that came back; throws where it is not ours or too old. */
  verify(state: string, context: ServerContext): Promise<ResumeToken>
  /** Ends all suspended work. */
  close(): void
}

/** Ended without a reader for its result. */
export interface EndedWork {
  endedCall: string
}

/** Owner and purpose: `tools/call` of one tool. */
export interface ParkOwner {
  holder: string
  subject: string
}

interface Place extends ParkOwner {
  dialog: PendingDialog<unknown>
  round: number
  timer: NodeJS.Timeout
}

type ParkedDialogLimits = Pick<McpLimits, 'maxParked' | 'maxParkedPerCaller' | 'askMs'>

/** Opens the store of suspended work. `holderOf` returns the owner of a context. */
export function createParkedDialogs(
  limits: ParkedDialogLimits,
  holderOf: (context: ServerContext) => string,
): ParkedDialogs {
  const places = new Map<string, Place>()
  const ended = createEndedList(limits.maxParked)
  const here = randomBytes(8).toString('hex')
  const names = new WeakMap<PendingDialog<unknown>, { park: string; round: number }>()
  const codec = createRequestStateCodec<ResumeToken>({
    key: randomBytes(32),
    ttlSeconds: Math.ceil(limits.askMs / 1000) + 1,
    bind: (context) => `${context.mcpReq.method}\0${holderOf(context)}`,
  })
  return {
    async park(dialog, owner, context) {
      const before = names.get(dialog)
      const name = {
        park: before?.park ?? randomBytes(16).toString('base64url'),
        round: (before?.round ?? 0) + 1,
      }
      if (!hasRoom(places, owner.holder, limits)) throw refuse(dialog)
      names.set(dialog, name)
      const expire = () => {
        places.delete(name.park)
        dialog.abort(unable(`The client did not answer within ${limits.askMs / 1000} s`))
      }
      const timer = setTimeout(expire, limits.askMs)
      timer.unref()
      places.set(name.park, { dialog, ...owner, round: name.round, timer })
      // Work that ends by itself, by a cancel from elsewhere, say, waits for nobody.
      void forgetWhenDone(dialog, () => drop(places, name) && ended.add(name, owner, dialog))
      const sealed = await codec.mint(name, context)
      return [here, dialog.callId ?? '', name.round, sealed].join(' ')
    },
    resume({ park, round }, owner) {
      const place = places.get(park) ?? ended.find(park)
      const isIts =
        place?.round === round && place.holder === owner.holder && place.subject === owner.subject
      if (place === undefined || !isIts) throw notParked()
      if ('endedCall' in place) return ended.take(park, place)
      places.delete(park)
      clearTimeout(place.timer)
      return place.dialog
    },
    async verify(state, context) {
      const [asker, elsewhere = '', round = '', sealed = ''] = state.split(' ')
      if (asker === undecidedMark) return { park: '', round: 0, undecided: elsewhere }
      if (asker === here || elsewhere === '') return codec.verify(sealed, context)
      return { park: '', round: Number(round), elsewhere }
    },
    close() {
      for (const { dialog, timer } of places.values()) {
        clearTimeout(timer)
        dialog.abort(new ToolError('interrupted', 'The server is stopping'))
      }
      places.clear()
    },
  }
}

function hasRoom(
  places: ReadonlyMap<string, Place>,
  holder: string,
  { maxParked, maxParkedPerCaller }: ParkedDialogLimits,
): boolean {
  const ofTenant = [...places.values()].filter((place) => isSameTenant(place.holder, holder))
  const own = ofTenant.filter((place) => place.holder === holder).length
  // Nobody's tenant fills it: others need some, too.
  const share = Math.max(maxParkedPerCaller, Math.floor(maxParked / 2))
  return places.size < maxParked && ofTenant.length < share && own < maxParkedPerCaller
}

function refuse(dialog: PendingDialog<unknown>): ToolError {
  const message = 'Too many calls wait for an answer of their client'
  dialog.abort(unable(message))
  return new ToolError('rate_limited', message, { fix: 'Answer or cancel some of them first.' })
}

type Ended = ParkOwner & EndedWork & { round: number }

/**
 * Work that ended while suspended, until its client comes; beyond a bound the oldest are dropped.
 */
function createEndedList(most: number) {
  const all = new Map<string, Ended>()
  return {
    add(
      { park, round }: { park: string; round: number },
      owner: ParkOwner,
      { callId }: Pick<PendingDialog<unknown>, 'callId'>,
    ): void {
      if (callId === undefined) return
      if (all.size >= most) all.delete(all.keys().next().value ?? '')
      all.set(park, { ...owner, round, endedCall: callId })
    },
    find: (park: string) => all.get(park),
    take(park: string, ended: Ended): EndedWork {
      all.delete(park)
      return ended
    },
  }
}

async function forgetWhenDone(dialog: PendingDialog<unknown>, forget: () => void): Promise<void> {
  await dialog.whenDone
  forget()
}

/** False where its client has come for it. */
function drop(places: Map<string, Place>, { park, round }: ResumeToken): boolean {
  const place = places.get(park)
  if (place?.round !== round) return false
  clearTimeout(place.timer)
  return places.delete(park)
}

/** Unknown, used, foreign: one answer. */
export function notParked(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  })
}
