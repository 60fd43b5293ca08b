import { toNamed } from '../compiled-scope.ts'
import type { PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/** Opt-in packs are hidden until turned on, others visible until turned off; the tenant's own word wins. */
export function catalogueLayer(tool: PolicyTool, scope: Scope) {
  const { pack } = toNamed(tool)
  const word = Object.hasOwn(scope.packs, pack) ? scope.packs[pack] : undefined
  const isOn = word?.tenant ?? word?.everyone
  const fix = `turn on pack ${pack} for this tenant`
  if (isOn === undefined) {
    return tool.packOptIn
      ? hide('catalogue', `pack ${pack} is opt-in and was not turned on`, fix)
      : pass('catalogue', `pack ${pack} is on unless turned off`)
  }
  const whom = word?.tenant === undefined ? 'everyone' : 'this tenant'
  if (isOn) return pass('catalogue', `pack ${pack} is turned on for ${whom}`)
  return hide('catalogue', `pack ${pack} is turned off for ${whom}`, fix)
}
