import { declaredBy, toPackOn } from '../changes.ts'
import { toNamed } from '../compiled-scope.ts'
import type { LayerVerdict, PackSwitch, PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/**
 * Opt-in packs are hidden until enabled, others visible until disabled; the tenant's own setting
 * overrides the default.
 */
export function catalogueLayer(tool: PolicyTool, scope: Scope): LayerVerdict {
  const { pack } = toNamed(tool)
  const word = Object.hasOwn(scope.packs, pack) ? scope.packs[pack] : undefined
  const isOn = word?.tenant ?? word?.everyone
  if (isOn === undefined) {
    if (!tool.packOptIn) return pass('catalogue', `pack ${pack} is on unless turned off`)
    return off(`pack ${pack} is opt-in and was not turned on`, pack, {
      tenant: scope.tenant,
      setBy: `the definition of pack ${pack}`,
    })
  }
  const whom = word?.tenant === undefined ? 'everyone' : 'this tenant'
  const setBy = toSetBy(word)
  if (isOn) return pass('catalogue', `pack ${pack} is turned on for ${whom}`, setBy)
  const of = { tenant: scope.tenant, setBy, isOwn: word?.tenant !== undefined }
  return off(`pack ${pack} is turned off for ${whom}`, pack, of)
}

function toSetBy(word: PackSwitch | undefined): string | undefined {
  return word?.tenant === undefined ? declaredBy : word.setBy
}

function off(
  reason: string,
  pack: string,
  { tenant, setBy, isOwn = false }: { tenant: string; setBy?: string; isOwn?: boolean },
): LayerVerdict {
  const change = toPackOn(pack, tenant, isOwn ? setBy : undefined)
  return hide('catalogue', reason, { setBy, fix: `turn on pack ${pack} for this tenant`, change })
}
